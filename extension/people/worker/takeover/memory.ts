import { z } from 'zod';
import { Caller } from '../../../../shared/core/policy/call-facts.ts';
import { HumanAsk, TakeoverEnding, TakeoverUntil } from '../../../../shared/people/takeover.ts';
import { SessionMemory, type SessionStorage } from '../../../core/session-memory.ts';

const KEPT_MS = 10 * 60_000;
/** Remembered times when a person had a tab; the oldest are dropped. */
const MAX_SPANS = 500;

/** A tab that an agent has asked a person to take over, theirs from then on; or a question. */
export const Takeover = z.object({
  id: z.string(),
  /** Instance of the server. */
  server: z.string(),
  caller: Caller,
  /** Null for a question. */
  tab_id: z.int().nullable(),
  /** The tab, and those that its pages have opened meanwhile: a log-in may open a window of its own. */
  tabs: z.array(z.int()),
  message: z.string(),
  ask: HumanAsk.nullable().default(null),
  until: TakeoverUntil.nullable(),
  limit_ms: z.number(),
  origin: z.string(),
  /** The address at the start, for `until.moved`. */
  page: z.string().optional(),
  begun_at: z.number(),
  /** When its card first appeared; null while others are before it. */
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

/** Everything that a restarted worker has to know. */
export const TakeoverState = z.object({
  open: z.array(Takeover),
  ended: z.array(EndedTakeover),
  spans: z.array(Span),
  /** Take-overs without a result, so that an agent cannot ask endlessly. */
  begun: z.array(z.object({ id: z.string(), agent: z.string(), at: z.number() })),
  /** The latest time seen: an earlier clock was set back. */
  latest: z.number(),
});
export type TakeoverState = z.infer<typeof TakeoverState>;

/** The take-overs of this browser, and their copy in storage. */
export class TakeoverMemory extends SessionMemory<TakeoverState> {
  /** @param monotonicNow a clock that cannot be set, starting with the worker */
  constructor(storage: SessionStorage, now: () => number, monotonicNow: () => number) {
    const empty = { open: [], ended: [], spans: [], begun: [], latest: 0 };
    super({ storage, now, monotonicNow, schema: TakeoverState, empty });
  }

  protected override setBack(now: number, byMs: number): void {
    const { state } = this;
    const had = now + byMs;
    state.open = state.open.map((one) => ({
      ...one,
      begun_at: one.begun_at - byMs,
      asked_at: one.asked_at === null ? null : one.asked_at - byMs,
    }));
    state.begun = state.begun.map((one) => ({ ...one, at: one.at - byMs }));
    // Records of the page span the clock before and after the change.
    state.spans = state.spans.flatMap((span) =>
      span.to === null
        ? [
            { ...span, to: had },
            { ...span, from: Math.min(span.from, now) },
          ]
        : [span],
    );
  }

  protected override trim(): void {
    const { state } = this;
    const now = this.time();
    state.ended = state.ended.filter(({ ending }) => now < ending.to + KEPT_MS);
    state.spans = state.spans.slice(-MAX_SPANS);
  }

  protected override hasOpen(): boolean {
    return this.state.open.length > 0;
  }
}
