import browser from 'webextension-polyfill';
import type { CancelMemory } from './sessions.ts';

const KEY = 'debuggerCancelled';

/** Remembers a person's Cancel until the browser ends or they allow debugging again. */
export const cancelMemory: CancelMemory & { allow(): Promise<void> } = {
  isCancelled: async () => (await browser.storage.session.get(KEY))[KEY] === true,
  remember: () => browser.storage.session.set({ [KEY]: true }),
  allow: () => browser.storage.session.remove(KEY),
};

/** Calls back when a Cancel was remembered or undone. Call while the worker starts. */
export function onCancelMemory(listener: () => void): void {
  browser.storage.onChanged.addListener((changes, area) => {
    if (area === 'session' && KEY in changes) listener();
  });
}
