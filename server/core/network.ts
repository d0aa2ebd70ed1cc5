import type { CallScope } from '../../shared/policy/call-facts.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { BodyChoice } from '../../shared/tools/network/methods.ts';
import type { NetworkFilter } from '../../shared/tools/network/manifest.ts';
import type { Clean, CleanText } from '../redact/clean.ts';
import type { ActSpan, ClientSession } from './context.ts';
import type { RedactionReport } from './result.ts';
import type { TabTarget } from './targets.ts';

/*
 * Captured requests (`server/network`): one ring per client session, fed by the tabs that are captured.
 * Entries are redacted before they enter it.
 */

/** A request in HAR 1.2 entry form; fields that begin with `_` are ours or DevTools'. */
export interface NetworkEntry extends JsonObject {
  /** `r17`: stable while the entry is in the ring. */
  readonly _id: string;
  readonly startedDateTime: string;
}

/** The state of a tab's capture. */
export interface CaptureView extends JsonObject {
  readonly tab: string;
  readonly state: 'capturing' | 'ended';
  /** `debugger`, or `web_request` if the debugger cannot attach: then bodies are missing. */
  readonly source: 'debugger' | 'web_request' | 'response_filter' | null;
  readonly bodies: BodyChoice;
  /** Why it ended: `stopped`, `tab_closed`, `debugger_cancelled`, `browser_disconnected`, … */
  readonly ended: string | null;
  /** How often it was resumed after the browser disconnected: events in between are missing. */
  readonly gaps: number;
  /** Loads of the tab that had failed before it began; its slices have them. */
  readonly failed_before?: number;
}

/** A session's captures and its ring. */
export interface NetworkStatus extends JsonObject {
  readonly captures: readonly CaptureView[];
  readonly entries: number;
  readonly size_bytes: number;
  readonly max_bytes: number;
  /** Entries that the ring dropped to stay below its limit. */
  readonly dropped_entries: number;
  /** Bodies that the ring dropped before their entries. */
  readonly dropped_bodies: number;
  /** Lines that the browser side lost. */
  readonly lost_lines: number;
  /** The code of a disk failure; the newest entries then stay in memory. */
  readonly disk_error: string | null;
}

export interface NetworkQuery {
  /** Null: every captured tab of the session. */
  readonly tab: TabTarget | null;
  readonly filter: NetworkFilter;
  /** Only requests that this act caused. */
  readonly act?: ActSpan | null;
  /** `-size`: descending. */
  readonly sort: string | null;
  /** Bodies in the entries. */
  readonly bodies: BodyChoice;
}

/** Everything except the pages is complete once the entries were consumed. */
export interface NetworkSlice {
  readonly entries: AsyncIterable<Clean<NetworkEntry>>;
  readonly coverage: readonly string[];
  readonly redacted: RedactionReport;
  /** Pages in HAR form that entries refer to by `pageref`. */
  readonly pages: readonly (JsonObject & { readonly id: string; readonly title: CleanText })[];
}

export interface CaptureStart {
  readonly bodies: BodyChoice;
  readonly signal: AbortSignal;
  readonly call?: CallScope | undefined;
  /** Whether the call waits for a question to a person. Default: true. */
  readonly asks?: boolean;
}

/** Captures of the clients' tabs. They are removed when the session's signal aborts. */
export interface NetworkCaptures {
  /**
   * Resolves when the tab is captured: its later loads are complete. Starting an existing capture changes
   * which bodies it keeps.
   * @throws `debugger_cancelled`, `tab_not_found`, `browser_disconnected`
   */
  start(session: ClientSession, target: TabTarget, options: CaptureStart): Promise<CaptureView>;
  stop(session: ClientSession, target: TabTarget): Promise<CaptureView | null>;
  clear(session: ClientSession, target: TabTarget | null): void;
  status(session: ClientSession): NetworkStatus;
  has(session: ClientSession, target: TabTarget): boolean;
  /**
   * Entries of the ring, in order, after the browser has reported everything; they are read from disk as they
   * are consumed.
   * @throws `capture_not_running`, `invalid_argument` for an invalid filter
   */
  entries(session: ClientSession, query: NetworkQuery, signal: AbortSignal): Promise<NetworkSlice>;
  /** Captures every tab of the client, including those it opens later. */
  startAll(session: ClientSession, options: CaptureStart): Promise<readonly CaptureView[]>;
  /** Ends all of the client's captures, and captures no later tab. */
  stopAll(session: ClientSession): Promise<readonly CaptureView[]>;
  /**
   * Starts capturing a tab that is about to load, with `--network-capture on` or if the client asked for all
   * of its tabs; otherwise does nothing. A refusal by the debugger is not a failure here.
   */
  beforeLoad(session: ClientSession, target: TabTarget, signal: AbortSignal, call?: CallScope): Promise<void>;
  /** Whether the client's new tabs have to open blank, so that `beforeLoad` precedes the load. */
  capturesFromStart(session: ClientSession): boolean;
  close(): Promise<void>;
}
