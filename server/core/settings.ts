import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { LIMITS, DEFAULT_WINDOW_SIZE } from '../../shared/base/limits.ts';
import { SITES_APART } from './flows.ts';
import { APPROVALS } from './people.ts';
import { SELECTION_STRATEGIES } from './registry/selector.ts';
import { OutputMode } from '../../shared/core/descriptor.ts';
import { MODE_NAMES } from './modes/names.generated.ts';
import { isSite, MAX_SITES } from '../../shared/core/policy/sites.ts';
import { parseSelectors } from './registry/session.ts';
import { fraction, oneOf, readNumber, setting, type Setting, text, wholeNumber, yesOrNo } from './flag.ts';
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

const path = (what: string) => text(what).overwrite((given) => resolve(given));

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

const SITES_ERROR = 'It takes a list of sites such as example.com, https://example.com:8443 or @banking';

const readSites = (said: string): readonly string[] =>
  said.split(',').flatMap((site) => (site.trim() === '' ? [] : [site.trim()]));

const sites = () =>
  z
    .array(z.string(SITES_ERROR).refine(isSite, SITES_ERROR), SITES_ERROR)
    .max(MAX_SITES, `It takes at most ${MAX_SITES} sites`);

const UPSTREAM_ERROR = { error: 'It takes id=command or id=https://…' };

