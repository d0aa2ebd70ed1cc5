import type { MethodResult } from '../../shared/bridge/methods.ts';
import type { CallScope } from '../../shared/policy/call-facts.ts';
import type { HumanAsk, TakeoverOutcome, TakeoverUntil } from '../../shared/policy/takeover.ts';
import type { BrowserId } from './services.ts';
import type { TabTarget } from './targets.ts';

/** A tab that a person is asked to take over, or a question to them. */
export interface AskedTakeover {
  readonly target: TabTarget | { readonly browser: BrowserId; readonly tabId: null };
  /** What is asked in place of a tab; null for a tab. */
  readonly ask: HumanAsk | null;
  /** What they are to do, in the agent's words. */
  readonly message: string;
  readonly until: TakeoverUntil | null;
  readonly limitMs: number;
  readonly call: CallScope;
  /** Aborted when the session of the call has ended: nobody needs the answer then. */
  readonly sessionSignal: AbortSignal;
}

/** How a person's take-over of a tab ended. */
export type TakeoverEnd = Omit<MethodResult<'takeover.wait'>, 'outcome'> & {
  readonly outcome: TakeoverOutcome;
};

/** Gives tabs to people for a while (`server/people`). */
export interface Takeovers {
  /**
   * Asks a person, or joins what the session has asked with the same words about the same tab; null when that has not
   * ended in the time. A signal that aborts takes it back.
   * @throws SpillwayError `person_has_tab`, `tab_busy`, `human_unreachable` for an extension that is too old,
   * `human_input_expired`, `ledger_unavailable`, the signal's reason
   */
  takeOver(
    request: AskedTakeover,
    wait: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<TakeoverEnd | null>;
  /** Resolves when the ledger has the ends of all of them that could be learnt. */
  close(): Promise<void>;
}
