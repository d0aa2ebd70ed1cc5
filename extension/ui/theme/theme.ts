import browser from 'webextension-polyfill';
import { followStored } from '../../core/ports/stored.ts';
import { KEY, settingOf, show, type ThemeSetting } from './apply.ts';

/**
 * Applies the chosen theme now and on every change. It is in `storage.local` like other settings; each page keeps a
 * copy that `first-paint.ts` can read synchronously.
 */
export function followTheme(listener: (setting: ThemeSetting) => void = () => undefined): void {
  listener(settingOf(localStorage.getItem(KEY)));
  followStored(browser.storage.local, KEY, (stored) => {
    const setting = settingOf(stored);
    localStorage.setItem(KEY, setting);
    show(setting);
    listener(setting);
  });
}

export const chooseTheme = (setting: ThemeSetting): Promise<void> =>
  browser.storage.local.set({ [KEY]: setting });
