import type { JsonObject } from '../../shared/base/json.ts';
import type { CallScope } from '../../shared/core/policy/call-facts.ts';
import type { AskPerson, ClientSession } from './context.ts';
import type { ToolResult } from './result.ts';

/**
 * Who decides about a call that a browser's policy does not simply allow: people in the browser, people at
 * their agent's client if the browser permits that, or nobody.
 */
export const APPROVALS = ['panel', 'client', 'deny'] as const;
export type ApprovalsMode = (typeof APPROVALS)[number];

export type PersonDecision =
  | {
      /** The call runs, once. */
      readonly approve: true;
      /** Who decided, and where, for the journal and the ledger. */
      readonly by: string;
      /** Replace the call's own, and are validated like them. */
      readonly args?: JsonObject | undefined;
    }
  | {
      /** The call is refused with `call_denied`. */
      readonly approve: false;
      readonly by: string;
      /** The error's message has it. */
      readonly reason?: string | undefined;
    };

/** A question that a browser raised about a call. */
export interface RaisedQuestion {
  /** `b1:q_…` */
  readonly id: string;
  readonly scope: CallScope;
  /** Shows a question to the person behind the agent's client, if the client can. */
  readonly askPerson?: AskPerson | undefined;
  /** An earlier server raised it: the ledger may have the decision. */
  readonly isAdopted?: boolean;
}

/** Asks people about calls that a browser's policy does not simply allow (`server/people`). */
export interface People {
  /** Calls whose clients can ask their people tell the browser so (`--approvals client`). */
  readonly asksClients: boolean;
  /** Names the home of the server to browsers. */
  readonly home: string;
  /**
   * Waits for the decision about a question; null if the browser no longer knows it, so that the call has to
   * be performed again to raise it once more. Aborting the signal withdraws the question.
   * @throws SpillwayError `approval_timeout`, `browser_disconnected`, `ledger_unavailable`, the signal's
   *   reason
   */
  decision(question: RaisedQuestion, signal: AbortSignal): Promise<PersonDecision | null>;
  /** Ends a question whose call ended before it could wait. */
  withdraw(questionId: string): void;
}

/** A change by a person at a browser. */
export interface PersonChange {
  readonly kind:
    | 'run_cancelled'
    | 'run_resumed'
    | 'output_deleted'
    | 'output_kept'
    | 'output_released'
    | 'recipe_recorded'
    | 'upstream_accepted';
  /** Id of the run or of the upstream, the handle, or the recipe's name. */
  readonly subject: string;
  /** The tool that made it. */
  readonly tool?: string | undefined;
}

/**
 * Continues a call that a session left while a person was asked (`Questions.resume`).
 * @throws SpillwayError `call_not_pending` for a call that the session did not leave, or has resumed; `approval_expired`
 */
export type ResumeCall = (
  callId: string,
  how: { readonly session: ClientSession; readonly signal: AbortSignal; readonly timeoutMs: number },
) => Promise<ToolResult>;
