import { z } from 'zod';
import { Caller } from '../../../shared/act/caller.ts';
import { HumanAsk, TakeoverEnding, TakeoverUntil } from '../../../shared/policy/takeover.ts';

/** A tab that an agent has asked a person to take over, theirs from then on; or a question. */
export const Takeover = z.object({
  id: z.string(),
  /** Instance of the server. */
  server: z.string(),
  caller: Caller,
  /** Null for a question. */
  tab_id: z.int().nullable(),
  /** The tab, and those that its pages have opened meanwhile: a log-in may be in a window of its own. */
  tabs: z.array(z.int()),
  message: z.string(),
  ask: HumanAsk.nullable().default(null),
  until: TakeoverUntil.nullable(),
  limit_ms: z.number(),
  /** Of the page that it was asked for. */
  origin: z.string(),
  begun_at: z.number(),
  /** When its card came first; null while others are before it. */
  asked_at: z.number().nullable(),
  /** A person has acted on the card, or looked at the tab. */
  is_seen: z.boolean(),
});
export type Takeover = z.infer<typeof Takeover>;

const EndedTakeover = z.object({
  id: z.string(),
  server: z.string(),
  tab_id: z.int().nullable(),
  ending: TakeoverEnding,
});
export type EndedTakeover = z.infer<typeof EndedTakeover>;

/** When a person had a tab; `to` is null while they have it. */
const Span = z.object({ tab_id: z.int(), from: z.number(), to: z.number().nullable() });

/** All that a worker that is started again has to know. */
export const TakeoverState = z.object({
  open: z.array(Takeover),
  ended: z.array(EndedTakeover),
  spans: z.array(Span),
  /** Those that have not led to anything, so that an agent cannot ask without end. */
  begun: z.array(z.object({ id: z.string(), agent: z.string(), at: z.number() })),
  /** The latest time that was seen: a clock that is behind it was set back. */
  latest: z.number(),
});
export type TakeoverState = z.infer<typeof TakeoverState>;

export const emptyState = (): TakeoverState => ({ open: [], ended: [], spans: [], begun: [], latest: 0 });
