import type { JsonObject } from '../../shared/json.ts';
import type { ActFacts } from '../../shared/policy/ledger-report.ts';
import type { CallScope, FlowSource } from '../../shared/policy/call-facts.ts';
import type { AskPerson, ClientSession } from './context.ts';
import type { ToolResult } from './result.ts';
import type { MethodResult } from '../../shared/bridge/methods.ts';
import type { HumanAsk, TakeoverOutcome, TakeoverUntil } from '../../shared/policy/takeover.ts';
import type { BrowserId } from './services.ts';
import type { TabTarget } from './targets.ts';

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

/** The acts of calls, for the ledger (`server/people`). */
export interface ActRecord {
  /** Resolves when the coming act is in the ledger. @throws SpillwayError `ledger_unavailable` */
  begin(facts: ActFacts): Promise<void>;
  /**
   * Writes how a call's acts have ended: null if it has none. Resolves soon, with whether the ledger has it;
   * never rejects.
   */
  end(callId: string, result: ToolResult): Promise<boolean> | null;
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

/** A tab for a person to take over, or a question to them. */
export interface AskedTakeover {
  readonly target: TabTarget | { readonly browser: BrowserId; readonly tabId: null };
  /** Null for a tab. */
  readonly ask: HumanAsk | null;
  readonly message: string;
  readonly until: TakeoverUntil | null;
  readonly limitMs: number;
  readonly call: CallScope;
  /** Aborted when the call's session has ended: then nobody needs the answer. */
  readonly sessionSignal: AbortSignal;
}

export type TakeoverEnd = Omit<MethodResult<'takeover.wait'>, 'outcome'> & {
  readonly outcome: TakeoverOutcome;
};

/** Gives tabs to people for a while (`server/people`). */
export interface Takeovers {
  /**
   * Asks a person, or joins the session's earlier question with the same words about the same tab; null if
   * that has not ended in the time. Aborting the signal withdraws it.
   * @throws SpillwayError `person_has_tab`, `tab_busy`, `human_unreachable` for an extension that is too old,
   *   `human_input_expired`, `ledger_unavailable`, the signal's reason
   */
  takeOver(
    request: AskedTakeover,
    wait: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<TakeoverEnd | null>;
  /** Resolves when the ledger has every end that could be learnt. */
  close(): Promise<void>;
}

/** A call that another server left, with the question that its browser still knows. */
export interface AdoptedCall {
  readonly tool: string;
  readonly args: JsonObject;
  /** `b1:q_…`, by this server's name for the browser. */
  readonly question: string;
  /** From which sites its arguments have text. */
  readonly sources?: readonly FlowSource[] | undefined;
}

/** Calls whose callers left while a browser asked a person: they outlive their server (`server/people`). */
export interface KeptCalls {
  /**
   * Keeps a call for the next server of the home, if its arguments contain no secret. Never rejects: a call
   * that cannot be kept ends with its server. Resolves within a second.
   */
  keep(question: RaisedQuestion, session: ClientSession): Promise<void>;
  /** Resolves once no server can adopt the call: it is about to run. */
  take(callId: string): Promise<void>;
  /** A call has ended without running. Nothing happens once the server is leaving. */
  forget(callId: string): void;
  /** The server is about to stop: the next one takes over its calls, and its questions stay open. */
  leave(): void;
  /**
   * Takes over a call whose server has ended; null for an unknown call, or a call of another client.
   * @throws SpillwayError `approval_expired`, `call_not_pending`, `browser_not_connected`, the signal's
   *   reason
   */
  adopt(callId: string, session: ClientSession, signal: AbortSignal): Promise<AdoptedCall | null>;
}

/**
 * Continues a call that a session left while a person was asked (`Questions.resume`).
 * @throws SpillwayError `call_not_pending` for a call that the session did not leave, or has resumed; `approval_expired`
 */
export type ResumeCall = (
  callId: string,
  how: { readonly session: ClientSession; readonly signal: AbortSignal; readonly timeoutMs: number },
) => Promise<ToolResult>;
