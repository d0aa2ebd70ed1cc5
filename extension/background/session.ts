import browser from 'webextension-polyfill';
import { z } from 'zod';

const Counters = z.object({ connects: z.int().min(0).catch(0).default(0) });

/** Counts one more connection to a host; the count outlives this worker, not the browser. */
export async function countConnect(): Promise<void> {
  const { connects } = Counters.parse(await browser.storage.session.get('connects'));
  await browser.storage.session.set({ connects: connects + 1 });
}

/** How often a host was connected again since the browser started. */
export async function reconnects(): Promise<number> {
  const { connects } = Counters.parse(await browser.storage.session.get('connects'));
  return Math.max(0, connects - 1);
}
