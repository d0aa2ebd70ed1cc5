import type { ErrorCode } from '../../shared/base/errors.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import type { FlowSource } from '../../shared/core/policy/call-facts.ts';
import type { ChainEnd, LedgerReport } from '../../shared/ledger/report.ts';
import type { Risk } from '../../shared/core/policy/risks.ts';
import type { TakeoverOutcome } from '../../shared/people/takeover.ts';
import type { Clean } from '../libraries/redaction/clean.ts';
import type { PersonChange } from '../core/people.ts';

/** {@link Ledger.finish} writes that. */
type LedgerKind =
  | LedgerReport['kind']
  | PersonChange['kind']
  | 'question'
  | 'act'
  | 'agent_stopped'
  | 'agent_paused'
  | 'agent_let_on'
  | 'budget_lifted'
  | 'takeover'
  | 'takeover_end'
  | 'human_input'
  | 'human_input_end';

/** The person or rule that decided. Clients' answers for a person are not verified. */
type DecidedWhere =
  | 'window'
  | 'side_panel'
  | 'popup'
  | 'menu'
  | 'client, unverified'
  | 'rule'
  | 'grant'
  | 'page';

/**
 * How a question, an act or a take-over ended. `unknown`: the browser or its worker was gone before it
 * answered.
 */
type LedgerOutcome =
  | NonNullable<LedgerReport['outcome']>
  | TakeoverOutcome
  | 'failed'
  | 'cancelled'
  | 'unknown';

type LedgerSource = Pick<FlowSource, 'site' | 'is_private' | 'how' | 'passages' | 'characters'>;

export interface LedgerFacts {
  readonly kind: LedgerKind;
  readonly agent: {
    readonly name: string;
    readonly version?: string | undefined;
    /** Id of the session. A member called `session` would be redacted as a secret. */
    readonly client_session: string;
    /** Instance of the server. */
    readonly server: string;
  };
  readonly decided?: { readonly where: DecidedWhere; readonly by?: string | undefined } | undefined;
  /** Ids of the rules or grants that allowed, denied or asked. */
  readonly rule?: string | undefined;
  readonly grant?: string | undefined;
  readonly question?: string | undefined;
  readonly scope?: string | undefined;
  readonly risks: readonly Risk[];
  /** The sites of which text came to `site`, and how it was recognised: never the text. */
  readonly sources?: readonly LedgerSource[] | undefined;
  /** Origin of the page. */
  readonly site?: string | undefined;
  readonly tab?: string | undefined;
  /** The run, stored output, recipe or upstream that a person has changed. */
  readonly subject?: string | undefined;
  readonly tool?: string | undefined;
  readonly call_id?: string | undefined;
  /** SHA-256 of the arguments, in hexadecimal. The arguments themselves are never written. */
  readonly args_hash?: string | undefined;
  readonly outcome?: LedgerOutcome | undefined;
  /** The id of a browser's report, which may be repeated. */
  readonly report?: string | undefined;
  readonly refusal?: string | undefined;
  /** The error of a call that failed or was refused. */
  readonly code?: ErrorCode | undefined;
}

/** The facts of one line. Long texts are cut. */
export type LedgerEntry = Clean<LedgerFacts>;

/** A line on disk. */
export interface LedgerReceipt {
  readonly chain: string;
  /** Number of the line in its chain. */
  readonly seq: number;
  readonly hash: string;
  readonly entry: LedgerEntry;
}

export interface LedgerEnd {
  readonly outcome: LedgerOutcome;
  readonly code?: ErrorCode | undefined;
  /** The site of the frame that input was kept from, or `unknown`. */
  readonly went_to?: string | undefined;
}

/** Which lines a page of the ledger has: those before a place, or the last ones. */
export interface LedgerPageQuery {
  readonly before?: string | undefined;
  readonly limit: number;
  readonly remembered?: readonly ChainEnd[] | undefined;
}

/** Lines of the ledger, newest first, as stored but without their hashes. */
export interface LedgerPage {
  readonly lines: readonly JsonObject[];
  /** For `before`; null at the end. */
  readonly next: string | null;
  /** Whether the whole ledger is unaltered; null while that is unknown. */
  readonly is_intact: boolean | null;
  readonly problems: readonly string[];
  /** Whether it is shorter than the asking browser remembers. */
  readonly is_shorter: boolean;
}

/** Reads the ledger of a home (`server/ledger/index.ts`). @throws SpillwayError `store_read_failed` */
export type LedgerPages = (query: LedgerPageQuery, signal: AbortSignal) => Promise<LedgerPage>;

/** The record of requests, decisions and acts (`server/ledger`). It never loses an acknowledged line. */
export interface Ledger {
  /**
   * Resolves when the line is on disk. Lines that arrive together share one sync.
   * @throws SpillwayError `ledger_unavailable`: the act of the line must not be done
   */
  append(entry: LedgerEntry): Promise<LedgerReceipt>;
  /**
   * Writes how an act ended, as a separate line that names the act's.
   * @throws SpillwayError `ledger_unavailable`
   */
  finish(receipt: LedgerReceipt, end: LedgerEnd): Promise<void>;
  /** Whether a server of this home has written a browser's report. @throws SpillwayError `ledger_unavailable` */
  has(kind: LedgerKind, report: string): Promise<boolean>;
  /** Waits for lines in flight. Later ones are refused. */
  close(): Promise<void>;
}
