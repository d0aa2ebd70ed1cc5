import { z } from 'zod';
import { ANSWER_METHODS, PROGRAM_METHODS, UPSTREAM_METHODS } from '../../../shared/bridge/answers.ts';
import { FEED_METHODS, FeedCursor, JournalPosition } from '../../../shared/bridge/feed.ts';
import { METER_METHODS } from '../../../shared/bridge/meter.ts';
import type { FeedRequest } from '../../panel/feed-protocol.ts';

/** Servers and homes that one message may name. */
const NAMES_MAX = 100;
const Name = z.string().min(1).max(64);
const Run = z.string().min(1).max(128);

const isShort = (record: object): boolean => Object.keys(record).length <= NAMES_MAX;

const Timeline = FEED_METHODS['journal.page'].params
  .pick({ limit: true, filter: true })
  .partial()
  .extend({
    type: z.literal('timeline'),
    before: z.record(Name, JournalPosition.nullable()).refine(isShort).optional(),
  });
export type TimelineQuery = z.infer<typeof Timeline>;

const { params: PageParams } = ANSWER_METHODS['outputs.page'];
const { params: SearchParams } = ANSWER_METHODS['outputs.search'];
const { params: KeepParams } = ANSWER_METHODS['outputs.keep'];
const { params: ItemsParams } = ANSWER_METHODS['runs.items'];
const { params: LedgerParams } = ANSWER_METHODS['ledger.page'];
const { params: ResultParams } = ANSWER_METHODS['call.result'];

const { params: ToolsParams } = UPSTREAM_METHODS['upstreams.tools'];
const { params: AcceptParams } = UPSTREAM_METHODS['upstreams.accept'];

const Open = z.discriminatedUnion('type', [
  z.object({ type: z.literal('result'), home: Name, call: ResultParams.shape.call_id }),
  PageParams.extend({ type: z.literal('output_page'), home: Name }),
  SearchParams.extend({ type: z.literal('output_search'), home: Name }),
  PageParams.pick({ handle: true }).extend({ type: z.literal('output_delete'), home: Name }),
  KeepParams.omit({ where: true }).extend({ type: z.literal('output_keep'), home: Name }),
  ItemsParams.extend({ type: z.literal('run_items'), home: Name }),
  PROGRAM_METHODS['runs.calls'].params.extend({ type: z.literal('run_calls'), home: Name }),
  LedgerParams.omit({ remembered: true }).extend({ type: z.literal('ledger'), home: Name }),
  z.object({ type: z.literal('ledger_forget'), home: Name }),
  z.object({ type: z.literal(['health', 'upstreams']), server: Name }),
  ToolsParams.extend({ type: z.literal('upstream_tools'), server: Name }),
  AcceptParams.omit({ where: true }).extend({ type: z.literal('upstream_accept'), server: Name }),
]);
export type Open = z.infer<typeof Open>;

const Query = z.discriminatedUnion('type', [
  Open,
  Timeline,
  FEED_METHODS['runs.list'].params.partial().extend({ type: z.literal('runs'), home: Name }),
  z.object({
    type: z.enum(['run_cancel', 'run_resume']),
    home: Name,
    run: Run,
    outcome: FEED_METHODS['runs.resume'].params.shape.outcome,
    result: FEED_METHODS['runs.resume'].params.shape.result,
  }),
  PROGRAM_METHODS['runs.answer'].params
    .omit({ run_id: true })
    .extend({ type: z.literal('run_answer'), home: Name, run: Run }),
  FEED_METHODS['outputs.list'].params.partial().extend({ type: z.literal('outputs'), home: Name }),
  z.object({ type: z.literal('meter') }),
  METER_METHODS['budget.lift'].params
    .pick({ session: true, tokens: true })
    .extend({ type: z.literal('lift'), server: Name }),
]);
export type Query = z.infer<typeof Query>;
export type RunAct = Extract<Query, { run: string }>;

const OPEN: ReadonlySet<string> = new Set(Open.options.flatMap(({ shape }) => [...shape.type.values]));
export const isOpen = (query: Query): query is Open => OPEN.has(query.type);

/** Whether a query changes something: accepted only from a page in front of a person. */
export const isChange = (query: Query): boolean =>
  'run' in query ||
  ['lift', 'output_delete', 'output_keep', 'upstream_accept', 'ledger_forget'].includes(query.type);
export type Lift = Extract<Query, { type: 'lift' }>;

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
