import { castTab } from '../chromium/debugger/cast.ts';
import type { DebuggerLease, DebuggerSessions } from '../chromium/debugger/sessions.ts';

/** How long a tab keeps its focus after it was last needed. */
const LINGER_MS = 3_000;

interface Held {
  readonly lease: DebuggerLease;
  /** Without a cast, Chromium draws a hidden tab with focus emulation once a second after a few changes. */
  stopCast: () => Promise<void>;
  /** Calls that need it now. */
  users: number;
  timer: ReturnType<typeof setTimeout> | null;
}

/**
 * Focus emulation over several calls on a tab: a page that loads more as it is scrolled would lose what it
 * was about to notice if it fell asleep between two of them, and a person would see the banner come and go.
 */
export class FocusEmulation {
  readonly #debuggers: DebuggerSessions;
  readonly #held = new Map<number, Held>();

  constructor(debuggers: DebuggerSessions) {
    this.#debuggers = debuggers;
  }

  /**
   * Focuses a tab until the returned function is called, and a little longer.
   * @throws SpillwayError of an attachment that is refused: see `DebuggerSessions.acquire`
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
    const lease = await this.#debuggers.acquire(tabId, signal);
    const held: Held = { lease, stopCast: () => Promise.resolve(), users: 0, timer: null };
    this.#held.set(tabId, held);
    // A page that cannot be cast is drawn more slowly, and nothing else.
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
