import { z } from 'zod';

/*
 * A server's news for the people at its browsers: current events (`feed.next`), and pages of past ones. The worker
 * pulls, so that a slow one is sent no more than it takes.
 */

/** Maximum events of one answer. */
export const FEED_BATCH = 200;
/** The longest that a server waits for an event before it answers without one. */
export const FEED_WAIT_MS = 25_000;
/** Maximum lines, runs or outputs of one page. */
const FEED_PAGE = 200;

const Time = z.iso.datetime();
const Id = z.string().min(1).max(128);
const Count = z.int().min(0);
const Limit = z.int().min(1).max(FEED_PAGE);

/** A line of the journal, redacted like the journal. */
const JournalLine = z.looseObject({
  /** Unique among all servers of a home: a line has the same id in a feed and on a page. */
  id: Id,
  ts: Time,
  event: z.string().max(128),
});

/** A call, from its beginning to its line in the journal. */
const CallEvent = z.discriminatedUnion('phase', [
  // The line as it would be if the call ended now, with its own `id`; its `call_id` will be that of the end.
  z.object({ type: z.literal('call'), phase: z.literal('begun'), line: JournalLine }),
  z.object({
    type: z.literal('call'),
    phase: z.literal('progress'),
    ts: Time,
    call_id: Id,
    session: Id,
    done: z.number(),
    total: z.number().optional(),
    message: z.string().max(300).optional(),
  }),
  z.object({ type: z.literal('call'), phase: z.literal('ended'), line: JournalLine }),
]);

const RunProgress = z.object({
  done: z.number(),
  queued: z.number(),
  failed: z.number(),
  /** Done per second. */
  rate_per_second: z.number(),
  message: z.string().optional(),
  workers: z
    .object({
      count: Count,
      lanes: Count,
      slowest: z.array(z.object({ host: z.string(), mean_ms: z.number() })).readonly(),
    })
    .optional(),
});

const RunEvent = z.discriminatedUnion('phase', [
  z.object({ type: z.literal('run'), phase: z.literal('begun'), line: JournalLine }),
  z.object({
    type: z.literal('run'),
    phase: z.literal('progress'),
    ts: Time,
    run_id: Id,
    tool: z.string().max(128),
    progress: RunProgress,
    /** Items that are committed. */
    items: Count,
  }),
  z.object({ type: z.literal('run'), phase: z.literal('ended'), line: JournalLine }),
]);

/** A session and its present activity. */
export const FeedAgent = z.object({
  session: Id,
  name: z.string().max(100),
  version: z.string().max(64).nullable(),
  /** Start of its last call. */
  last_at: Time,
  calls: z.array(z.object({ call_id: Id, tool: z.string().max(128), since: Time })).readonly(),
});
export type FeedAgent = z.infer<typeof FeedAgent>;

/** Steps and lists that were replaced by newer ones before they were read are left out. */
export const FeedEvent = z.discriminatedUnion('type', [
  CallEvent,
  RunEvent,
  /** `swept`: it expired, or made room. `deleted`: a person removed it. */
  z.object({ type: z.literal('store'), phase: z.enum(['made', 'swept', 'deleted']), line: JournalLine }),
  /** Sent whole when a session comes or leaves, and first to a new reader. */
  z.object({ type: z.literal('agents'), agents: z.array(FeedAgent).readonly() }),
  /** Figures of the meter have changed: `meter.read` has them. */
  z.object({ type: z.literal('meter') }),
  /** Any other line of the journal: browsers that come and go, steps of a run. */
  z.object({ type: z.literal('journal'), line: JournalLine }),
  /** This many lines are gone here, but are in the journal. The agents follow. */
  z.object({ type: z.literal('gap'), count: Count }),
]);
export type FeedEvent = z.infer<typeof FeedEvent>;

/** A reader's position, valid for the server process that gave it. */
export const FeedCursor = z.object({
  /** Number of the last event that it was given. */
  seq: Count,
  /** Lines of the journal up to it. */
  lines: Count,
});
export type FeedCursor = z.infer<typeof FeedCursor>;

/** A line's place in the journal: the number of its row. */
export const JournalPosition = z.string().regex(/^\d{1,15}$/);

/** Lines that a person wants to see. */
export const JournalFilter = z.object({
  tool: z.string().max(128).optional(),
  agent: z.string().max(128).optional(),
  session: Id.optional(),
  outcome: z.enum(['ok', 'failed', 'pending']).optional(),
  /** A host: of the address in a call, or of the page where it ended: `shop.example`. */
  site: z.string().max(300).optional(),
});
export type JournalFilter = z.infer<typeof JournalFilter>;

