import type { Tabs } from 'webextension-polyfill';
import type { Risk } from '../../../shared/core/policy/risks.ts';
import type { Caller, CallFacts, CallScope, ReadSite } from '../../../shared/core/policy/call-facts.ts';
import type { ShownElement, ShownElements } from '../ports/shown-element.ts';
import type { Effect, Rule } from '../../../shared/people/policy.ts';
import type { Scope } from '../../../shared/core/policy/decision.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import type { ActFacts, AllowedBy } from '../../../shared/ledger/report.ts';

/** A document, or an address without one yet. */
export interface PolicyPlace {
  readonly url: string;
  /**
   * The document's own origin, if known: the address of a document created by another one does not show it. `null` for
   * an opaque one, such as a sandboxed frame's.
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
  /**
   * Whether to wait for the ledger. False for callers that await {@link CallPolicy.written} before the first effect.
   * Default: true.
   */
  readonly waits?: boolean;
  /** Asks even if a rule or a lasting grant allows it. Default: false. */
  readonly isAlone?: boolean;
  /** Whether the ledger gets a line. False for a part of an act that has one. Default: true. */
  readonly isRecorded?: boolean;
  /** The steps for which the person has to choose files, in an approval of this very call. */
  readonly chosen?: readonly number[];
  /** Whether a new tab is judged when its first page has arrived. Default: false. */
  readonly awaitsPage?: boolean;
}

/** The rules for one call, asked by its handler at the moment of action. */
export interface CallPolicy {
  /**
   * Resolves when the call may do something in a document or at an address. A call uses up a person's grant at most
   * once. Asks a person only while the call has had no effect, and never with `asks: false`. Returns what allowed it.
   * @throws SpillwayError `policy_denied`, `approval_required`, `ledger_unavailable`
   */
  expect(place: PolicyPlace, risks: readonly Risk[], options?: ExpectOptions): Promise<AllowedBy>;
  /** Resolves when the call's act is in the ledger. @throws SpillwayError `ledger_unavailable` */
  written(): Promise<void>;
  /**
   * The same for the page that a tab shows now; the ledger gets no line if a rule allows it, so that the handler writes
   * that of each act. Returns the tab, or null for a missing one: the handler reports it.
   */
  expectTab(tabId: number, risks: readonly Risk[], options?: ExpectOptions): Promise<Tabs.Tab | null>;
  /** The same for the page of a tab and all its frames, for methods that do not distinguish them. */
  expectFrames(tabId: number, risks: readonly Risk[]): Promise<void>;
  /** Whether a place may be touched without asking anybody. */
  allows(place: PolicyPlace, risks: readonly Risk[]): Promise<boolean>;
  /** The same synchronously, by the known rules and this call's grants for the site. */
  passes(place: PolicyPlace, risks: readonly Risk[]): boolean;
  /**
   * Whether a fetched file of a place is a download: where reading is guarded, or a rule says more about downloads than
   * the default for all sites. Elsewhere it is read like a page.
   */
  guardsFiles(place: PolicyPlace): Promise<boolean>;
  /** The strictest effect of the known rules; null without any. */
  effect(place: PolicyPlace, risks: readonly Risk[]): Effect | null;
  /**
   * Compares an element with its description on the card when a person approved this call. Null if the card had none,
   * or the call was approved for more. Otherwise returns a function that asks again.
   * @throws SpillwayError `approval_required` if the element has changed
   */
  asSeen(target: string, element: ShownElement): Promise<(() => Promise<never>) | null>;
  /** The approvals of the call for which a person was shown elements. */
  readonly shown: readonly object[];
  /**
   * Resolves to true if a person has approved this very call, regardless of the rules. False if nobody can be asked.
   * @throws SpillwayError `approval_required`
   */
  confirms(place: PolicyPlace, risks: readonly Risk[]): Promise<boolean>;
  /** The call has had an effect: from now on it fails where a person would have to be asked. */
  began(): void;
  /** The sites whose text the call may have been given so far. */
  readSites(): readonly ReadSite[];
}

