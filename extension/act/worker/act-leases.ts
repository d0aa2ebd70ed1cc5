import type { Caller } from '../../../shared/core/policy/call-facts.ts';
import { onAbort, abortable, defer } from '../../../shared/base/async.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { quotePage } from '../../core/pages/targets.ts';

/** A session that is silent for this long loses its tab. */
const SILENCE_MS = 30_000;
const NAME_UNITS = 60;

interface Held {
  readonly caller: Caller;
  /** Active calls of the session. */
  readonly calls: Set<object>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export interface TakeOptions {
  readonly signal: AbortSignal;
  /** Aborted when the session's server disconnects, which ends the session. */
  readonly closed: AbortSignal;
  /** Waits for the session's other acting calls on the tab, so that their input does not mix. */
  readonly isAct: boolean;
}

/** A call's hold on a tab. */
export interface ActLease {
  /**
   * Call before each step.
   * @throws SpillwayError `tab_busy` if another session has taken the tab after a long silence
   */
  renew(): void;
  /** Idempotent. */
  release(): void;
}

/**
 * One session at a time acts on a tab: others are refused at once, with an error that names the holder. The lease ends
 * with the call, with the session's server, or after {@link SILENCE_MS} of silence. Reading is free. Scrolling has
 * turns of its own (`ScrollTurns`), which last over several requests and are waited for.
 */
export class ActLeases {
  readonly #held = new Map<number, Held>();
  /** The acting calls, by tab and session. They outlast a silent lease, since their input may still arrive. */
  readonly #turns = new Map<string, Promise<void>>();
  /** When tabs were last released, in milliseconds since the epoch. */
  readonly #endedAt = new Map<number, number>();

  /** @throws SpillwayError `tab_busy` while another session has the tab; the signal's reason */
  async take(tabId: number, caller: Caller, { signal, closed, isAct }: TakeOptions): Promise<ActLease> {
    signal.throwIfAborted();
    const turn = `${tabId} ${caller.session}`;
    for (;;) {
      this.#expectFree(tabId, caller);
      const before = this.#turns.get(turn);
      if (!isAct || before === undefined) break;
      await abortable(before, signal);
    }
    const call = {};
    const { promise: ended, resolve: end } = defer<void>();
    if (isAct) this.#turns.set(turn, ended);
    this.#renew(tabId, caller, call);
    const release = (): void => {
      stopListening();
      const held = this.#held.get(tabId);
      if (held?.calls.delete(call) === true && held.calls.size === 0) this.#drop(tabId, held);
      if (this.#turns.get(turn) === ended) this.#turns.delete(turn);
      end();
    };
    let stopListening: () => void = () => undefined;
    stopListening = onAbort(closed, release);
    return { renew: () => this.#renew(tabId, caller, call), release };
  }

  /** Whether an agent acts on a tab, or has since a time. */
  wasHeld(tabId: number, since: number): boolean {
    return this.#held.has(tabId) || (this.#endedAt.get(tabId) ?? -Infinity) >= since;
  }

  /** The session's lease; undefined if nobody has one. */
  #expectFree(tabId: number, caller: Caller): Held | undefined {
    const known = this.#held.get(tabId);
    if (known !== undefined && known.caller.session !== caller.session) throw busyError(tabId, known.caller);
    return known;
  }

  #renew(tabId: number, caller: Caller, call: object): void {
    const held = this.#expectFree(tabId, caller) ?? { caller, calls: new Set(), timer: undefined };
    this.#held.set(tabId, held);
    held.calls.add(call);
    clearTimeout(held.timer);
    held.timer = setTimeout(() => this.#drop(tabId, held), SILENCE_MS);
  }

  #drop(tabId: number, held: Held): void {
    clearTimeout(held.timer);
    if (this.#held.get(tabId) === held) this.#held.delete(tabId);
    this.#endedAt.set(tabId, Date.now());
  }
}

const busyError = (tabId: number, { name }: Caller): SpillwayError =>
  new SpillwayError('tab_busy', `Tab ${tabId} is in use by another agent, ${quotePage(name, NAME_UNITS)}.`);
