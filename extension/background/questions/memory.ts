import browser from 'webextension-polyfill';
import { messageOf } from '../../../shared/message-of.ts';
import { CLOCK_SLACK_MS, MOST_ENDED, MOST_GRANTS, MOST_REFUSED, MOST_REPORTS_KEPT } from './bounds.ts';
import { emptyState, QuestionState } from './state.ts';

const KEY = 'questions';

/** Where the state is kept while no worker runs. */
export interface QuestionStorage {
  load(): Promise<unknown>;
  save(state: QuestionState): Promise<void>;
}

/** It outlives the worker, not the browser. */
export const sessionStorage: QuestionStorage = {
  load: async () => (await browser.storage.session.get(KEY))[KEY],
  save: (state) => browser.storage.session.set({ [KEY]: state }),
};

/** Questions, grants and outcomes of this browser, and their copy in storage. */
export class QuestionMemory {
  readonly #storage: QuestionStorage;
  readonly #now: () => number;
  #saving: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  state: QuestionState = emptyState();
  /** Resolves when what an earlier worker kept has been read. */
  readonly loaded: Promise<void>;

  constructor(storage: QuestionStorage, now: () => number) {
    this.#storage = storage;
    this.#now = now;
    this.loaded = this.#load();
  }

  async #load(): Promise<void> {
    const kept = await this.#storage.load().catch(() => undefined);
    if (kept === undefined) return;
    const parsed = QuestionState.safeParse(kept);
    // Nobody may act on what cannot be read: everything is asked again.
    if (parsed.success) this.state = parsed.data;
  }

  /**
   * The time. Where the clock was set back, all grants end and the questions begin again: how long they have been
   * there is not known.
   */
  time(): number {
    const now = this.#now();
    const { state } = this;
    if (now < state.latest - CLOCK_SLACK_MS) {
      state.grants = [];
      state.ended = state.ended.map((ended) => ({ ...ended, at: now }));
      state.cards = state.cards.map(({ key, questions }) => ({
        key,
        questions: questions.map((question) => ({ ...question, asked_at: now })),
      }));
      state.latest = now;
    }
    state.latest = Math.max(state.latest, now);
    return state.latest;
  }

  /**
   * Resolves when what is in memory now has been stored. Changes that come while a write is active are written
   * together. What cannot be stored is still in the memory of this worker.
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
    const { state } = this;
    state.ended = state.ended.slice(-MOST_ENDED);
    state.refused = state.refused.slice(-MOST_REFUSED);
    state.grants = state.grants.slice(-MOST_GRANTS);
    state.reports = state.reports.slice(-MOST_REPORTS_KEPT);
    try {
      await this.#storage.save(state);
    } catch (thrown) {
      console.warn(`The open questions could not be stored: ${messageOf(thrown)}`);
    }
  }
}
