import { z } from 'zod';
import { FEED_METHODS, FeedCursor, JournalPosition, type FeedEvent } from '../../../shared/core/feed.ts';
import type { MeterReading } from '../../../shared/core/meter.ts';
import type {
  ServerMethodInput,
  ServerMethodName,
  ServerMethodResult,
} from '../../../shared/core/bridge/server-methods.ts';

/*
 * The port that sends a panel the servers' activity. The page begins with its cursors, and acknowledges each batch:
 * only then does the worker ask a server for more. The worker keeps no state, so its end loses nothing.
 */

export type FeedCursors = Readonly<Record<string, FeedCursor>>;

/** Where the next page of the timeline begins: a position in each home's journal; null at its end. */
export type TimelinePlace = Readonly<Record<string, string | null>>;

/** Its id is unique: the same line comes in events and on pages. */
export type JournalLine = Extract<FeedEvent, { type: 'journal' }>['line'];

export interface TimelinePage {
  readonly lines: readonly { readonly home: string; readonly line: JournalLine }[];
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
const HOME_METHODS = {
  'call.result': 'reads',
  'ledger.page': 'reads',
  'outputs.list': 'reads',
  'outputs.page': 'reads',
  'outputs.search': 'reads',
  'outputs.delete': 'changes',
  'outputs.keep': 'changes',
  'runs.list': 'reads',
  'runs.items': 'reads',
  'runs.calls': 'reads',
  'runs.cancel': 'changes',
  'runs.resume': 'changes',
  'runs.answer': 'changes',
} as const;
const ONE_SERVER_METHODS = {
  'health.read': 'reads',
  'upstreams.list': 'reads',
  'upstreams.tools': 'reads',
  'upstreams.accept': 'changes',
  'budget.lift': 'changes',
} as const;
type HomeMethod = keyof typeof HOME_METHODS;
type OneServerMethod = keyof typeof ONE_SERVER_METHODS;

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
  readonly timeline: [asks: Omit<TimelineQuery, 'type'>, answer: TimelinePage];
  readonly meter: [object, { readonly meters: readonly ServerMeter[] }];
  /** A person has removed a home's ledger: the browser forgets its length. */
  readonly ledger_forget: [{ readonly home: string }, object];
};
export type QueryType = keyof Queries;
export type Asks<T extends QueryType> = Queries[T][0];
export type FeedAnswer<T extends QueryType> = Queries[T][1];
export type AskedOf<M extends QueryType> = M extends QueryType ? { readonly type: M } & Asks<M> : never;
type Asked = AskedOf<HomeMethod | OneServerMethod>;

/** Servers and homes that one message may name. */
const NAMES_MAX = 100;
const Name = z.string().min(1).max(64);

const isShort = (record: object): boolean => Object.keys(record).length <= NAMES_MAX;

const Timeline = FEED_METHODS['journal.page'].params
  .pick({ limit: true, filter: true })
  .partial()
  .extend({
    type: z.literal('timeline'),
    before: z.record(Name, JournalPosition.nullable()).refine(isShort).optional(),
  });
export type TimelineQuery = z.infer<typeof Timeline>;

/** The server checks the parameters of its methods. */
const OfServers = z.union([
  z.object({ type: z.literal(Object.keys(HOME_METHODS)), home: Name }),
  z.object({ type: z.literal(Object.keys(ONE_SERVER_METHODS)), server: Name }),
]);

const Query = z.union([
  Timeline,
  z.object({ type: z.literal('meter') }),
  z.object({ type: z.literal('ledger_forget'), home: Name }),
  z.custom<Asked>((query) => OfServers.safeParse(query).success),
]);
export type Query = z.infer<typeof Query>;

const QUERIES: Readonly<Record<string, string>> = {
  ...HOME_METHODS,
  ...ONE_SERVER_METHODS,
  ledger_forget: 'changes',
};
/** Whether a query changes something: accepted only from a page in front of a person. */
export const isChange = ({ type }: { readonly type: string }): boolean => QUERIES[type] === 'changes';

export const Request = z.discriminatedUnion('type', [
  /** First, and once. */
  z.object({ type: z.literal('begin'), cursors: z.record(Name, FeedCursor).refine(isShort) }),
  /** The page has processed a server's events. */
  z.object({ type: z.literal('seen'), server: Name }),
  /** A person stops, pauses or resumes an agent. Accepted only from the side panel. */
  z.object({
    type: z.literal('control'),
    agent: z
      .object({ name: z.string().max(100).nullable(), session: Name.nullable() })
      .refine(({ name, session }) => name !== null || session === null),
    state: z.enum(['stopped', 'paused', 'on']),
  }),
  z.object({ type: z.literal('query'), id: z.int().min(0), query: Query }),
]);
type Request = z.infer<typeof Request>;
export type ControlRequest = Extract<Request, { type: 'control' }>;
export type QueryRequest = Extract<Request, { type: 'query' }>;
/** As pages send them. The rest of a query depends on its type. */
export type FeedRequest =
  | Exclude<Request, QueryRequest>
  | { readonly type: 'query'; readonly id: number; readonly query: { readonly type: QueryType } };
