import { z } from 'zod';
import { ActFacts, AgentControlFacts, LEDGER_REPORT_METHOD } from '../../ledger/report.ts';
import { ANSWER_METHODS, PROGRAM_METHODS, UPSTREAM_METHODS } from './answers.ts';
import { FEED_METHODS } from '../feed.ts';
import { BrowserFacts } from './hello.ts';
import { INPUT_METHODS } from './input-methods.ts';
import { METER_METHODS } from '../meter.ts';
import { isObject, type JsonObject } from '../../base/json.ts';

const Size = z.number().min(0).max(10_000_000);

/** An element that a person has pointed at, for one session of an agent. */
export const Pick = z.object({
  /** The browser's id of the tab. */
  tab_id: z.int(),
  url: z.string().max(10_000),
  title: z.string().max(1_000),
  /** Shown to the session: it may act on it. */
  ref: z.string().max(100),
  role: z.string().max(100),
  name: z.string().max(300),
  /** In the viewport of its document, in CSS pixels. */
  box: z.object({ x: z.number(), y: z.number(), width: Size, height: Size }),
  /** WebP in base64, with secret fields painted over; null if the browser could not take it. */
  picture: z.string().max(100_000).nullable(),
  /** The person's sentence; empty without one. */
  said: z.string().max(1_000),
});
export type Pick = z.infer<typeof Pick>;

export const PICK_METHODS = {
  /** Gives a session what a person has pointed at. */
  'picks.add': {
    params: z.object({ session: z.string().min(1).max(128), pick: Pick }),
    result: z.object({}),
  },
} as const;

export const RECORDING_METHODS = {
  /** Tells which texts of a person's recording redaction would change. */
  'recordings.screen': {
    params: z.object({
      texts: z
        .array(
          z.object({
            /** The name of its field; empty without one. */
            label: z.string().max(2_000),
            text: z.string().max(20_000),
          }),
        )
        .max(300),
    }),
    result: z.object({ secret: z.array(z.boolean()) }),
  },
  /** Saves the recipe that a person has recorded. */
  'recordings.keep': {
    params: z.object({
      /** Of a recipe: saving checks it. */
      definition: z.custom<JsonObject>((value) => isObject(value)),
    }),
    result: z.object({ name: z.string() }),
  },
} as const;

/**
 * Every RPC method, worker → server, with its parameters and its result, which both ends check. Since wire
 * version 2. A server that lacks one answers `api_not_found`.
 */
export const SERVER_METHODS = {
  /** Writes a coming act to the ledger. Nothing is done before the line is on disk. */
  'ledger.append': { params: ActFacts, result: z.object({}) },
  /**
   * Writes to the ledger that a person has stopped, paused or resumed an agent. The worker has already done
   * it.
   */
  'agents.control': { params: AgentControlFacts, result: z.object({}) },
  /** The value of a secret that an act is about to type, by its key in the act. */
  'secrets.take': {
    params: z.object({
      key: z.string().max(64),
      /** How long it may take: a vault may ask a person. */
      wait_ms: z.int().min(0).max(120_000),
    }),
    result: z.object({ value: z.string().max(5_000) }),
  },
  /** Names of files that a person is about to give a page, and that the call does not name: no answer has them. */
  'files.chosen': {
    params: z.object({ names: z.array(z.string().max(300)).max(100) }),
    result: z.object({}),
  },
  /** A person has named this browser. Servers that connect later learn of it from the host. */
  'browser.named': { params: BrowserFacts.pick({ label: true }), result: z.object({}) },
  ...LEDGER_REPORT_METHOD,
  ...FEED_METHODS,
  ...ANSWER_METHODS,
  ...INPUT_METHODS,
  ...PROGRAM_METHODS,
  ...METER_METHODS,
  ...PICK_METHODS,
  ...RECORDING_METHODS,
  ...UPSTREAM_METHODS,
} as const;

export type ServerMethodName = keyof typeof SERVER_METHODS;
/** In the worker's form: members with a default may be omitted. */
export type ServerMethodInput<M extends ServerMethodName> = z.input<(typeof SERVER_METHODS)[M]['params']>;
type ServerMethodParams<M extends ServerMethodName> = z.infer<(typeof SERVER_METHODS)[M]['params']>;
export type ServerMethodResult<M extends ServerMethodName> = z.infer<(typeof SERVER_METHODS)[M]['result']>;

/** The id of the browser, for methods that name its tabs: `b1`. */
type Asking<M extends ServerMethodName> = M extends keyof typeof PICK_METHODS ? [browser: `b${number}`] : [];

/** One entry per method. */
export type ServerMethods = {
  readonly [M in ServerMethodName]: (
    params: ServerMethodParams<M>,
    signal: AbortSignal,
    ...browser: Asking<M>
  ) => Promise<ServerMethodResult<M>>;
};
