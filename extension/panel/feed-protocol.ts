import * as z from 'zod/mini';
import type {
  FeedCursor,
  FeedEvent,
  JournalFilter,
  ListedOutput,
  ListedRun,
} from '../../shared/bridge/feed.ts';
import type { MeterReading } from '../../shared/bridge/meter.ts';
import { isObject } from '../../shared/json.ts';

/*
 * The port on which a panel gets what servers do. The page begins with the cursors that it has, and says when it has dealt with
 * what came: the worker asks a server for more only then. The worker keeps nothing, so its end loses nothing.
 */

/** Name of the port. */
export const FEED_PORT = 'feed';

/** How far a page has come with each server, by the server's id. */
export type FeedCursors = Readonly<Record<string, FeedCursor>>;

/** Where the next page of the timeline begins: a position in the journal of each home; null where that has ended. */
export type TimelinePlace = Readonly<Record<string, string | null>>;

/** A line of the timeline. `line.id` is unique: the same line comes in events and on pages. */
interface TimelineLine {
  readonly home: string;
  readonly line: { readonly id: string; readonly ts: string; readonly event: string };
}

/** One page of the merged journals, newest first. */
export interface TimelinePage {
  readonly lines: readonly TimelineLine[];
  /** Null at the end. A page may be shorter than asked for and still have a next one. */
  readonly next: TimelinePlace | null;
}

/** A connected server. */
export interface FeedServer {
  /** Unique per process. */
  readonly server: string;
  readonly version: string;
  /** `older`: the server is of a build that does not say what it does. */
  readonly feed: 'starting' | 'live' | 'older';
  /** Servers of one home share journal, runs and outputs. Null until it is known. */
  readonly home: string | null;
}

/**
 * What a person has stopped or paused. `session` is null for all of that name, also those to come; `name` is null for
 * everyone.
 */
