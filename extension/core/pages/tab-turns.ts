import { defer, waitAtMost, onAbort } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';

/** The call that scrolls a tab. */
interface Turn {
  readonly call: string;
  readonly ended: Promise<void>;
  readonly end: () => void;
}

export interface TakeOptions {
  /** Identifies the call, which takes several requests. */
  readonly call: string;
  /** How long to wait for another call, in milliseconds. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** Ends the turn: nobody else would when the caller's server has disconnected. */
  readonly closed: AbortSignal;
}

/** A tab has one scroll position, and a page one scroller: calls that scroll a tab take turns. */
export class ScrollTurns {
  readonly #turns = new Map<number, Turn>();

  /**
   * Waits until no other call scrolls the tab, and reserves the tab. A call that already has it continues.
   * @throws SpillwayError `tab_busy` if the other call has not ended within `waitMs`; the signal's reason
   */
  async take(tabId: number, { call, waitMs, signal, closed }: TakeOptions): Promise<void> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      signal.throwIfAborted();
      const turn = this.#turns.get(tabId);
      if (turn?.call === call) return;
      if (turn === undefined) break;
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) throw new SpillwayError('tab_busy', `Another call is scrolling tab ${tabId}.`);
      await waitAtMost(turn.ended, leftMs, signal);
    }
    const { promise: ended, resolve: fulfil } = defer<void>();
    const stopListening = onAbort(closed, () => this.release(tabId, call));
    const end = (): void => {
      stopListening();
      fulfil();
    };
    if (!closed.aborted) this.#turns.set(tabId, { call, ended, end });
  }

  /** Ends the turn of a call, if it has one. */
  release(tabId: number, call: string): void {
    const turn = this.#turns.get(tabId);
    if (turn?.call !== call) return;
    this.#turns.delete(tabId);
    turn.end();
  }
}
