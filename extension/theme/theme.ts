import browser from 'webextension-polyfill';
import { KEY, settingOf, show, type ThemeSetting } from './apply.ts';

/**
 * Applies the chosen theme now and on every change. It is in `storage.local` like other settings; each page keeps a
 * copy that `first-paint.ts` can read synchronously.
 */
export function followTheme(listener: (setting: ThemeSetting) => void = () => undefined): void {
  const take = (stored: unknown): void => {
    const setting = settingOf(stored);
    localStorage.setItem(KEY, setting);
    show(setting);
    listener(setting);
  };
  listener(settingOf(localStorage.getItem(KEY)));
  browser.storage.local.onChanged.addListener((changes) => {
    const change = changes[KEY];
    if (change !== undefined) take(change.newValue);
  });
  void browser.storage.local.get(KEY).then((stored) => take(stored[KEY]));
}

export const chooseTheme = (setting: ThemeSetting): Promise<void> =>
  browser.storage.local.set({ [KEY]: setting });