export interface AgentControl {
  readonly name: string | null;
  readonly session: string | null;
  readonly state: 'stopped' | 'paused';
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What one server has answered to agents. */
export interface ServerMeter {
  readonly server: string;
  readonly reading: MeterReading;
}

/** What the worker sends. */
export type FeedMessage =
  | {
      readonly type: 'controls';
      readonly controls: readonly AgentControl[];
      /** What was stored could not be read in full: those that may have been in it are stopped. */
      readonly isDamaged: boolean;
    }
  | { readonly type: 'servers'; readonly servers: readonly FeedServer[] }
  /** A `gap` among the events says that the newest page of the timeline has to be read again. */
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

/** What a page asks for, with an id that the answer has. */
export type FeedQuery =
  /** Answered by a {@link TimelinePage}. */
  | {
      readonly type: 'timeline';
      readonly before?: TimelinePlace | undefined;
      readonly limit?: number | undefined;
      readonly filter?: JournalFilter | undefined;
    }
  /** Answered by `runs`, `total` and `next_offset`. */
  | {
      readonly type: 'runs';
      readonly home: string;
      readonly status?: ListedRun['status'] | undefined;
      readonly offset?: number | undefined;
      readonly limit?: number | undefined;
    }
  /** A person ends or continues a run. Taken from the side panel alone. */
  | { readonly type: 'run_cancel' | 'run_resume'; readonly home: string; readonly run: string }
  /** Answered by `outputs`, `total` and `next`. */
  | {
      readonly type: 'outputs';
      readonly home: string;
      readonly before?: ListedOutput['handle'] | undefined;
      readonly limit?: number | undefined;
    }
  /** What people open: answers of these are in `answers-protocol.ts`. */
  | OpenQuery
  /** Answered by `meters`, a list of {@link ServerMeter}. */
  | { readonly type: 'meter' }
  /** Gives a session so many more tokens, or with null no budget. Taken from the side panel alone; answered by its `budget`. */
  | {
      readonly type: 'lift';
      readonly server: string;
      readonly session: string;
      readonly tokens: number | null;
    };

/** What a page asks for to open it. `call` is the id of a call, `server` that of a server. */
type OpenQuery =
  | { readonly type: 'result'; readonly home: string; readonly call: string }
  | {
      readonly type: 'output_page';
      readonly home: string;
      readonly handle: string;
      readonly offset?: number | undefined;
      readonly limit?: number | undefined;
      /** `bytes`: what is stored as it is, also where it is items. */
      readonly format?: 'auto' | 'bytes' | undefined;
    }
  /** A later search of the same page ends one that has not been answered. */
  | {
      readonly type: 'output_search';
      readonly home: string;
      readonly handle: string;
      readonly text: string;
      readonly offset?: number | undefined;
      readonly limit?: number | undefined;
    }
  /** A person deletes a stored output. Taken from the side panel alone. */
  | { readonly type: 'output_delete'; readonly home: string; readonly handle: string }
  /** A person has a stored output kept, or no longer. Taken from the side panel alone. */
  | {
      readonly type: 'output_keep';
      readonly home: string;
      readonly handle: string;
      readonly keep: boolean;
    }
  | {
      readonly type: 'run_items';
      readonly home: string;
      readonly run_id: string;
      readonly offset?: number | undefined;
      readonly limit?: number | undefined;
    }
  | {
      readonly type: 'ledger';
      readonly home: string;
      readonly before?: string | undefined;
      readonly limit?: number | undefined;
    }
  /** A person has removed the ledger of a home: the browser forgets how long it was. Taken from the side panel alone. */
  | { readonly type: 'ledger_forget'; readonly home: string }
  | { readonly type: 'health' | 'upstreams'; readonly server: string }
  | {
      readonly type: 'upstream_tools';
      readonly server: string;
      readonly id: string;
      readonly offset?: number | undefined;
    }
  /** Taken from the side panel alone. */
  | {
      readonly type: 'upstream_accept';
      readonly server: string;
      readonly id: string;
      readonly revision: string;
    };

/** What a page sends. */
export type FeedRequest =
  /** First, and once. */
  | { readonly type: 'begin'; readonly cursors: FeedCursors }
  /** The page has dealt with the events of a server. */
  | { readonly type: 'seen'; readonly server: string }
  /** A person stops or pauses an agent, or lets it on. Taken from the side panel alone. */
  | {
      readonly type: 'control';
      readonly agent: Pick<AgentControl, 'name' | 'session'>;
      readonly state: 'stopped' | 'paused' | 'on';
    }
  | { readonly type: 'query'; readonly id: number; readonly query: FeedQuery };

// ---- what the worker sends, as the schema that the page parses with -----------------------------------

/** The worker has checked each event with the schema of the bridge. */
const CheckedEvent = z.custom<FeedEvent>((value) => isObject(value) && typeof value['type'] === 'string');

export const FeedMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('controls'),
    controls: z.array(
      z.object({
        name: z.nullable(z.string()),
        session: z.nullable(z.string()),
        state: z.enum(['stopped', 'paused']),
        at: z.number(),
      }),
    ),
    isDamaged: z.boolean(),
  }),
  z.object({
    type: z.literal('servers'),
    servers: z.array(
      z.object({
        server: z.string(),
        version: z.string(),
        feed: z.enum(['starting', 'live', 'older']),
        home: z.nullable(z.string()),
      }),
    ),
  }),
  z.object({
    type: z.literal('events'),
    server: z.string(),
    cursor: z.object({ seq: z.number(), lines: z.number() }),
    events: z.array(CheckedEvent),
  }),
  z.object({
    type: z.literal('answer'),
    id: z.number(),
    result: z.custom<object>((value) => isObject(value)),
  }),
  z.object({
    type: z.literal('failure'),
    id: z.number(),
    code: z.string(),
    message: z.string(),
    hint: z.string(),
  }),
]) satisfies z.ZodMiniType<FeedMessage>;

const Line = z.looseObject({ id: z.string(), ts: z.string(), event: z.string() });

/** The answer to `timeline`. */
export const TimelinePage = z.object({
  lines: z.array(z.object({ home: z.string(), line: Line })),
  next: z.nullable(z.record(z.string(), z.nullable(z.string()))),
}) satisfies z.ZodMiniType<TimelinePage>;
