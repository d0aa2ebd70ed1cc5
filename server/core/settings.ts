import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { LIMITS, DEFAULT_WINDOW_SIZE } from '../../shared/base/limits.ts';
import { CAPABILITY_SETTINGS } from './settings.generated.ts';
import { MODE_NAMES } from './modes/names.generated.ts';
import { parseSelectors } from './registry/session.ts';
import { path, readNumber, setting, type Setting, text, wholeNumber, yesOrNo } from './flag.ts';
import type { LogSink } from './services.ts';

/** The schemas of a table of settings, by name. */
type Shape<Table extends Readonly<Record<string, Setting>>> = {
  readonly [Name in keyof Table]: ReturnType<Table[Name]['schema']>;
};

function shapeOf<Table extends Readonly<Record<string, Setting>>>(table: Table): Shape<Table> {
  const schemas = Object.entries(table).map(([name, { schema }]) => [name, schema()] as const);
  // Object.fromEntries forgets which schema belongs to which name.
  return Object.fromEntries(schemas) as Shape<Table>;
}

/** A path from here; `firefox` and `firefox:PATH` as they are. */
export const resolveBrowser = (named: string | undefined): string | null =>
  named === undefined ? null : /^firefox(?::|$)/.test(named) ? named : resolve(named);

const WINDOW_SIZE_ERROR = 'It takes a width and a height from 100 to 9999, such as 1280x900';

/** A private browser. On the command line they go with `--launch`. */
export const LAUNCH = {
  /** Without a window. */
  headless: setting({
    flag: '--headless',
    help: 'with --launch: without a window',
    byDefault: false,
    schema: yesOrNo,
  }),
  /** The browser to start: the path of a Chromium or a Firefox, or `firefox`. Default: search for a Chromium. */
  browser: setting({
    flag: '--browser <path>',
    help: 'with --launch: the Chromium or Firefox to start, or firefox to search for one',
    schema: () => text('a path'),
  }),
  /** Width and height of its window in pixels, the window's frame included. */
  windowSize: setting({
    flag: '--window-size <size>',
    help: 'with --launch: width and height of the window in pixels, 100 to 9999 each',
    byDefault: DEFAULT_WINDOW_SIZE,
    schema: () =>
      z.string({ error: WINDOW_SIZE_ERROR }).regex(/^[1-9]\d{2,3}x[1-9]\d{2,3}$/, WINDOW_SIZE_ERROR),
  }),
};

const TOOLS_ERROR = { error: 'It takes a list of names' };

/**
 * Every setting of a server, once: its name, type, default and textual form. Its schema takes a program's
 * value and produces the one for `createApp`. A start reads only the text side: schemas cost it milliseconds,
 * and usually nothing is given.
 */
export const SETTINGS = {
  ...CAPABILITY_SETTINGS,
  /** How tools are presented and executed. The loader knows the modes. */
  mode: setting({
    flag: '--mode <mode>',
    variable: 'SPILLWAY_MODE',
    help: `how tools are presented: ${MODE_NAMES.join(', ')}, or auto: apps where the client shows them`,
    byDefault: 'default',
    schema: () => z.string({ error: 'It takes the name of a mode' }),
  }),
  /** Tools and categories that sessions list. Undefined, or without a word: the default set. */
  tools: setting({
    flag: '--tools <names>',
    variable: 'SPILLWAY_TOOLS',
    help: 'tools and categories that sessions list (comma-separated)',
    read: (words) => parseSelectors(words) ?? [],
    schema: () => z.array(z.string(TOOLS_ERROR), TOOLS_ERROR),
  }),
  home: setting({
    flag: '--home <dir>',
    variable: 'SPILLWAY_HOME',
    help: 'folder of outputs and the journal',
    byDefault: () => resolve(homedir(), '.spillway'),
    schema: () => path('a folder'),
  }),
  /** False: secrets and invisible characters stay in answers and stored outputs. */
  sanitizeContent: setting({
    flag: '--no-sanitize-content',
    help: 'do not redact secrets or remove invisible characters',
    byDefault: true,
    schema: yesOrNo,
  }),
  /** Values for `secret:NAME`, which are redacted wherever they occur. */
  secrets: setting({
    flag: '--secrets <file>',
    variable: 'SPILLWAY_SECRETS',
    help: 'values for secret:NAME, in this dotenv file (0600); they are redacted everywhere',
    schema: () => path('a file'),
  }),
  /** Nonce fences around page text. */
  contentBoundaries: setting({
    flag: '--content-boundaries',
    help: 'mark where page text begins and ends, with a nonce',
    byDefault: false,
    schema: yesOrNo,
  }),
  /** Tokens that each session may receive. Undefined: no bound. */
  budgetTokens: setting({
    flag: '--budget-tokens <tokens>',
    help: 'most tokens of the answers to a session; the person can lift it in the panel',
    read: readNumber,
    schema: () => wholeNumber({ min: 1, max: 1_000_000_000 }),
  }),
  /** A call that takes longer returns a run id. */
  syncWaitMs: setting({
    flag: '--sync-wait-ms <ms>',
    help: 'a call that takes longer returns a run id',
    read: readNumber,
    byDefault: LIMITS.syncWaitMs,
    schema: () => wholeNumber({ min: 0, max: 3_600_000 }),
  }),
  /** How long a browser may take to connect. Undefined: 5 s to show itself, 60 s if it lives but is slow. */
  connectTimeoutMs: setting({
    flag: '--connect-timeout-ms <ms>',
    variable: 'SPILLWAY_CONNECT_TIMEOUT_MS',
    help: 'how long a slow browser or native host may take to connect (default: 60000 while its process lives)',
    read: readNumber,
    schema: () => wholeNumber({ min: 1_000, max: 3_600_000 }),
  }),
  /** Starts a private browser with the first call that needs one. Default: the user's browsers. */
  launch: setting({
    flag: '--launch',
    help: 'start a private browser with the extension on the first call',
    byDefault: null,
    schema: () =>
      z
        .union([z.boolean(), z.strictObject(shapeOf(LAUNCH))], {
          error: 'It takes true, false or { headless, browser, windowSize }',
        })
        .transform((launch) => {
          if (launch === false) return null;
          const settings = launch === true ? z.object(shapeOf(LAUNCH)).parse({}) : launch;
          const { browser, ...others } = settings;
          return { ...others, browserPath: resolveBrowser(browser) };
        }),
  }),
};
type Table = typeof SETTINGS;

export const settingsSchema = (): z.ZodObject<Shape<Table>, z.core.$strict> =>
  z.strictObject(shapeOf(SETTINGS));
export type Settings = Readonly<z.output<ReturnType<typeof settingsSchema>>>;

/** A setting's name at its source, for messages: `--mode`, or `SPILLWAY_MODE`. */
export interface SettingNames {
  readonly home: string;
  readonly mode: string;
  readonly tools: string;
}

/** The settings of a server, their sources, and its log. */
export interface AppOptions extends Settings {
  /** Undefined: the flags. */
  readonly names?: SettingNames | undefined;
  readonly logger: LogSink;
}
