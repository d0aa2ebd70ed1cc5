import type { DebuggerLease, DebuggerSessions } from '../chromium/debugger/sessions.ts';
import type { FocusEmulation } from '../pages/focus-emulation.ts';
import type { TabDownloads, WatchDownloads } from './downloads.ts';
import { FrameSessions } from './frame-sessions.ts';

/**
 * How long a tab stays attached after an act: the next one begins at once, and the banner does not come and
 * go.
 */
const LINGER_MS = 10_000;

/** A tab's debugger while it is acted on. */
export interface ActDebugger {
  readonly lease: DebuggerLease;
  readonly frames: FrameSessions;
}

interface Kept extends ActDebugger {
  readonly unfocus: () => void;
  users: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** The debugger over several acts on a tab: focused, and listening for dialogs. */
export class ActDebuggers {
  readonly #debuggers: DebuggerSessions;
  readonly #focus: FocusEmulation;
  readonly #downloads: TabDownloads;
  readonly #kept = new Map<number, Kept>();

  constructor(debuggers: DebuggerSessions, focus: FocusEmulation, downloads: TabDownloads) {
    this.#debuggers = debuggers;
    this.#focus = focus;
    this.#downloads = downloads;
  }

  /** @throws SpillwayError of an attachment that is refused: see `DebuggerSessions.acquire` */
  async acquire(tabId: number, signal: AbortSignal): Promise<ActDebugger & { release(): void }> {
    const known = this.#kept.get(tabId);
    const kept =
      known !== undefined && !known.lease.signal.aborted ? known : await this.#attach(tabId, signal);
    kept.users += 1;
    clearTimeout(kept.timer);
    try {
      // One of its own, whose listeners go with the act.
      const lease = await this.#debuggers.acquire(tabId, signal);
      return {
        lease,
        frames: kept.frames,
        release: () => {
          void lease.release();
          this.#leave(tabId, kept);
        },
      };
    } catch (thrown) {
      this.#leave(tabId, kept);
      throw thrown;
    }
  }

  #leave(tabId: number, kept: Kept): void {
    kept.users -= 1;
    if (kept.users === 0) this.#linger(tabId, kept);
  }

  async #attach(tabId: number, signal: AbortSignal): Promise<Kept> {
    const lease = await this.#debuggers.acquire(tabId, signal);
    try {
      // A click that opens a dialog would not come back otherwise.
      await lease.keepDialogs();
      this.#downloads.follow(lease);
      // Commands to a page that crashes are never answered.
      lease.send('Inspector.enable').catch(() => undefined);
      const unfocus = await this.#focus.acquire(tabId, signal);
      const kept: Kept = { lease, frames: new FrameSessions(lease), unfocus, users: 0, timer: undefined };
      this.#kept.set(tabId, kept);
      return kept;
    } catch (thrown) {
      await lease.release();
      throw thrown;
    }
  }

  #linger(tabId: number, kept: Kept): void {
    kept.timer = setTimeout(() => this.#release(tabId, kept), LINGER_MS);
  }

  #release(tabId: number, kept: Kept): void {
    if (kept.users > 0) return;
    // The browser reports a download only to a debugger that was attached when it began.
    if (this.#downloads.isPending(tabId)) return this.#linger(tabId, kept);
    if (this.#kept.get(tabId) === kept) this.#kept.delete(tabId);
    kept.unfocus();
    void kept.lease.release();
  }
}

/** Creates the function that watches a tab's downloads. Errors are those of {@link ActDebuggers.acquire}. */
export const createWatchDownloads =
  ({
    acting,
    downloads,
  }: {
    readonly acting: ActDebuggers;
    readonly downloads: TabDownloads;
  }): WatchDownloads =>
  async (tabId, session, signal) => {
    const since = downloads.lastAct(tabId, session);
    const { release } = await acting.acquire(tabId, signal);
    return { list: () => downloads.of(tabId, since), release };
  };
