import { inspect } from 'node:util';
import { z } from 'zod';
import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import type { Gate } from '../core/calls/prepare.ts';
import type { OutputMode } from '../../shared/core/descriptor.ts';
import type { SelectionStrategy, ToolSelector } from '../core/registry/selector.ts';
import type { LogSink } from '../core/services.ts';
import { LAUNCH, SETTINGS, settingsSchema, type AppOptions } from '../core/settings.ts';
import { yesOrNo, type Setting } from '../core/flag.ts';
import { isObject } from '../../shared/base/json.ts';

const hasMethods =
  (names: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => typeof Reflect.get(value, name) === 'function');

const NAME_ERROR = 'It takes 1 to 100 characters';

/** A private Chromium, which starts with the first call that needs a browser. */
export interface LaunchOptions {
  /** Without a window. Default: false. */
  readonly headless?: boolean | undefined;
  /** Path of the Chromium to start. Default: search for one. */
  readonly browser?: string | undefined;
  /** Width and height of the window in pixels, its frame included: 100 to 9999 each. Default: `1280x900`. */
  readonly windowSize?: string | undefined;
}

/** Options of `createSpillway`: the settings of a server, and options for programs only. */
export interface SpillwayOptions {
  /** Shown for this client in the extension's popup: 1 to 100 characters. Default: `library`. */
  readonly name?: string | undefined;
  /** How tools are presented and executed. Default: `SPILLWAY_MODE`, or `default`. */
  readonly mode?: string | undefined;
  /** Tools and categories that sessions list. Default: `SPILLWAY_TOOLS`, or the default set. */
  readonly tools?: readonly string[] | undefined;
  /** How `find_tools` chooses for clients that offer a model: programs use `toolSelector`. Default: `keyword`. */
  readonly toolSelection?: SelectionStrategy | undefined;
  /** Folder of outputs, runs and the journal. Default: `SPILLWAY_HOME`, or `~/.spillway`. */
  readonly home?: string | undefined;
  /** The `output_mode` of calls that pass none. Default: `inline`. */
  readonly outputModeDefault?: OutputMode | undefined;
  /** Lifetime of a handle in hours: 0 to 87,600, fractions allowed; 0 expires at once. Default: 24. */
  readonly outputHandleTtlHours?: number | undefined;
  /** Seconds between two removals of expired handles: 1 to 86,400. Default: 300. */
  readonly outputHandleSweepIntervalSeconds?: number | undefined;
  /** Bytes of content in one page of `oc_output_fetch`: 256 or more. Default: 32,768. */
  readonly outputPageBytes?: number | undefined;
  /** Bytes of the store, 1 MiB or more; the oldest handles are removed first. Default: 4 GiB. */
  readonly outputMaxBytes?: number | undefined;
  /** False leaves secrets and invisible characters in answers and stored outputs. Default: true. */
  readonly sanitizeContent?: boolean | undefined;
  /**
   * dotenv file (0600) with values for `secret:NAME`, which are redacted everywhere. Default:
   * `SPILLWAY_SECRETS`, or none.
   */
  readonly secrets?: string | undefined;
  /** Folders that files may be uploaded from. Default: none. */
  readonly uploadRoot?: readonly string[] | undefined;
  /** The folder that `output_keep` may save stored outputs to. Default: none. */
  readonly downloadRoot?: string | undefined;
  /** The file of upstreams. Default: `SPILLWAY_CONFIG`, or `spillway.json` in the home, if present. */
  readonly config?: string | undefined;
  /** More upstreams: `id=command args`, or `id=https://…`. */
  readonly upstream?: readonly string[] | undefined;
  /** The only sites that calls may touch: `example.com`, `https://example.com:8443`, `@banking`. */
  readonly allowedSites?: readonly string[] | undefined;
  /** Sites that no call may touch. */
  readonly deniedSites?: readonly string[] | undefined;
  /** Marks where page text begins and ends, with a nonce. Default: false. */
  readonly contentBoundaries?: boolean | undefined;
  /** Captures the network of this client's tabs from the start. Default: false. */
  readonly networkCapture?: boolean | undefined;
  /**
   * Who decides when a browser's policy asks: people in the panel, people at their client, or nobody. A
   * program's calls have no client, so `client` works like `panel`. Default: `panel`.
   */
  readonly approvals?: 'panel' | 'client' | 'deny' | undefined;
  /** Tokens that each session may receive; then calls return `budget_exceeded`. Default: no bound. */
  readonly budgetTokens?: number | undefined;
  /** Bytes of captured requests kept, 1 MiB or more; the oldest are dropped first. Default: 256 MiB. */
  readonly networkBufferBytes?: number | undefined;
  /** Largest captured body or message that is kept, 1 KiB to 16 MiB. Default: 2 MiB. */
  readonly networkBodyBytes?: number | undefined;
  /** PEM file (0600) of the private key that signs evidence bundles. Default: they are not signed. */
  readonly evidenceKey?: string | undefined;
  /** Address of the RFC 3161 authority that time-stamps evidence bundles. Default: they are not time-stamped. */
  readonly evidenceTimestampUrl?: string | undefined;
  /** Milliseconds after which a call returns a run id instead: 0 to 3,600,000. Default: 45,000. */
  readonly syncWaitMs?: number | undefined;
  /** Milliseconds that a slow browser or native host may take to connect: 1,000 to 3,600,000. Default: 60,000 while its process lives. */
  readonly connectTimeoutMs?: number | undefined;
  /** Redis or Valkey through which workers read pages: `rediss://host:port`. Default: `SPILLWAY_QUEUE`, or none. */
  readonly queue?: string | undefined;
  /** The file (0600) with its password. Default: `SPILLWAY_QUEUE_PASSWORD_FILE`, or none. */
  readonly queuePasswordFile?: string | undefined;
  /** The file (0600) with the key that the server and its workers share. Default: `SPILLWAY_QUEUE_KEY_FILE`, or `queue/key` in the home. */
  readonly queueKeyFile?: string | undefined;
  /** Starts a private Chromium instead of using the user's browsers. Default: false. */
  readonly launch?: boolean | LaunchOptions | undefined;
  /** pino's shape; its lines are redacted. Default: nothing is logged. */
  readonly logger?: LogSink | undefined;
  /** Called before each call; calls that need approval become pending. Default: all calls may run. */
  readonly gate?: Gate | undefined;
  /**
   * Chooses tools in `find_tools` and `select`: made with `createToolSelector`, or your own. Default: by
   * words.
   */
  readonly toolSelector?: ToolSelector | undefined;
  /** Methods of `tools` throw the `SpillwayError` of a failed call. Default: false, they return it. */
  readonly throwOnError?: boolean | undefined;
}

