import * as z from 'zod/mini';
import type {
  FeedCursor,
  FeedEvent,
  JournalFilter,
  ListedOutput,
  ListedRun,
} from '../../shared/bridge/feed.ts';
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

/** An agent that a person has stopped or paused. `session` is null for all of that name, also those to come. */
interface AgentControl {
  readonly name: string;
  readonly session: string | null;
  readonly state: 'stopped' | 'paused';
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What the worker sends. */
export type FeedMessage =
  | { readonly type: 'controls'; readonly controls: readonly AgentControl[] }
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
  /** Answered by `outputs`, `total` and `next`. */
  | {
      readonly type: 'outputs';
      readonly home: string;
      readonly before?: ListedOutput['handle'] | undefined;
      readonly limit?: number | undefined;
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
      readonly agent: { readonly name: string; readonly session: string | null };
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
        name: z.string(),
        session: z.nullable(z.string()),
        state: z.enum(['stopped', 'paused']),
        at: z.number(),
      }),
    ),
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
