import { castTab } from './cast.ts';
import type { DebuggerLease, DebuggerSessions } from './sessions.ts';

interface KeptFocus<Value> {
  readonly value: Value;
  /** Calls that currently need it. */
  users: number;
  timer?: ReturnType<typeof setTimeout>;
}

interface Lingers<Value> {
  readonly lingerMs: number;
  readonly open: (tabId: number, signal: AbortSignal) => Promise<Value>;
  readonly close: (value: Value) => void;
  /** It lingers on as long as it is pending. */
  readonly isPending?: (tabId: number) => boolean;
}

/** State that calls on a tab share, with the lease of its debugger. It outlasts each of them for a moment. */
export class Lingering<Value extends { readonly lease: DebuggerLease }> {
  readonly #kept = new Map<number, KeptFocus<Value>>();

  constructor(private readonly of: Lingers<Value>) {}

  /** @throws SpillwayError of a refused attachment: see `DebuggerSessions.acquire` */
  async acquire(tabId: number, signal: AbortSignal): Promise<Value & { readonly release: () => void }> {
    let kept = this.#kept.get(tabId);
    if (kept === undefined || kept.value.lease.signal.aborted)
      kept = { value: await this.of.open(tabId, signal), users: 0 };
    const { value } = kept;
    const used = kept;
    this.#kept.set(tabId, used);
    used.users += 1;
    clearTimeout(used.timer);
    const release = (): void => {
      used.users -= 1;
      if (used.users === 0) this.#linger(tabId, used);
    };
    return { ...value, release };
  }

  #linger(tabId: number, kept: KeptFocus<Value>): void {
    kept.timer = setTimeout(() => {
      if (this.of.isPending?.(tabId) === true) return this.#linger(tabId, kept);
      if (this.#kept.get(tabId) === kept) this.#kept.delete(tabId);
      this.of.close(kept.value);
    }, this.of.lingerMs);
  }
}

const LINGER_MS = 3_000;

interface Focused {
  readonly lease: DebuggerLease;
  readonly stopCast: () => Promise<void>;
}

/**
 * Keeps focus emulation over several calls on a tab. A page that loads more as it is scrolled would miss events if it
 * fell asleep between two calls, and a person would see the banner flicker.
 */
export class FocusEmulation extends Lingering<Focused> {
  constructor(debuggers: DebuggerSessions) {
    super({
      lingerMs: LINGER_MS,
      open: async (tabId, signal) => {
        const lease = await debuggers.acquire(tabId, signal);
        // Without a cast, Chromium draws a hidden tab with focus emulation once a second after a few changes. A page
        // that cannot be cast is only drawn more slowly.
        return { lease, stopCast: await castTab(lease).catch(() => () => Promise.resolve()) };
      },
      close: ({ lease, stopCast }) => void stopCast().then(() => lease.release()),
    });
  }
}
