import type { JsonObject } from '../../shared/json.ts';
import type { ActFacts } from '../../shared/policy/ledger-facts.ts';
import type { CallScope } from '../../shared/policy/call-facts.ts';
import type { CleanText } from '../redact/clean.ts';
import type { AskPerson } from './ask-person.ts';
import type { ToolResult } from './result.ts';

/** What a person decided about a call that waits. */
export type PersonDecision =
  | {
      /** The call runs, once. */
      readonly approve: true;
      /** Who decided, and where: the journal and the ledger keep it. */
      readonly by: string;
      /** Replace those of the call, and are validated as they were. */
      readonly args?: JsonObject | undefined;
      /** What the answer of the call says of how it was decided. */
      readonly note?: CleanText | undefined;
    }
  | {
      /** The call is refused with `call_denied`. */
      readonly approve: false;
      readonly by: string;
      /** What the person wrote: the error says it. */
      readonly reason?: string | undefined;
    };

/** A question that a browser raised about a call. */
export interface RaisedQuestion {
  /** `b1:q_…` */
  readonly id: string;
  readonly scope: CallScope;
  /** Shows a question to the person behind the agent's client, where the client can. */
  readonly askPerson?: AskPerson | undefined;
  /** A server before raised it: the ledger may have the decision. */
  readonly isAdopted?: boolean;
}

/** Asks people about calls that a browser's policy does not simply allow (`server/people`). */
export interface People {
  /** Calls whose clients can ask their people say so to the browser (`--approvals client`). */
  readonly asksClients: boolean;
  /** Names the home of the server to browsers. */
  readonly home: string;
  /**
   * Waits for the decision about a question; null when the browser no longer knows of it, so that the call has to be
   * performed again to raise it once more. A signal that aborts withdraws the question.
   * @throws SpillwayError `approval_timeout`, `browser_disconnected`, `ledger_unavailable`, the signal's reason
   */
  decision(question: RaisedQuestion, signal: AbortSignal): Promise<PersonDecision | null>;
  /** Ends a question whose call has ended before it could wait. */
  withdraw(questionId: string): void;
}

/** The acts of calls, as the ledger keeps them (`server/people`). */
export interface ActRecord {
  /** Resolves when the ledger has what is about to happen. @throws SpillwayError `ledger_unavailable` */
  begin(facts: ActFacts): Promise<void>;
  /**
   * Writes how the acts of a call have ended: null where it has none. Resolves soon, with whether the ledger has it; never
   * rejects.
   */
  end(callId: string, result: ToolResult): Promise<boolean> | null;
}
