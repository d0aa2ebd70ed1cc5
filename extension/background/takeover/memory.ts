import browser from 'webextension-polyfill';
import { messageOf } from '../../../shared/message-of.ts';
import { CLOCK_SLACK_MS, KEPT_MS, MOST_SPANS } from './bounds.ts';
import { emptyState, TakeoverState } from './state.ts';

const KEY = 'takeovers';

/** Where the state is kept while no worker runs. */
export interface TakeoverStorage {
  load(): Promise<unknown>;
  save(state: TakeoverState): Promise<void>;
}

/** It outlives the worker, not the browser: no more do tabs. */
export const sessionStorage: TakeoverStorage = {
  load: async () => (await browser.storage.session.get(KEY))[KEY],
  save: (state) => browser.storage.session.set({ [KEY]: state }),
};

/** The take-overs of this browser, and their copy in storage. */
export class TakeoverMemory {
  readonly #storage: TakeoverStorage;
  readonly #now: () => number;
  #saving: Promise<void> = Promise.resolve();
  state: TakeoverState = emptyState();
  /** Resolves when what an earlier worker kept has been read. */
  readonly loaded: Promise<void>;

  constructor(storage: TakeoverStorage, now: () => number) {
    this.#storage = storage;
    this.#now = now;
    this.loaded = this.#load();
  }

  async #load(): Promise<void> {
    const kept = await this.#storage.load().catch(() => undefined);
    if (kept === undefined) return;
    const parsed = TakeoverState.safeParse(kept);
    if (parsed.success) this.state = parsed.data;
  }

  /** The time. Where the clock was set back, limits begin again: how long a person has had a tab is not known. */
  time(): number {
    const now = this.#now();
    const { state } = this;
    if (now < state.latest - CLOCK_SLACK_MS) {
      state.open = state.open.map((one) => ({
        ...one,
        begun_at: now,
        asked_at: one.asked_at === null ? null : now,
      }));
      state.begun = state.begun.map((one) => ({ ...one, at: now }));
      state.latest = now;
    }
    state.latest = Math.max(state.latest, now);
    return state.latest;
  }

  /** Resolves when what is in memory now has been stored. What cannot be stored is still in this worker's memory. */
  save(): Promise<void> {
    const now = this.time();
    this.state.ended = this.state.ended.filter(({ ending }) => now < ending.to + KEPT_MS);
    this.state.spans = this.state.spans.slice(-MOST_SPANS);
    this.#saving = this.#saving
      .then(() => this.#storage.save(this.state))
      .catch((thrown: unknown) => console.warn(`The take-overs could not be stored: ${messageOf(thrown)}`));
    return this.#saving;
  }
}
