import type { Risk } from '../../../shared/policy/risks.ts';
import type { ShownElement } from '../../../shared/policy/shown-element.ts';
import type { Effect } from '../../../shared/policy/policy.ts';

/** A document, or an address that has none yet. */
export interface Place {
  /** The address. */
  readonly url: string;
  /**
   * The document's own origin, where it is known: of a document that another one made its address does not tell. `null`
   * for one that has none, such as a sandboxed frame.
   */
  readonly origin?: string | undefined;
  readonly tabId: number | null;
  readonly documentId: string | null;
  /** A crawl or a redirect led here from another host. */
  readonly fromElsewhere?: boolean;
}

export interface ExpectOptions {
  /** Whether a person may be asked. Default: true. */
  readonly asks?: boolean;
  /** Whether to wait for the ledger. False for who awaits {@link CallPolicy.written} before the first effect. Default: true. */
  readonly waits?: boolean;
  /** Whether the ledger gets a line. False for a part of what has one already. Default: true. */
  readonly isRecorded?: boolean;
}

/** What the rules say of one call: its handler asks at the moment of action. */
export interface CallPolicy {
  /**
   * Resolves when the call may do something in a document or at an address. What a person allowed is used up at most once
   * a call. Asks them only while the call has had no effect, and not at all with `asks: false`.
   *
   * @throws SpillwayError `policy_denied`, `approval_required`, `ledger_unavailable`
   */
  expect(place: Place, risks: readonly Risk[], options?: ExpectOptions): Promise<void>;
  /** Resolves when the ledger has what the call is about to do. @throws SpillwayError `ledger_unavailable` */
  written(): Promise<void>;
  /** The same for the page that a tab shows now. A tab that is not there is its handler's to report. */
  expectTab(tabId: number, risks: readonly Risk[], options?: ExpectOptions): Promise<void>;
  /** The same for the page of a tab and all frames in it: for what does not tell one from the other. */
  expectFrames(tabId: number, risks: readonly Risk[]): Promise<void>;
  /** Whether a place may be touched without asking anybody. */
  allows(place: Place, risks: readonly Risk[]): Promise<boolean>;
  /** The same at once, by the rules that are known, and with what this call was granted for the site. */
  passes(place: Place, risks: readonly Risk[]): boolean;
  /** The strictest that the rules say, by those that are known; null where none are. */
  effect(place: Place, risks: readonly Risk[]): Effect | null;
  /**
   * Compares an element with what the card said of it when a person allowed this call. Null where it said nothing, or
   * more than this call was allowed. Else what asks them again.
   *
   * @throws SpillwayError `approval_required` for an element that has changed
   */
  asSeen(target: string, element: ShownElement): Promise<(() => Promise<never>) | null>;
  /**
   * Resolves to true when a person has allowed this call and not only others like it, whatever the rules say. False where
   * nobody is asked.
   *
   * @throws SpillwayError `approval_required`
   */
  confirms(place: Place, risks: readonly Risk[]): Promise<boolean>;
  /** The call has had an effect: from now on it fails where a person would have to be asked. */
  began(): void;
}
