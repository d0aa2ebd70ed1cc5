import type { OutputMode } from '../../shared/output/mode.ts';
import type { Clock, Logger } from './services.ts';

/** What one client session remembers between calls. One per MCP session. */
export interface ClientSession {
  readonly id: string;
  /** Aborted when the client has gone: what is kept for it can go too. */
  readonly signal: AbortSignal;
  /** Tab that `navigate` opened or the client named last, or null: `b1:42`. */
  currentTab: string | null;
  /** Every tab that the client opened or named by its id, and that has not been found gone. */
  readonly tabs: Set<string>;
}

/** A session that has seen no tab yet. `signal` defaults to one that never aborts. */
export function createSession(id: string, signal: AbortSignal = new AbortController().signal): ClientSession {
  return { id, signal, currentTab: null, tabs: new Set() };
}

/** A step of a long call, for progress notifications. */
export interface Progress {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

/** What a runtime gets beside its arguments. */
export interface CallContext {
  readonly callId: string;
  readonly session: ClientSession;
  /** Aborted by the client's cancel, the transport's end, or the server's. Its reason says who. */
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
  /** How the payload will be delivered, for tools whose answer depends on it. */
  readonly output: { readonly mode: OutputMode; readonly inlineLimitBytes: number };
  readonly logger: Logger;
  readonly clock: Clock;
  /** Runs when the call has ended, however it ended; failures are logged only. */
  readonly registerAfterCompletion: (task: () => void | Promise<void>) => void;
}
