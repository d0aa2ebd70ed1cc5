import { z } from 'zod';
import { ActFacts, AgentControlFacts, LEDGER_REPORT_METHOD } from '../policy/ledger-report.ts';
import { ANSWER_METHODS, PROGRAM_METHODS, UPSTREAM_METHODS } from './answers.ts';
import { FEED_METHODS } from './feed.ts';
import { BrowserFacts } from './hello.ts';
import { METER_METHODS } from './meter.ts';
import { PICK_METHODS } from './picks.ts';
import { RECORDING_METHODS } from './recordings.ts';

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
  /** A person has named this browser. Servers that connect later learn of it from the host. */
  'browser.named': { params: BrowserFacts.pick({ label: true }), result: z.object({}) },
  ...LEDGER_REPORT_METHOD,
  ...FEED_METHODS,
  ...ANSWER_METHODS,
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
