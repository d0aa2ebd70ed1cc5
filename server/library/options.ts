import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { SpillwayError } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/limits.ts';
import { OutputMode } from '../../shared/output/mode.ts';
import type { Gate } from '../core/gate.ts';
import type { Logger } from '../core/services.ts';
import type { AppOptions } from '../options.ts';

const hasMethods =
  (names: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => typeof Reflect.get(value, name) === 'function');

const folder = z.string().min(1, 'It takes a folder.');

/** `launch: true` is a private Chromium with a window. */
const Launch = z.union([
  z.boolean(),
  z.strictObject({
    /** Without a window. */
    headless: z.boolean().default(false),
    /** The Chromium to start. Default: the one that is found. */
    browser: z.string().min(1).optional(),
  }),
]);

/** Options of `createSpillway`: those of the command line, each with the same default. */
export const SpillwayOptions = z.strictObject({
  /** Where outputs, runs and the journal are kept. Default: `SPILLWAY_HOME`, or `~/.spillway`. */
  home: folder.default(() => process.env['SPILLWAY_HOME'] || join(homedir(), '.spillway')),
  /** How tools are presented and executed. */
  mode: z.string().default('default'),
  /** Tools and categories that sessions list. Default: the default set. */
  tools: z.array(z.string()).optional(),
  /** Starts a private Chromium with the first call that needs one. Default: the browsers of the user. */
  launch: Launch.default(false),
  outputModeDefault: OutputMode.default('inline'),
  outputHandleTtlHours: z.number().min(0).max(87_600).default(LIMITS.outputHandleTtlHours),
  outputHandleSweepIntervalSeconds: z
    .int()
    .min(1)
    .max(86_400)
    .default(LIMITS.outputHandleSweepIntervalSeconds),
  outputPageBytes: z.int().min(256).max(LIMITS.outputFetchBytesMax).default(LIMITS.outputPageBytes),
  outputMaxBytes: z.int().min(1_048_576).default(LIMITS.outputMaxBytes),
  /** False: secrets and invisible characters stay in what is answered and stored. */
  sanitizeContent: z.boolean().default(true),
  /** Nonce fences around the text of pages. */
  contentBoundaries: z.boolean().default(false),
  /** Captures the network of every tab that a session opens or names, from the start. */
  networkCapture: z.boolean().default(false),
  networkBufferBytes: z.int().min(1_048_576).default(LIMITS.networkBufferBytes),
  /** A call that takes longer answers a run id. */
  syncWaitMs: z.int().min(0).max(3_600_000).default(LIMITS.syncWaitMs),
  /** Said of this client in the extension's popup. */
  name: z.string().min(1).max(100).default('library'),
  /** pino's shape. Default: nothing is logged. */
  logger: z
    .custom<Logger>(hasMethods(['debug', 'info', 'warn', 'error']), "It takes a logger of pino's shape.")
    .optional(),
  /** Asked before each call; what it wants a person to allow becomes pending. Default: all may go on. */
  gate: z.custom<Gate>(hasMethods(['check']), 'It takes an object with a method check.').optional(),
});
export type SpillwayOptions = z.input<typeof SpillwayOptions>;

/** What `createSpillway` was given, with every default. */
export interface ParsedOptions {
  readonly app: AppOptions;
  readonly name: string;
  readonly gate: Gate | undefined;
}

/** @throws SpillwayError `invalid_argument` that names each option that does not fit. */
export function parseOptions(options: SpillwayOptions): ParsedOptions {
  const parsed = SpillwayOptions.safeParse(options);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path, message }) => `${path.map(String).join('.') || 'options'}: ${message}`,
    );
    throw new SpillwayError('invalid_argument', `createSpillway: ${problems.join('; ')}.`, {
      hint: 'Correct the named option.',
    });
  }
  const { home, launch, outputHandleTtlHours, outputHandleSweepIntervalSeconds, ...given } = parsed.data;
  const { outputPageBytes, outputMaxBytes, logger = SILENT, name, gate, ...same } = given;
  return {
    name,
    gate,
    app: {
      ...same,
      names: { mode: 'createSpillway: mode', tools: 'createSpillway: tools' },
      home: resolve(home),
      handleTtlHours: outputHandleTtlHours,
      sweepIntervalSeconds: outputHandleSweepIntervalSeconds,
      pageBytes: outputPageBytes,
      maxBytes: outputMaxBytes,
      launch: toLaunch(launch),
      logger,
    },
  };
}

function toLaunch(launch: z.output<typeof Launch>): AppOptions['launch'] {
  if (launch === false) return null;
  if (launch === true) return { headless: false, browserPath: null };
  return { headless: launch.headless, browserPath: launch.browser ?? null };
}

const nothing = (): void => undefined;
const SILENT: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
