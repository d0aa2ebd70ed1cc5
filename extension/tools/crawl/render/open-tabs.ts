import browser from 'webextension-polyfill';
import { z } from 'zod';

const KEY = 'crawlTabs';
const Remembered = z.object({ [KEY]: z.array(z.int()).catch([]).default([]) });

/**
 * The tabs that crawls have open, remembered beyond the worker's life: a worker that ends leaves
 * them behind, and the next one closes them. The browser's own end forgets them.
 */
export class OpenTabs {
  /** Settles when what an earlier worker left is closed: nothing may be remembered before. */
  readonly ready: Promise<void>;
  readonly #tabs = new Set<number>();
  #saving: Promise<void> = Promise.resolve();

  /** To be made while the worker starts. */
  constructor() {
    this.ready = closeLeftovers().catch(() => undefined);
  }

  /** Called when a tab is opened and there was none before. */
  onFirst: () => Promise<void> = () => Promise.resolve();

  get isEmpty(): boolean {
    return this.#tabs.size === 0;
  }

  has(tabId: number): boolean {
    return this.#tabs.has(tabId);
  }

  async add(tabId: number): Promise<void> {
    if (this.isEmpty) await this.onFirst();
    this.#tabs.add(tabId);
    await this.#save();
  }

  async delete(tabId: number): Promise<void> {
    if (this.#tabs.delete(tabId)) await this.#save();
  }

  /** One after the other, so that the last word is the newest. */
  #save(): Promise<void> {
    this.#saving = this.#saving.then(
      () => browser.storage.session.set({ [KEY]: [...this.#tabs] }),
      () => undefined,
    );
    return this.#saving;
  }
}

async function closeLeftovers(): Promise<void> {
  const tabs = Remembered.parse(await browser.storage.session.get(KEY))[KEY];
  await Promise.all(tabs.map((tabId) => browser.tabs.remove(tabId).catch(() => undefined)));
  if (tabs.length > 0) await browser.storage.session.remove(KEY);
}
