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

/** A request in HAR 1.2 entry form, with the fields that begin with `_` of ours and of DevTools. */
export interface NetworkEntry extends JsonObject {
  /** `r17`: stable while the entry is in the ring. */
  readonly _id: string;
  readonly startedDateTime: string;
}

/** The state of a tab's capture. */
export interface CaptureView extends JsonObject {
  readonly tab: string;
  readonly state: 'capturing' | 'ended';
  /** `debugger`, or `web_request` where it cannot attach: then bodies are missing. */
  readonly source: 'debugger' | 'web_request' | null;
  readonly bodies: BodyChoice;
  /** Why it ended: `stopped`, `tab_closed`, `debugger_cancelled`, `browser_disconnected`, … */
  readonly ended: string | null;
  /** How often it was resumed after the browser disconnected: events in between are missing. */
  readonly gaps: number;
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
  /** Why the disk takes no more, by its code; the newest entries stay in memory then. */
  readonly disk_error: string | null;
}

export interface NetworkQuery {
  /** Null: every captured tab of the session. */
  readonly tab: TabTarget | null;
  readonly filter: NetworkFilter;
  /** Only what this act caused. */
  readonly act?: ActSpan | null;
  /** `-size`: descending. */
  readonly sort: string | null;
  /** Bodies in the entries. */
  readonly bodies: BodyChoice;
}

/** All but the pages is complete once the entries were consumed. */
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
  /** Whether the call waits for what a person may be asked. Default: true. */
  readonly asks?: boolean;
}

/** Captures of the clients' tabs. They are removed when the session's signal aborts. */
export interface NetworkCaptures {
  /**
   * Resolves when the tab is captured: what it loads from now on is whole. Starting one that is
   * captured changes what bodies are kept.
   * @throws `debugger_cancelled`, `tab_not_found`, `browser_disconnected`
   */
  start(session: ClientSession, target: TabTarget, options: CaptureStart): Promise<CaptureView>;
  stop(session: ClientSession, target: TabTarget): Promise<CaptureView | null>;
  clear(session: ClientSession, target: TabTarget | null): void;
  status(session: ClientSession): NetworkStatus;
  has(session: ClientSession, target: TabTarget): boolean;
  /**
   * Entries of the ring after the browser has reported everything, in order; they are read
   * from disk as they are consumed.
   * @throws `capture_not_running`, `invalid_argument` for a filter that cannot be
   */
  entries(session: ClientSession, query: NetworkQuery, signal: AbortSignal): Promise<NetworkSlice>;
  /** Captures every tab that the client has, and those it opens later. */
  startAll(session: ClientSession, options: CaptureStart): Promise<readonly CaptureView[]>;
  /** Ends all of the client's captures, and captures no later tab. */
  stopAll(session: ClientSession): Promise<readonly CaptureView[]>;
  /**
   * Starts the capture of a tab that is about to load when `--network-capture on`, or when the
   * client asked for all of its tabs; else nothing. What the debugger refuses is not a failure here.
   */
  beforeLoad(session: ClientSession, target: TabTarget, signal: AbortSignal, call?: CallScope): Promise<void>;
  /** Whether the client's new tabs have to be opened blank, so that `beforeLoad` comes before the load. */
  capturesFromStart(session: ClientSession): boolean;
  close(): Promise<void>;
}
