import type { z } from 'zod';
import { ActFacts } from '../policy/ledger-facts.ts';

/**
 * The parameters of every RPC method, worker → server, which both ends check. Since wire version 2. An answer says
 * only that it is done.
 */
export const SERVER_METHODS = {
  /** Writes what is about to happen to the ledger. Without an answer that it is on disk, nothing happens. */
  'ledger.append': ActFacts,
} as const;

export type ServerMethodName = keyof typeof SERVER_METHODS;
export type ServerMethodParams<M extends ServerMethodName> = z.infer<(typeof SERVER_METHODS)[M]>;

/** One entry per method. */
export type ServerMethods = {
  readonly [M in ServerMethodName]: (params: ServerMethodParams<M>, signal: AbortSignal) => Promise<void>;
};
