import { z } from 'zod';
import { FEED_METHODS, FeedCursor, JournalPosition } from '../../../shared/bridge/feed.ts';
import type { FeedRequest } from '../../panel/feed-protocol.ts';

/** Servers, and homes, that one message may name. */
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

const Query = z.discriminatedUnion('type', [
  Timeline,
  FEED_METHODS['runs.list'].params.partial().extend({ type: z.literal('runs'), home: Name }),
  FEED_METHODS['outputs.list'].params.partial().extend({ type: z.literal('outputs'), home: Name }),
]);
export type Query = z.infer<typeof Query>;

/** What a page of the panel may send on its port. */
export const Request = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin'), cursors: z.record(Name, FeedCursor).refine(isShort) }),
  z.object({ type: z.literal('seen'), server: Name }),
  z.object({
    type: z.literal('control'),
    agent: z.object({ name: z.string().max(100), session: Name.nullable() }),
    state: z.enum(['stopped', 'paused', 'on']),
  }),
  z.object({ type: z.literal('query'), id: z.int().min(0), query: Query }),
]) satisfies z.ZodType<FeedRequest>;

export type ControlRequest = Extract<z.infer<typeof Request>, { type: 'control' }>;