/** A run, as `run_status` shows it. */
export const ListedRun = z.object({
  run_id: Id,
  tool: z.string().max(128),
  status: z.enum(['queued', 'running', 'completed', 'failed', 'cancelled', 'interrupted']),
  progress: RunProgress,
  items: Count,
  size_bytes: Count,
  started_at_ms: z.number(),
  ended_at_ms: z.number().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** Older servers leave it out. */
  notes: z.array(z.string()).readonly().optional(),
  output_handle: z.string().nullable(),
  source: z.string(),
  has_arguments: z.boolean(),
  /** Shortened arguments; nested values as JSON text. Absent from older builds. */
  args: z.record(z.string().max(64), z.union([z.string().max(300), z.number(), z.boolean()])).optional(),
  /** Arguments that did not fit in `args`. */
  args_left: Count.optional(),
  /** It waits for a person's answer. */
  asks: z.boolean().optional(),
});
export type ListedRun = z.infer<typeof ListedRun>;

const ListedOutput = z.object({
  handle: Id,
  source_tool: z.string(),
  mime_type: z.string(),
  kind: z.enum(['items', 'json', 'text', 'bytes']),
  size_bytes: Count,
  item_count: Count.nullable(),
  created_at_ms: z.number(),
  expires_at_ms: z.number(),
  /** Where its page text comes from; null for none, absent from older servers. */
  page: z.string().max(4_000).nullable().optional(),
  /** Null for one that expires; absent from older servers. */
  kept: z
    .object({
      note: z.string().nullable(),
      /** Who may release it, besides a person, who always can. Absent as above. */
      by: z.enum(['agent', 'person']).optional(),
    })
    .nullable()
    .optional(),
});

export const FEED_METHODS = {
  /**
   * Events after `cursor`; waits for one at most `wait_ms`. Without a cursor, answers at once with the
   * reader's start. A server collects nothing for the feed half a minute after the last request.
   */
  'feed.next': {
    params: z.object({
      cursor: FeedCursor.nullable(),
      limit: z.int().min(1).max(FEED_BATCH).default(FEED_BATCH),
      wait_ms: z.int().min(0).max(FEED_WAIT_MS).default(FEED_WAIT_MS),
    }),
    result: z.object({
      /** Identifies the folder of journal, runs and outputs: servers of one home share a journal. */
      home: z.string().max(64),
      cursor: FeedCursor,
      events: z.array(FeedEvent).readonly(),
    }),
  },
  /**
   * Lines of the home's journal: with `after` the next ones, oldest first; else those before `before`, or the
   * last ones, newest first. A page may have fewer than `limit` lines, or none, and still have a `next`.
   */
  'journal.page': {
    params: z.object({
      before: JournalPosition.optional(),
      after: JournalPosition.optional(),
      limit: Limit.default(FEED_PAGE),
      filter: JournalFilter.default({}),
    }),
    result: z.object({
      lines: z.array(z.object({ position: JournalPosition, line: JournalLine })).readonly(),
      /** For `before` or `after` of the next page in the same direction; null at the end. */
      next: JournalPosition.nullable(),
    }),
  },
  /** Runs of the home, newest first. */
  'runs.list': {
    params: z.object({
      status: ListedRun.shape.status.optional(),
      offset: Count.max(1_000).default(0),
      limit: Limit.default(50),
    }),
    result: z.object({ runs: z.array(ListedRun).readonly(), total: Count, next_offset: Count.nullable() }),
  },
  /** A person at the browser ends a run. Answered when the run has stopped. */
  'runs.cancel': { params: z.object({ run_id: Id }), result: z.object({ run: ListedRun }) },
  /**
   * A person continues a cancelled, failed or interrupted run. `outcome`: repeat or skip the call at which a
   * program stopped; `result` replaces its answer, as JSON or text.
   */
  'runs.resume': {
    params: z.object({
      run_id: Id,
      outcome: z.enum(['retry', 'skip']).optional(),
      result: z.string().max(1_000).optional(),
    }),
    result: z.object({ run: ListedRun }),
  },
  /** Stored outputs of the home, newest first: those older than the one named by `before`. */
  'outputs.list': {
    params: z.object({ before: Id.optional(), limit: Limit.default(50) }),
    result: z.object({
      outputs: z.array(ListedOutput).readonly(),
      total: Count,
      /** For `before`; null at the end. */
      next: Id.nullable(),
    }),
  },
} as const;
