import type { JsonObject } from '../../shared/json.ts';
import type { ClientSession } from './context.ts';
import type { RaisedQuestion } from './services.ts';

/** A call that another server left, with the question that its browser still knows. */
export interface AdoptedCall {
  readonly tool: string;
  readonly args: JsonObject;
  /** `b1:q_…`, by this server's name of the browser. */
  readonly question: string;
}

/** Calls whose callers left while a browser asked a person: they outlive their server (`server/people`). */
export interface KeptCalls {
  /**
   * Keeps a call for the next server of the home, where its arguments hold no secret. Never rejects: a call that cannot
   * be kept ends with its server. Resolves within a second.
   */
  keep(question: RaisedQuestion, session: ClientSession): Promise<void>;
  /** Resolves when no server can adopt the call any longer: it is about to be performed. */
  take(callId: string): Promise<void>;
  /** A call has come to its end without being performed. Nothing happens once the server is leaving. */
  forget(callId: string): void;
  /** The server is about to stop: what it keeps is for the next one, and its questions stay open. */
  leave(): void;
  /**
   * Takes over a call whose server has gone; null for one that is not known, or is another client's.
   * @throws SpillwayError `approval_expired`, `call_not_pending`, `browser_not_connected`, the signal's reason
   */
  adopt(callId: string, session: ClientSession, signal: AbortSignal): Promise<AdoptedCall | null>;
}
