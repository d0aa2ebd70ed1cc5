import type { z } from 'zod';
import browser from 'webextension-polyfill';
import { messageOf } from '../../shared/base/message-of.ts';

/** How far a clock may be set back without effect: clocks are corrected all the time. */
const SLACK_MS = 2_000;
/** How much the clocks of a machine may differ in speed. */
const DRIFT = 0.001;
const SAVED_MS = 60_000;

export interface SessionStorage {
  load(): Promise<unknown>;
  save(state: object): Promise<void>;
}

/** Outlives the worker, not the browser. */
export const sessionStorage = (key: string): SessionStorage => ({
  load: async () => (await browser.storage.session.get(key))[key],
  save: (state) => browser.storage.session.set({ [key]: state }),
});

interface MemoryOptions<S> {
  readonly storage: SessionStorage;
  readonly now: () => number;
  /** A clock that cannot be set, starting with the worker. */
  readonly monotonicNow: () => number;
  readonly schema: z.ZodType<S>;
  readonly empty: S;
}

/** The open questions of this browser and their copy in storage. Ages stay right when the clock is set back. */
export abstract class SessionMemory<S extends { latest: number }> {
  /** Both clocks at the last check; null before the worker's first. */
  #seen: { readonly now: number; readonly monotonic: number } | null = null;
  #savedAt = 0;
  #saving: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  state: S;
  /** Resolves when the state of an earlier worker has been read. */
  readonly loaded: Promise<void>;

  constructor(private readonly kept: MemoryOptions<S>) {
    this.state = kept.empty;
    this.loaded = this.#load();
  }

  /** The clock was set back. Open questions keep their age. */
  protected abstract setBack(now: number, byMs: number): void;
  /** Removes members that need not be stored. */
  protected abstract trim(): void;
  protected abstract hasOpen(): boolean;

  async #load(): Promise<void> {
    const { storage, schema } = this.kept;
    const stored = await storage.load().catch(() => undefined);
    if (stored === undefined) return;
    const parsed = schema.safeParse(stored);
    // Nobody may act on unreadable state: everything is asked again.
    if (parsed.success) this.state = parsed.data;
  }

  /**
   * The time. A clock set back is detected by the monotonic clock while this worker runs, and by the latest time that
   * an earlier worker stored.
   */
  time(): number {
    const now = this.kept.now();
    const monotonic = this.kept.monotonicNow();
    const elapsed = this.#seen === null ? 0 : monotonic - this.#seen.monotonic;
    const due = Math.max(this.state.latest, (this.#seen?.now ?? 0) + elapsed);
    this.#seen = { now, monotonic };
    if (now < due - SLACK_MS - elapsed * DRIFT) {
      this.setBack(now, due - now);
      this.state.latest = now;
    }
    this.state.latest = Math.max(this.state.latest, now);
    return this.state.latest;
  }

  /** Stores the time now and then while anything is open, for the next worker. */
  async saveTime(): Promise<void> {
    if (this.hasOpen() && this.state.latest - this.#savedAt >= SAVED_MS) await this.save();
  }

  /**
   * Resolves when the current state has been stored. Changes during a write are written together. If storing fails,
   * this worker still has the state in memory.
   */
  save(): Promise<void> {
    if (this.#saving === null) {
      this.#saving = this.#write().finally(() => (this.#saving = null));
      return this.#saving;
    }
    this.#next ??= this.#saving.then(() => {
      this.#next = null;
      return this.save();
    });
    return this.#next;
  }

  async #write(): Promise<void> {
    this.#savedAt = this.state.latest;
    this.trim();
    try {
      await this.kept.storage.save(this.state);
    } catch (thrown) {
      console.warn(`The questions to people could not be stored: ${messageOf(thrown)}`);
    }
  }
}
