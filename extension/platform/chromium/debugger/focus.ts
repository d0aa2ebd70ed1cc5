import { Holds } from '../../../core/holds.ts';
import { castTab } from './cast.ts';
import type { DebuggerLease, DebuggerSessions } from './sessions.ts';

interface Lingers<Value> {
  readonly lingerMs: number;
  open(tabId: number, signal: AbortSignal): Promise<Value>;
  close(value: Value): void;
  readonly isPending?: (tabId: number) => boolean;
}

/** State that calls on a tab share, with the lease of its debugger. It outlasts each of them for a moment. */
export class Lingering<Value extends { readonly lease: DebuggerLease }> extends Holds<number, Value> {
  constructor(private readonly focus: Lingers<Value>) {
    super(focus);
  }

  /** @throws SpillwayError of a refused attachment: see `DebuggerSessions.acquire` */
  async acquire(tabId: number, signal: AbortSignal): Promise<Value & { readonly release: () => void }> {
    const known = this.get(tabId);
    const value = known?.lease.signal.aborted === false ? known : await this.focus.open(tabId, signal);
    return { ...value, release: this.hold(tabId, value) };
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