export interface Need {
  /** Instance of the asking server. */
  readonly server: string;
  readonly caller: Caller;
  /** Null if the server did not identify the call: nobody can be asked about it. */
  readonly call: CallFacts | null;
  /** The agent's own client is to ask, if the person allows that. */
  readonly asks?: 'client' | undefined;
  /** The server's home. */
  readonly home?: string | undefined;
  /** At least one. */
  readonly risks: readonly Risk[];
  /** Sites whose text would come to `origin`, for `carry_text`. */
  readonly sources?: readonly string[];
  readonly url: string;
  /**
   * The subject of the rules: `https://shop.example:8443`, or `null` without a site. A document created by another one
   * (`about:srcdoc`, `blob:`) has that one's origin.
   */
  readonly origin: string;
  /** Null for requests without a tab: a fetch, a page of a crawl. */
  readonly tabId: number | null;
  /** Null for an address without a document yet. */
  readonly documentId: string | null;
  /** Only an approval of this very call counts. */
  readonly isAlone?: boolean | undefined;
  /** The steps for which the person chooses files. */
  readonly chosen?: readonly number[];
  /** The tab is a person's: only grants for this tab count, not those for its site. */
  readonly isLent?: boolean | undefined;
}

export interface GrantUse {
  readonly id: string;
  readonly scope: Scope;
  /** Empty if the grant is not limited to one call. */
  readonly elements: ShownElements;
}

export interface Approvals {
  /** Uses a grant that covers the need; null if none does. */
  use(...needs: readonly Need[]): Promise<GrantUse | null>;
  /** Asks a person; the same need of the same call joins its open question. */
  raise(need: Need, rule: Rule): Promise<{ readonly id: string }>;
  /** Ends a grant: its document or tab has gone. */
  withdraw(grant: string): Promise<void>;
  /** Ends a question of a server that no longer needs the answer. False if it was not open. */
  cancel(id: string, server: string): Promise<boolean>;
}

/** The wire version since which servers keep a ledger. */
const LEDGER_SINCE = 2;
const HARMLESS: ReadonlySet<Risk> = new Set(['read', 'navigate', 'crawl', 'capture_network']);

/** The server's connection to its ledger. */
interface LedgerServer {
  readonly wire: number;
  request(method: 'ledger.append', facts: ActFacts, signal: AbortSignal): Promise<unknown>;
}

interface Act extends Pick<ActFacts, 'site' | 'tab_id' | 'allowed_by' | 'is_denied'> {
  readonly risks: readonly Risk[];
}

/** Writes ledger lines while the call finds its element. */
export class ActLedger {
  /** By content: a call writes each line once. */
  readonly #lines = new Map<string, Promise<unknown>>();

  constructor(
    private readonly server: LedgerServer,
    private readonly call: { readonly scope: CallScope | null; readonly signal: AbortSignal },
  ) {}

  /** Begins to write a line, if one is needed. */
  add({ risks, site, tab_id, allowed_by, is_denied }: Act): void {
    const { scope, signal } = this.call;
    if (scope === null || this.server.wire < LEDGER_SINCE) return;
    const kept = allowed_by.kind === 'grant' ? risks : risks.filter((risk) => !HARMLESS.has(risk));
    if (kept.length === 0) return;
    const facts: ActFacts = { scope, risks: [...kept], site, tab_id, allowed_by, is_denied };
    const key = JSON.stringify([kept, site, tab_id, allowed_by]);
    if (this.#lines.has(key)) return;
    const line = this.server.request('ledger.append', facts, signal);
    line.catch(() => undefined);
    this.#lines.set(key, line);
  }

  /** Resolves when all lines are on the disk. @throws SpillwayError `ledger_unavailable`, or the signal's reason */
  async written(): Promise<void> {
    try {
      await Promise.all(this.#lines.values());
    } catch (thrown) {
      this.call.signal.throwIfAborted();
      const error = toSpillwayError(thrown);
      if (error.code === 'ledger_unavailable') throw error;
      throw new SpillwayError('ledger_unavailable', `The ledger could not record the act: ${error.message}`, {
        cause: error,
      });
    }
  }
}
