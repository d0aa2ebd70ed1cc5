import type { Caller } from '../../../shared/policy/call-facts.ts';
import { onAbort, abortable } from '../../../shared/async.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { quotePage } from '../pages/targets.ts';

/** A session that is silent for this long loses its tab. */
const SILENCE_MS = 30_000;
const NAME_UNITS = 60;

interface Held {
  readonly caller: Caller;
  /** Active calls of the session. */
  readonly calls: Set<object>;
  /** The acting call's turn; the session's next one waits for it. */
  acting: Promise<void> | null;
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
  /** When tabs were last released, in milliseconds since the epoch. */
  readonly #endedAt = new Map<number, number>();

  /** @throws SpillwayError `tab_busy` while another session has the tab; the signal's reason */
  async take(tabId: number, caller: Caller, { signal, closed, isAct }: TakeOptions): Promise<ActLease> {
    signal.throwIfAborted();
    for (;;) {
      const acting = this.#of(tabId, caller).acting;
      if (!isAct || acting === null) break;
      await abortable(acting, signal);
    }
    const call = {};
    let end: () => void = () => undefined;
    if (isAct) this.#of(tabId, caller).acting = new Promise((resolve) => (end = resolve));
    this.#renew(tabId, caller, call);
    const release = (): void => {
      stopListening();
      const held = this.#held.get(tabId);
      if (held?.calls.delete(call) === true) {
        if (isAct) held.acting = null;
        if (held.calls.size === 0) this.#drop(tabId, held);
      }
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

  /** The session's lease, created if nobody has one. */
  #of(tabId: number, caller: Caller): Held {
    const known = this.#held.get(tabId);
    if (known === undefined) {
      const held: Held = { caller, calls: new Set(), acting: null, timer: undefined };
      this.#held.set(tabId, held);
      return held;
    }
    if (known.caller.session !== caller.session) throw busyError(tabId, known.caller);
    return known;
  }

  #renew(tabId: number, caller: Caller, call: object): void {
    const held = this.#of(tabId, caller);
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
