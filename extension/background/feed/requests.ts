import { z } from 'zod';
import { FEED_METHODS, FeedCursor, JournalPosition } from '../../../shared/bridge/feed.ts';
import { HOME_METHODS, ONE_SERVER_METHODS, type Asked, type FeedRequest } from '../../panel/feed-protocol.ts';

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
  z.object({ type: z.literal(HOME_METHODS), home: Name }),
  z.object({ type: z.literal(ONE_SERVER_METHODS), server: Name }),
]);

const Query = z.union([
  Timeline,
  z.object({ type: z.literal('meter') }),
  z.object({ type: z.literal('ledger_forget'), home: Name }),
  z.custom<Asked>((query) => OfServers.safeParse(query).success),
]);
export type Query = z.infer<typeof Query>;

const CHANGES: readonly string[] = [
  'runs.cancel',
  'runs.resume',
  'runs.answer',
  'budget.lift',
  'outputs.delete',
  'outputs.keep',
  'upstreams.accept',
  'ledger_forget',
];
/** Whether a query changes something: accepted only from a page in front of a person. */
export const isChange = ({ type }: Query): boolean => CHANGES.includes(type);

export const Request = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begin'), cursors: z.record(Name, FeedCursor).refine(isShort) }),
  z.object({ type: z.literal('seen'), server: Name }),
  z.object({
    type: z.literal('control'),
    agent: z
      .object({ name: z.string().max(100).nullable(), session: Name.nullable() })
      .refine(({ name, session }) => name !== null || session === null),
    state: z.enum(['stopped', 'paused', 'on']),
  }),
  z.object({ type: z.literal('query'), id: z.int().min(0), query: Query }),
]) satisfies z.ZodType<FeedRequest>;

export type ControlRequest = Extract<z.infer<typeof Request>, { type: 'control' }>;
export type QueryRequest = Extract<z.infer<typeof Request>, { type: 'query' }>;
