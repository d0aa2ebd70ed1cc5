import { castTab } from '../chromium/debugger/cast.ts';
import type { DebuggerLease, DebuggerSessions } from '../chromium/debugger/sessions.ts';

const LINGER_MS = 3_000;

interface Held {
  readonly lease: DebuggerLease;
  /** Without a cast, Chromium draws a hidden tab with focus emulation once a second after a few changes. */
  stopCast: () => Promise<void>;
  /** Calls that currently need it. */
  users: number;
  timer: ReturnType<typeof setTimeout> | null;
}

/**
 * Keeps focus emulation over several calls on a tab. A page that loads more as it is scrolled would miss events if it
 * fell asleep between two calls, and a person would see the banner flicker.
 */
export class FocusEmulation {
  readonly #held = new Map<number, Held>();

  constructor(private readonly debuggers: DebuggerSessions) {}

  /**
   * Focuses a tab until the returned function is called, and a little longer.
   * @throws SpillwayError of a refused attachment: see `DebuggerSessions.acquire`
   */
  async acquire(tabId: number, signal: AbortSignal): Promise<() => void> {
    const known = this.#held.get(tabId);
    const held =
      known !== undefined && !known.lease.signal.aborted ? known : await this.#attach(tabId, signal);
    held.users += 1;
    if (held.timer !== null) clearTimeout(held.timer);
    held.timer = null;
    return () => {
      held.users -= 1;
      if (held.users === 0) held.timer = setTimeout(() => this.#release(tabId, held), LINGER_MS);
    };
  }

  async #attach(tabId: number, signal: AbortSignal): Promise<Held> {
    const lease = await this.debuggers.acquire(tabId, signal);
    const held: Held = { lease, stopCast: () => Promise.resolve(), users: 0, timer: null };
    this.#held.set(tabId, held);
    // A page that cannot be cast is only drawn more slowly.
    await castTab(lease)
      .then((stop) => (held.stopCast = stop))
      .catch(() => undefined);
    return held;
  }

  #release(tabId: number, held: Held): void {
    if (held.users > 0) return;
    if (this.#held.get(tabId) === held) this.#held.delete(tabId);
    void held.stopCast().then(() => held.lease.release());
  }
}
