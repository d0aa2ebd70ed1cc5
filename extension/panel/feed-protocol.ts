import type { FeedCursor, FeedEvent, JournalFilter } from '../../shared/bridge/feed.ts';
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

/** Methods of servers that pages ask for by their names: of any server of a home, or of one server. */
export const HOME_METHODS = [
  'call.result',
  'ledger.page',
  'outputs.list',
  'outputs.page',
  'outputs.search',
  'outputs.delete',
  'outputs.keep',
  'runs.list',
  'runs.items',
  'runs.calls',
  'runs.cancel',
  'runs.resume',
  'runs.answer',
] as const;
export const ONE_SERVER_METHODS = [
  'health.read',
  'upstreams.list',
  'upstreams.tools',
  'upstreams.accept',
  'budget.lift',
] as const;
type HomeMethod = (typeof HOME_METHODS)[number];
type OneServerMethod = (typeof ONE_SERVER_METHODS)[number];

/** Parameters of a method, without those that the worker adds. */
type Given<M extends ServerMethodName> = {
  readonly [
    K in keyof ServerMethodInput<M> as string extends K ? never : K extends 'remembered' ? never : K
  ]: ServerMethodInput<M>[K];
};

/** Queries of pages, and the worker's answers. Changes are accepted only from the side panel. */
type Queries = {
  readonly [M in HomeMethod]: [Given<M> & { readonly home: string }, ServerMethodResult<M>];
} & {
  readonly [M in OneServerMethod]: [Given<M> & { readonly server: string }, ServerMethodResult<M>];
} & {
  readonly timeline: [
    asks: {
      readonly before?: TimelinePlace | undefined;
      readonly limit?: number | undefined;
      readonly filter?: JournalFilter | undefined;
    },
    answer: TimelinePage,
  ];
  readonly meter: [object, { readonly meters: readonly ServerMeter[] }];
  /** A person has removed a home's ledger: the browser forgets its length. */
  readonly ledger_forget: [{ readonly home: string }, object];
};
export type QueryType = keyof Queries;
export type Asks<T extends QueryType> = Queries[T][0];
export type Answer<T extends QueryType> = Queries[T][1];
export type AskedOf<M extends QueryType> = M extends QueryType ? { readonly type: M } & Asks<M> : never;
export type Asked = AskedOf<HomeMethod | OneServerMethod>;

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
  | { readonly type: 'query'; readonly id: number; readonly query: { readonly type: QueryType } };