const QUEUE_ERROR = 'It takes redis://host:port or rediss://host:port, with a user but without a password';
const QUEUE_URL = /^rediss?:\/\/(?:[^\s:@/]+@)?(?:\[[\da-f:.]+\]|[^\s:@/?#]+)(?::\d{1,5})?(?:\/\d{0,3})?$/i;

const TOOLS_ERROR = { error: 'It takes a list of names' };

/**
 * Every setting of a server, once: its name, type, default and textual form. Its schema takes a program's
 * value and produces the one for `createApp`. A start reads only the text side: schemas cost it milliseconds,
 * and usually nothing is given.
 */
export const SETTINGS = {
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
  /** How `find_tools` chooses tools for a query. */
  toolSelection: setting({
    flag: '--tool-selection <strategy>',
    help: 'how find_tools chooses: by words, by the model of the client (sampling), or by both',
    choices: SELECTION_STRATEGIES,
    byDefault: 'keyword',
    schema: () => oneOf(SELECTION_STRATEGIES),
  }),
  home: setting({
    flag: '--home <dir>',
    variable: 'SPILLWAY_HOME',
    help: 'folder of outputs and the journal',
    byDefault: () => resolve(homedir(), '.spillway'),
    schema: () => path('a folder'),
  }),
  /** The `output_mode` of calls that give none. */
  outputModeDefault: setting({
    flag: '--output-mode-default <mode>',
    help: 'output_mode of calls that pass none',
    choices: OutputMode.options,
    byDefault: 'inline',
    schema: () => oneOf(OutputMode.options),
  }),
  /** How long a handle lives; 0 expires at once. */
  outputHandleTtlHours: setting({
    flag: '--output-handle-ttl-hours <hours>',
    help: 'lifetime of a handle (0: expires immediately)',
    read: readNumber,
    byDefault: LIMITS.outputHandleTtlHours,
    schema: () => fraction({ min: 0, max: 87_600 }),
  }),
  outputHandleSweepIntervalSeconds: setting({
    flag: '--output-handle-sweep-interval-seconds <seconds>',
    help: 'interval at which expired handles are removed',
    read: readNumber,
    byDefault: LIMITS.outputHandleSweepIntervalSeconds,
    schema: () => wholeNumber({ min: 1, max: 86_400 }),
  }),
  outputPageBytes: setting({
    flag: '--output-page-bytes <bytes>',
    help: 'size of one page of oc_output_fetch',
    read: readNumber,
    byDefault: LIMITS.outputPageBytes,
    schema: () => wholeNumber({ min: 256, max: LIMITS.outputFetchBytesMax }),
  }),
  /** Size of the store; the oldest handles are removed first. */
  outputMaxBytes: setting({
    flag: '--output-max-bytes <bytes>',
    help: 'size of the store; the oldest handles are removed first',
    read: readNumber,
    byDefault: LIMITS.outputMaxBytes,
    schema: () => wholeNumber({ min: 1_048_576 }),
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
  /** Folders that files may be uploaded from. Undefined: none. */
  uploadRoot: setting({
    flag: '--upload-root <folder>',
    help: 'a folder that files may be uploaded from; can be repeated',
    read: (folder) => [folder],
    schema: () => z.array(path('a folder'), { error: 'It takes a list of folders' }),
  }),
  /** The folder that stored outputs may be saved to. Undefined: none. */
  downloadRoot: setting({
    flag: '--download-root <folder>',
    help: 'the folder to which output_keep and downloads may save files',
    schema: () => path('a folder'),
  }),
  /**
   * The file of upstreams: other servers whose tools are offered too. Undefined: `spillway.json` in the home,
   * if present.
   */
  config: setting({
    flag: '--config <file>',
    variable: 'SPILLWAY_CONFIG',
    help: 'the file of upstreams (default: spillway.json in the home)',
    schema: () => path('a file'),
  }),
  /** Upstreams in addition to those of the file. */
  upstream: setting({
    flag: '--upstream <id=target>',
    help: 'another MCP server whose tools are offered too: id=command args, or id=https://…; can be repeated',
    read: (target) => [target],
    schema: () =>
      z.array(z.string(UPSTREAM_ERROR).regex(/^[\w-]{1,32}=\s*\S/, UPSTREAM_ERROR), UPSTREAM_ERROR),
  }),
  /** The only sites that calls of this server may touch. Undefined: all that the person's rules permit. */
  allowedSites: setting({
    flag: '--allowed-sites <sites>',
    variable: 'SPILLWAY_ALLOWED_SITES',
    help: 'sites that calls may touch, and no others (comma-separated)',
    read: readSites,
    schema: sites,
  }),
  /** Sites that no call of this server touches. */
  deniedSites: setting({
    flag: '--denied-sites <sites>',
    variable: 'SPILLWAY_DENIED_SITES',
    help: 'sites that no call may touch (comma-separated)',
    read: readSites,
    schema: sites,
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
  approvals: setting({
    flag: '--approvals <mode>',
    help: 'who is asked where the policy of a browser says so: people in the panel or at their client, or nobody',
    choices: APPROVALS,
    byDefault: 'panel',
    schema: () => oneOf(APPROVALS),
  }),
  /** Whether text of a private site needs a yes for another site only where it is found, or always. */
  sitesApart: setting({
    flag: '--sites-apart <mode>',
    help: 'when text of one site may not come to another without a person: where it is found, or after any private site was read',
    choices: SITES_APART,
    byDefault: 'ask',
    schema: () => oneOf(SITES_APART),
  }),
  networkCapture: setting({
    flag: '--network-capture <state>',
    help: "capture network traffic of a client's tabs from the start",
    choices: ['on', 'off'],
    read: (state) => state === 'on',
    byDefault: false,
    schema: yesOrNo,
  }),
  /** Ring of a client's captured requests; the oldest are removed first. */
  networkBufferBytes: setting({
    flag: '--network-buffer-bytes <bytes>',
    help: 'captured requests kept per client; the oldest are dropped first',
    read: readNumber,
    byDefault: LIMITS.networkBufferBytes,
    schema: () => wholeNumber({ min: 1_048_576 }),
  }),
  /** A larger captured body is counted, not kept. */
  networkBodyBytes: setting({
    flag: '--network-body-bytes <bytes>',
    help: 'largest captured body or message that is kept, up to 16 MiB',
    read: readNumber,
    byDefault: LIMITS.networkBodyBytes,
    schema: () => wholeNumber({ min: 1_024, max: LIMITS.networkBodyBytesMax }),
  }),
  /** Signs evidence bundles. */
  evidenceKey: setting({
    flag: '--evidence-key <file>',
    help: 'sign evidence bundles with the private key in this PEM file (0600)',
    schema: () => path('a file'),
  }),
  /** The time-stamp authority for evidence bundles. It may contain a password. */
  evidenceTimestampUrl: setting({
    flag: '--evidence-timestamp-url <url>',
    variable: 'SPILLWAY_EVIDENCE_TIMESTAMP_URL',
    help: 'have evidence bundles time-stamped by the RFC 3161 authority at this address',
    schema: () => z.url({ protocol: /^https?$/, error: 'It takes an http or https address' }),
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
  /** Redis or Valkey, through which `spillway worker` gets pages. Undefined: they are read here. */
  queue: setting({
    flag: '--queue <url>',
    variable: 'SPILLWAY_QUEUE',
    help: 'Redis or Valkey through which spillway worker reads pages: redis://… or rediss://…',
    schema: () => z.string({ error: QUEUE_ERROR }).regex(QUEUE_URL, QUEUE_ERROR),
  }),
  queuePasswordFile: setting({
    flag: '--queue-password-file <file>',
    variable: 'SPILLWAY_QUEUE_PASSWORD_FILE',
    help: 'with --queue: the file (0600) with its password',
    schema: () => path('a file'),
  }),
  queueKeyFile: setting({
    flag: '--queue-key-file <file>',
    variable: 'SPILLWAY_QUEUE_KEY_FILE',
    help: 'the file (0600) with the key that home and workers share (default: queue/key in the home)',
    schema: () => path('a file'),
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
