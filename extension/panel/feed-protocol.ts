import type {
  FeedCursor,
  FeedEvent,
  JournalFilter,
  ListedOutput,
  ListedRun,
} from '../../shared/bridge/feed.ts';
import type { MeterReading } from '../../shared/bridge/meter.ts';
import type {
  ServerMethodInput,
  ServerMethodName,
  ServerMethodResult,
} from '../../shared/bridge/server-methods.ts';

/*
 * The port that sends a panel the servers' activity. The page begins with its cursors, and acknowledges each batch:
 * only then does the worker ask a server for more. The worker keeps no state, so its end loses nothing.
 */

export const FEED_PORT = 'feed';

export type FeedCursors = Readonly<Record<string, FeedCursor>>;

/** Where the next page of the timeline begins: a position in each home's journal; null at its end. */
export type TimelinePlace = Readonly<Record<string, string | null>>;

/** A line of the timeline. `line.id` is unique: the same line comes in events and on pages. */
interface TimelineLine {
  readonly home: string;
  readonly line: { readonly id: string; readonly ts: string; readonly event: string };
}

export interface TimelinePage {
  readonly lines: readonly TimelineLine[];
  /** Null at the end. A page may be shorter than requested and still have a next one. */
  readonly next: TimelinePlace | null;
}

export interface ServerMeter {
  readonly server: string;
  readonly reading: MeterReading;
}

/** A connected server. */
export interface FeedServer {
  /** Unique per process. */
  readonly server: string;
  readonly version: string;
  /** `older`: the server's version does not report its activity. */
  readonly feed: 'starting' | 'live' | 'older';
  /** Servers of one home share journal, runs and outputs. Null until known. */
  readonly home: string | null;
}

/** `session` is null for all sessions of that name, future ones included; `name` is null for every agent. */
export interface AgentControl {
  readonly name: string | null;
  readonly session: string | null;
  readonly state: 'stopped' | 'paused';
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export type FeedMessage =
  | {
      readonly type: 'controls';
      readonly controls: readonly AgentControl[];
      /** Part of the stored list is unreadable: agents that may have been in it are stopped. */
      readonly isDamaged: boolean;
    }
  | { readonly type: 'servers'; readonly servers: readonly FeedServer[] }
  /** A `gap` among the events means that the newest page of the timeline has to be read again. */
  | {
      readonly type: 'events';
      readonly server: string;
      readonly cursor: FeedCursor;
      readonly events: readonly FeedEvent[];
    }
  | { readonly type: 'answer'; readonly id: number; readonly result: object }
  | {
      readonly type: 'failure';
      readonly id: number;
      readonly code: string;
      readonly message: string;
      readonly hint: string;
    };

/** Parameters of a bridge method, without those that the worker adds. */
type In<M extends ServerMethodName> = Readonly<Omit<ServerMethodInput<M>, 'where' | 'remembered'>>;
interface OfHome {
  readonly home: string;
}
interface OfServer {
  readonly server: string;
}
interface OfRun extends OfHome {
  readonly run: string;
}

/** Requests of pages and answers of the worker. Changes are accepted only from the side panel. */
interface Queries {
  timeline: [
    asks: {
      readonly before?: TimelinePlace | undefined;
      readonly limit?: number | undefined;
      readonly filter?: JournalFilter | undefined;
    },
    answer: TimelinePage,
  ];
  runs: [
    OfHome & In<'runs.list'>,
    { readonly runs: readonly ListedRun[]; readonly next_offset: number | null },
  ];
  run_cancel: [OfRun, ServerMethodResult<'runs.cancel'>];
  run_resume: [OfRun & Omit<In<'runs.resume'>, 'run_id'>, ServerMethodResult<'runs.resume'>];
  run_answer: [OfRun & Omit<In<'runs.answer'>, 'run_id'>, object];
  run_calls: [OfHome & In<'runs.calls'>, ServerMethodResult<'runs.calls'>];
  run_items: [OfHome & In<'runs.items'>, ServerMethodResult<'runs.items'>];
  outputs: [
    OfHome & In<'outputs.list'>,
    { readonly outputs: readonly ListedOutput[]; readonly total: number; readonly next: string | null },
  ];
  output_page: [OfHome & In<'outputs.page'>, ServerMethodResult<'outputs.page'>];
  /** A later search of the same page cancels a pending one. */
  output_search: [OfHome & In<'outputs.search'>, ServerMethodResult<'outputs.search'>];
  output_delete: [OfHome & In<'outputs.delete'>, object];
  /** A person keeps a stored output, or releases it. */
  output_keep: [OfHome & In<'outputs.keep'>, object];
  /** Null once the server has dropped the answer of the call. */
  result: [OfHome & { readonly call: string }, ServerMethodResult<'call.result'>];
  ledger: [OfHome & In<'ledger.page'>, ServerMethodResult<'ledger.page'>];
  /** A person has removed a home's ledger: the browser forgets its length. */
  ledger_forget: [OfHome, object];
  meter: [object, { readonly meters: readonly ServerMeter[] }];
  /** Raises a session's budget by a number of tokens, or removes it with null. */
  lift: [OfServer & In<'budget.lift'>, object];
  health: [OfServer, ServerMethodResult<'health.read'>];
  upstreams: [OfServer, ServerMethodResult<'upstreams.list'>];
  upstream_tools: [OfServer & In<'upstreams.tools'>, ServerMethodResult<'upstreams.tools'>];
  upstream_accept: [OfServer & In<'upstreams.accept'>, object];
}
export type QueryType = keyof Queries;
export type Asks<T extends QueryType> = Queries[T][0];
export type Answer<T extends QueryType> = Queries[T][1];

export type FeedRequest =
  /** First, and once. */
  | { readonly type: 'begin'; readonly cursors: FeedCursors }
  /** The page has processed a server's events. */
  | { readonly type: 'seen'; readonly server: string }
  /** A person stops, pauses or resumes an agent. Accepted only from the side panel. */
  | {
      readonly type: 'control';
      readonly agent: Pick<AgentControl, 'name' | 'session'>;
      readonly state: 'stopped' | 'paused' | 'on';
    }
  /** The rest of a query depends on its type: {@link FeedQuery}. */
  | { readonly type: 'query'; readonly id: number; readonly query: { readonly type: QueryType } };
