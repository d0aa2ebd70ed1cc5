import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { LIMITS } from '../shared/limits.ts';
import { OutputMode } from '../shared/output/mode.ts';
import { parseSelectors } from './core/selection.ts';

/** How a setting is said where all is text: on the command line and in the environment. */
export interface Flag {
  /** As commander reads it. One without an argument is a switch. */
  readonly flag: string;
  /** Holds where nothing is given. An empty one says nothing, as one that is not set. */
  readonly variable?: string;
  readonly help: string;
  /** The texts it takes, where they are few. */
  readonly choices?: readonly string[];
  /** What its text means, for the schema to judge. Default: the text itself. */
  readonly read?: (text: string) => unknown;
}

/** The text side of each setting that has one. */
export const FLAGS = z.registry<Flag>();

/** Nothing is no number, though `Number` takes it for 0. */
export const readNumber = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

interface Range {
  readonly min: number;
  readonly max?: number;
}

/** A setting that is a whole number, with one sentence about all that it is not. */
export function wholeNumber({ min, max = Number.MAX_SAFE_INTEGER }: Range) {
  const error = `It takes a whole number from ${min} to ${max}`;
  return z.int({ error, abort: true }).min(min, error).max(max, error);
}

function fraction({ min, max }: Required<Range>) {
  const error = `It takes a number from ${min} to ${max}`;
  return z.number({ error }).min(min, error).max(max, error);
}

const text = (what: string) => {
  const error = `It takes ${what}`;
  return z.string({ error }).min(1, error);
};

/** A setting that is one of a few words. */
export const oneOf = <const Word extends string>(words: readonly Word[]) =>
  z.enum(words, { error: `It takes one of ${words.join(', ')}` });

const yesOrNo = () => z.boolean({ error: 'It takes true or false' });

/** A private browser. On the command line these stand beside `--launch`. */
export const LaunchOptions = z.strictObject({
  /** Without a window. */
  headless: yesOrNo().default(false).register(FLAGS, {
    flag: '--headless',
    help: 'with --launch: without a window',
  }),
  /** The Chromium to start. Default: the one that is found. */
  browser: text('a path').optional().register(FLAGS, {
    flag: '--browser <path>',
    help: 'with --launch: the Chromium to start',
  }),
});

const TOOLS_ERROR = { error: 'It takes a list of names' };

/**
 * Every setting of a server, once: its name, what it takes, its default, and how it is said as text.
 * What goes in is what a program writes; what comes out is what `createApp` gets.
 */
export const Settings = z.strictObject({
  /** How tools are presented and executed. Which modes there are is the loader's to say. */
  mode: z.string({ error: 'It takes the name of a mode' }).default('default').register(FLAGS, {
    flag: '--mode <mode>',
    variable: 'SPILLWAY_MODE',
    help: 'how tools are presented',
  }),
  /** Tools and categories that sessions list. Undefined, or without a word: the default set. */
  tools: z
    .array(z.string(TOOLS_ERROR), TOOLS_ERROR)
    .optional()
    .register(FLAGS, {
      flag: '--tools <names>',
      variable: 'SPILLWAY_TOOLS',
      help: 'tools and categories that sessions list, between commas',
      read: (words) => parseSelectors(words) ?? [],
    }),
  /** Where outputs, runs and the journal are kept. */
  home: text('a folder')
    .overwrite((folder) => resolve(folder))
    .default(() => resolve(join(homedir(), '.spillway')))
    .register(FLAGS, {
      flag: '--home <dir>',
      variable: 'SPILLWAY_HOME',
      help: 'where outputs and the journal are kept',
    }),
  /** The `output_mode` of calls that give none. */
  outputModeDefault: oneOf(OutputMode.options).default('inline').register(FLAGS, {
    flag: '--output-mode-default <mode>',
    help: 'output_mode of calls that give none',
    choices: OutputMode.options,
  }),
  /** How long a handle lives; 0 is expired at once. */
  outputHandleTtlHours: fraction({ min: 0, max: 87_600 })
    .default(LIMITS.outputHandleTtlHours)
    .register(FLAGS, {
      flag: '--output-handle-ttl-hours <hours>',
      help: 'how long a handle lives (0: expired at once)',
      read: readNumber,
    }),
  /** How often expired handles are removed. */
  outputHandleSweepIntervalSeconds: wholeNumber({ min: 1, max: 86_400 })
    .default(LIMITS.outputHandleSweepIntervalSeconds)
    .register(FLAGS, {
      flag: '--output-handle-sweep-interval-seconds <seconds>',
      help: 'how often expired handles are removed',
      read: readNumber,
    }),
  /** Serialised content of one page. */
  outputPageBytes: wholeNumber({ min: 256, max: LIMITS.outputFetchBytesMax })
    .default(LIMITS.outputPageBytes)
    .register(FLAGS, {
      flag: '--output-page-bytes <bytes>',
      help: 'serialised content of one page of oc_output_fetch',
      read: readNumber,
    }),
  /** Size of the store; the oldest handles go first. */
  outputMaxBytes: wholeNumber({ min: 1_048_576 }).default(LIMITS.outputMaxBytes).register(FLAGS, {
    flag: '--output-max-bytes <bytes>',
    help: 'size of the store; the oldest handles go first',
    read: readNumber,
  }),
  /** False: secrets and invisible characters stay in what is answered and stored. */
  sanitizeContent: yesOrNo().default(true).register(FLAGS, {
    flag: '--no-sanitize-content',
    help: 'do not redact secrets or remove invisible characters',
  }),
  /** Nonce fences around the text of pages. */
  contentBoundaries: yesOrNo().default(false).register(FLAGS, {
    flag: '--content-boundaries',
    help: 'put nonce fences around page text',
  }),
  /** Captures the network of every tab that a client opens or names, from the start. */
  networkCapture: yesOrNo()
    .default(false)
    .register(FLAGS, {
      flag: '--network-capture <state>',
      help: "capture the network of a client's tabs from the start",
      choices: ['on', 'off'],
      read: (state) => state === 'on',
    }),
  /** Ring of captured requests of a client; the oldest go first. */
  networkBufferBytes: wholeNumber({ min: 1_048_576 }).default(LIMITS.networkBufferBytes).register(FLAGS, {
    flag: '--network-buffer-bytes <bytes>',
    help: 'ring of captured requests of a client; the oldest go first',
    read: readNumber,
  }),
  /** A call that takes longer answers a run id. */
  syncWaitMs: wholeNumber({ min: 0, max: 3_600_000 }).default(LIMITS.syncWaitMs).register(FLAGS, {
    flag: '--sync-wait-ms <ms>',
    help: 'a call that takes longer answers a run id',
    read: readNumber,
  }),
  /** Starts a private Chromium with the first call that needs one. Default: the browsers of the user. */
  launch: z
    .union([z.boolean(), LaunchOptions], { error: 'It takes true, false or { headless, browser }' })
    .default(false)
    .transform((launch) => {
      if (launch === false) return null;
      const { headless, browser = null } = launch === true ? LaunchOptions.parse({}) : launch;
      return { headless, browserPath: browser };
    })
    .register(FLAGS, {
      flag: '--launch',
      help: 'start a private Chromium with the extension on the first call',
    }),
});
export type Settings = Readonly<z.output<typeof Settings>>;
