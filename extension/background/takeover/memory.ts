import { SessionMemory, type SessionStorage } from '../session-memory.ts';
import { KEPT_MS, MOST_SPANS } from './bounds.ts';
import { emptyState, TakeoverState } from './state.ts';

/** The take-overs of this browser, and their copy in storage. */
export class TakeoverMemory extends SessionMemory<TakeoverState> {
  /** @param monotonicNow a clock that nobody sets, which begins with the worker */
  constructor(storage: SessionStorage, now: () => number, monotonicNow: () => number) {
    super({ storage, clocks: { now, monotonicNow }, schema: TakeoverState, empty: emptyState() });
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
    // What the page has recorded has the times of the clock before and of this one.
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
    state.spans = state.spans.slice(-MOST_SPANS);
  }

  protected override hasOpen(): boolean {
    return this.state.open.length > 0;
  }
}
