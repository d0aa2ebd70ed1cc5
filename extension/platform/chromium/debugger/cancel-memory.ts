import browser from 'webextension-polyfill';
import type { CancelMemory } from './sessions.ts';

const KEY = 'debuggerCancelled';

/** The stored answer, since every act asks for it; null until asked. */
let known: Promise<boolean> | null = null;

const readCancelled = async (): Promise<boolean> => (await browser.storage.session.get(KEY))[KEY] === true;

/** Remembers a person's Cancel until the browser ends or they allow debugging again. */
export const cancelMemory: CancelMemory & { allow(): Promise<void> } = {
  isCancelled: () => (known ??= readCancelled()),
  remember: () => {
    known = Promise.resolve(true);
    return browser.storage.session.set({ [KEY]: true });
  },
  allow: async () => {
    await browser.storage.session.remove(KEY);
    known = null;
  },
};

/** Calls back when a Cancel was remembered or undone. Call while the worker starts. */
export function onCancelMemory(listener: () => void): void {
  browser.storage.onChanged.addListener((changes, area) => {
    if (area !== 'session' || !(KEY in changes)) return;
    known = null;
    listener();
  });
}