/** Validates {@link SpillwayOptions}. */
export const OptionsSchema = z.strictObject({
  ...settingsSchema().shape,
  name: z.string({ error: NAME_ERROR }).min(1, NAME_ERROR).max(100, NAME_ERROR).default('library'),
  logger: z
    .custom<LogSink>(hasMethods(['debug', 'info', 'warn', 'error']), "It takes a logger of pino's shape")
    .optional(),
  gate: z.custom<Gate>(hasMethods(['check']), 'It takes an object with a method check').optional(),
  toolSelector: z
    .custom<ToolSelector>(hasMethods(['select']), 'It takes an object with a method select')
    .optional(),
  throwOnError: yesOrNo().optional(),
});

/**
 * The given option applies, then the environment variable, then the default.
 * @throws SpillwayError `invalid_argument` that names each invalid option or variable.
 */
export function parseOptions(
  options: SpillwayOptions,
): { readonly app: AppOptions } & Pick<z.output<typeof OptionsSchema>, 'name' | 'gate' | 'throwOnError'> {
  const { input, variables } = withEnvironment(options);
  const parsed = OptionsSchema.safeParse(input);
  const nameOf = (key: string): string => variables.get(key) ?? key;
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => {
      const [first, ...rest] = path.map(String);
      return `${first === undefined ? 'options' : [nameOf(first), ...rest].join('.')}: ${message}`;
    });
    throw invalidArgument(`createSpillway: ${problems.join('; ')}.`, 'Correct the named option.');
  }
  // Sessions use the given selector.
  const { name, gate, toolSelector: _selector, throwOnError, logger = SILENT, ...settings } = parsed.data;
  const names = {
    home: `createSpillway: ${nameOf('home')}`,
    mode: `createSpillway: ${nameOf('mode')}`,
    tools: `createSpillway: ${nameOf('tools')}`,
  };
  return { name, gate, throwOnError, app: { ...settings, names, logger } };
}

/** The schema refuses anything but an options object. */
function withEnvironment(options: unknown) {
  /** Option → the variable that it was read from. */
  const variables = new Map<string, string>();
  if (!isObject(options)) return { input: options, variables };
  const input: Record<string, unknown> = { ...options };
  for (const [key, { variable, read = String }] of Object.entries<Setting>(SETTINGS)) {
    const text = variable === undefined ? undefined : process.env[variable];
    if (variable === undefined || text === undefined || text === '' || input[key] !== undefined) continue;
    input[key] = read(text);
    variables.set(key, variable);
  }
  return { input, variables };
}

const camelCase = (words: string): string =>
  words.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A message that names options instead of command-line flags; commands in backquotes stay. */
export const nameOptions = (text: string): string =>
  text.replaceAll(/`[^`]*`|--([a-z-]+)/g, (found, flag: string | undefined) => {
    const key = camelCase(flag ?? '');
    if (key in LAUNCH) return `launch.${key}`;
    return key in SETTINGS ? key : found;
  });

const ignore = (): void => undefined;
const SILENT: LogSink = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/**
 * Makes a coded error start at the caller of `door`, and print as message, hint with code, and the calling
 * line: an uncaught one shows the program's mistake, not our code. A bug of ours keeps its stack.
 */
export function atCaller(thrown: unknown, door: (...args: never[]) => unknown): unknown {
  if (!(thrown instanceof SpillwayError) || thrown.code === 'internal_error') return thrown;
  Error.captureStackTrace(thrown, door);
  const { name, message, hint, code, stack = '' } = thrown;
  const caller = stack.split('\n').find((line) => /^\s+at /.test(line));
  const lines = [`${name}: ${message}`, `  ${hint} (${code})`, ...(caller === undefined ? [] : [caller])];
  Object.defineProperty(thrown, inspect.custom, { value: () => lines.join('\n') });
  return thrown;
}
