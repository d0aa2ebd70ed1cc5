import type { Clock, Logger } from './services.ts';

/** What one client session remembers between calls. One per MCP session. */
export interface ClientSession {
  readonly id: string;
  /** Tab that `navigate` opened or the client named last, or null: `b1:42`. */
  currentTab: string | null;
  /** Every tab that the client opened or named by its id, and that has not been found gone. */
  readonly tabs: Set<string>;
}

/** A session that has seen no tab yet. */
export function createSession(id: string): ClientSession {
  return { id, currentTab: null, tabs: new Set() };
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
  readonly logger: Logger;
  readonly clock: Clock;
  /** Runs when the call has ended, however it ended; failures are logged only. */
  readonly registerAfterCompletion: (task: () => void | Promise<void>) => void;
}
