import browser from 'webextension-polyfill';
import * as z from 'zod/mini';
import type { HeldMemory, Release } from './held-input.ts';

const PREFIX = 'heldInput.';

const Releases: z.ZodMiniType<Release[]> = z.array(
  z.object({
    sessionId: z.nullable(z.string()),
    method: z.string(),
    params: z.record(z.string(), z.unknown()),
  }),
);

/** Remembers what is pressed in each tab until the browser ends. */
export const heldMemory: HeldMemory = {
  keep: (tabId, releases) =>
    releases.length === 0
      ? browser.storage.session.remove(`${PREFIX}${tabId}`)
      : browser.storage.session.set({ [`${PREFIX}${tabId}`]: releases }),
  async all() {
    const stored = Object.entries(await browser.storage.session.get(null));
    return new Map(
      stored
        .filter(([key]) => key.startsWith(PREFIX))
        .map(([key, value]) => [Number(key.slice(PREFIX.length)), Releases.parse(value)]),
    );
  },
};
