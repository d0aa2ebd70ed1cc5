import type { Risk } from '../../../shared/policy/risks.ts';
import type { ShownElement, ShownElements } from '../../ports/shown-element.ts';
import type { Effect, Rule } from '../../../shared/policy/policy.ts';
import type { Caller } from '../../../shared/act/caller.ts';
import type { CallFacts, CallScope } from '../../../shared/policy/call-facts.ts';
import type { Scope } from '../../../shared/policy/decision.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { ActFacts } from '../../../shared/policy/ledger-report.ts';

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
  /** Asks also where a rule or a lasting yes allows it. Default: false. */
  readonly isAlone?: boolean;
  /** Whether the ledger gets a line. False for a part of an act that has one. Default: true. */
  readonly isRecorded?: boolean;
}

/** The rules for one call, asked by its handler at the moment of action. */
export interface CallPolicy {
  /**
   * Resolves when the call may do something in a document or at an address. What a person allowed is used up at most once
   * a call. Asks them only while the call has had no effect, and not at all with `asks: false`.
   *
   * @throws SpillwayError `policy_denied`, `approval_required`, `ledger_unavailable`
   */
  expect(place: Place, risks: readonly Risk[], options?: ExpectOptions): Promise<void>;
  /** Resolves when the call's act is in the ledger. @throws SpillwayError `ledger_unavailable` */
  written(): Promise<void>;
  /** The same for the page that a tab shows now. A tab that is not there is its handler's to report. */
  expectTab(tabId: number, risks: readonly Risk[], options?: ExpectOptions): Promise<void>;
  /** The same for the page of a tab and all its frames, for methods that do not tell them apart. */
  expectFrames(tabId: number, risks: readonly Risk[]): Promise<void>;
  /** Whether a place may be touched without asking anybody. */
  allows(place: Place, risks: readonly Risk[]): Promise<boolean>;
  /** The same at once, by the known rules and this call's grants for the site. */
  passes(place: Place, risks: readonly Risk[]): boolean;
  /** The strictest effect of the known rules; null without any. */
  effect(place: Place, risks: readonly Risk[]): Effect | null;
  /**
   * Compares an element with what the card said of it when a person allowed this call. Null where it said nothing, or
   * more than this call was allowed. Else what asks them again.
   *
   * @throws SpillwayError `approval_required` for an element that has changed
   */
  asSeen(target: string, element: ShownElement): Promise<(() => Promise<never>) | null>;
  /**
   * Resolves to true if a person has allowed this very call, regardless of the rules. False where
   * nobody is asked.
   *
   * @throws SpillwayError `approval_required`
   */
  confirms(place: Place, risks: readonly Risk[]): Promise<boolean>;
  /** The call has had an effect: from now on it fails where a person would have to be asked. */
  began(): void;
}

export interface Need {
  /** Instance of the server that asks. */
  readonly server: string;
  readonly caller: Caller;
  /** Null where the server did not say which call it is: nobody can be asked about it. */
  readonly call: CallFacts | null;
  /** The agent's own client is to ask, where the person allows that. */
  readonly asks?: 'client' | undefined;
  /** Names the home of the server. */
  readonly home?: string | undefined;
  /** At least one. */
  readonly risks: readonly Risk[];
  readonly url: string;
  /**
   * What the rules are about, `https://shop.example:8443`, or `null` for what has no site. A document that another
   * one made (`about:srcdoc`, `blob:`) has the origin of that one.
   */
  readonly origin: string;
  /** Null for requests without a tab: a fetch, a page of a crawl. */
  readonly tabId: number | null;
  /** Null for an address that has no document yet. */
  readonly documentId: string | null;
  /** Only a yes to this very call will do. */
  readonly isAlone?: boolean | undefined;
}

/** A grant that was used. */
export interface GrantUse {
  readonly id: string;
  readonly scope: Scope;
  /** Empty for what is not for one call. */
  readonly elements: ShownElements;
}

export interface Approvals {
  /** Uses a grant that covers the need; null if no grant does. */
  use(need: Need): Promise<GrantUse | null>;
  /** Asks a person; the same need of the same call joins the question that is open. */
  raise(need: Need, rule: Rule): Promise<{ readonly id: string }>;
  /** Ends a grant: its document or tab has gone. */
  withdraw(grant: string): Promise<void>;
  /** Ends a question of a server that does not need the answer. False when it was not open. */
  cancel(id: string, server: string): Promise<boolean>;
}

/** The wire version since which servers keep a ledger. */
const LEDGER_SINCE = 2;
const HARMLESS: ReadonlySet<Risk> = new Set(['read', 'navigate', 'crawl', 'capture_network']);

/** The server, as far as its ledger is concerned. */
interface LedgerServer {
  readonly wire: number;
  request(method: 'ledger.append', facts: ActFacts, signal: AbortSignal): Promise<unknown>;
}

interface Act extends Pick<ActFacts, 'site' | 'tab_id' | 'allowed_by'> {
  readonly risks: readonly Risk[];
}

/** A line is written while the call finds its element. */
export class ActLedger {
  readonly #server: LedgerServer;
  readonly #scope: CallScope | null;
  readonly #signal: AbortSignal;
  /** By what they say: a call says each thing once. */
  readonly #lines = new Map<string, Promise<unknown>>();

  constructor(
    server: LedgerServer,
    { scope, signal }: { readonly scope: CallScope | null; readonly signal: AbortSignal },
  ) {
    this.#server = server;
    this.#scope = scope;
    this.#signal = signal;
  }

  /** Begins to write a line, where there has to be one. */
  add({ risks, site, tab_id, allowed_by }: Act): void {
    const scope = this.#scope;
    if (scope === null || this.#server.wire < LEDGER_SINCE) return;
    const kept = allowed_by.kind === 'grant' ? risks : risks.filter((risk) => !HARMLESS.has(risk));
    if (kept.length === 0) return;
    const facts: ActFacts = { scope, risks: [...kept], site, tab_id, allowed_by };
    const key = JSON.stringify([kept, site, tab_id, allowed_by]);
    if (this.#lines.has(key)) return;
    const line = this.#server.request('ledger.append', facts, this.#signal);
    line.catch(() => undefined);
    this.#lines.set(key, line);
  }

  /** Resolves when all lines are on the disk. @throws SpillwayError `ledger_unavailable`, or the signal's reason */
  async written(): Promise<void> {
    try {
      await Promise.all(this.#lines.values());
    } catch (thrown) {
      this.#signal.throwIfAborted();
      const error = toSpillwayError(thrown);
      if (error.code === 'ledger_unavailable') throw error;
      throw new SpillwayError('ledger_unavailable', `The ledger could not record the act: ${error.message}`, {
        cause: error,
      });
    }
  }
}
