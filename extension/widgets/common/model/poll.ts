/*
 * When a run is polled: often while it moves, less and less often while it does not, never while it is hidden, and not
 * after it has ended or its server has become unreachable.
 */

const SOON_MS = 1_000;
const SELDOM_MS = 10_000;
const SLOWER = 1.5;
const LONGEST_RETRY_MS = 8_000;
/** Consecutive failures after which only the user can retry. */
const MOST_FAILURES = 3;

/** `lost`: several consecutive calls did not arrive. */
type PollPhase = 'waiting' | 'asking' | 'paused' | 'lost' | 'ended';

export interface PollState {
  readonly phase: PollPhase;
  /** Time until the next poll, from the start of `waiting`. */
  readonly delayMs: number;
  readonly failures: number;
  readonly isHidden: boolean;
}

export type PollEvent =
  | { readonly type: 'due' | 'failed' | 'hidden' | 'shown' | 'retry' | 'stop' }
  | { readonly type: 'answered'; readonly hasMoved: boolean; readonly hasEnded: boolean };

/** An active run, polled immediately. */
export const startPoll = (isHidden: boolean): PollState => ({
  phase: isHidden ? 'paused' : 'waiting',
  delayMs: 0,
  failures: 0,
  isHidden,
});

/** The only place where a poll changes state. An event that does not fit a phase changes nothing. */
export function advance(poll: PollState, event: PollEvent): PollState {
  if (poll.phase === 'ended') return poll;
  switch (event.type) {
    case 'stop':
      return { ...poll, phase: 'ended' };
    case 'due':
      return poll.phase === 'waiting' ? { ...poll, phase: 'asking' } : poll;
    case 'answered':
      return poll.phase === 'asking' ? answered(poll, event) : poll;
    case 'failed':
      return poll.phase === 'asking' ? failed(poll) : poll;
    case 'hidden':
      return { ...poll, isHidden: true, phase: poll.phase === 'waiting' ? 'paused' : poll.phase };
    case 'shown':
      return poll.phase === 'paused'
        ? { ...poll, isHidden: false, phase: 'waiting', delayMs: 0 }
        : { ...poll, isHidden: false };
    case 'retry':
      return poll.phase === 'lost' ? startPoll(poll.isHidden) : poll;
  }
}

const resting = ({ isHidden }: PollState): PollPhase => (isHidden ? 'paused' : 'waiting');

function answered(
  poll: PollState,
  { hasMoved, hasEnded }: { readonly hasMoved: boolean; readonly hasEnded: boolean },
): PollState {
  if (hasEnded) return { ...poll, phase: 'ended', failures: 0 };
  const delayMs = hasMoved ? SOON_MS : Math.min(SELDOM_MS, Math.max(SOON_MS, poll.delayMs * SLOWER));
  return { ...poll, phase: resting(poll), delayMs, failures: 0 };
}

function failed(poll: PollState): PollState {
  const failures = poll.failures + 1;
  if (failures >= MOST_FAILURES) return { ...poll, phase: 'lost', failures };
  const delayMs = Math.min(LONGEST_RETRY_MS, SOON_MS * 2 ** failures);
  return { ...poll, phase: resting(poll), delayMs, failures };
}

export interface PollDeps {
  /** Polls once. Rejects if the request did not arrive. */
  ask(): Promise<{ readonly hasMoved: boolean; readonly hasEnded: boolean }>;
  onChange(poll: PollState): void;
  setTimer(run: () => void, delayMs: number): () => void;
}

/** Drives a {@link PollState}: keeps its timer and polls when due. */
export class Polling {
  readonly #world: PollDeps;
  #poll: PollState;
  #clearTimer: () => void = () => undefined;

  constructor(world: PollDeps, isHidden: boolean) {
    this.#world = world;
    this.#poll = startPoll(isHidden);
    this.#arm();
    world.onChange(this.#poll);
  }

  dispatch(event: PollEvent): void {
    const before = this.#poll;
    this.#poll = advance(before, event);
    if (this.#poll === before) return;
    if (this.#poll.phase !== before.phase) this.#arm();
    this.#world.onChange(this.#poll);
  }

  #arm(): void {
    this.#clearTimer();
    this.#clearTimer = () => undefined;
    const { phase, delayMs } = this.#poll;
    if (phase === 'waiting')
      this.#clearTimer = this.#world.setTimer(() => this.dispatch({ type: 'due' }), delayMs);
    if (phase === 'asking')
      this.#world.ask().then(
        (answer) => this.dispatch({ type: 'answered', ...answer }),
        () => this.dispatch({ type: 'failed' }),
      );
  }
}
