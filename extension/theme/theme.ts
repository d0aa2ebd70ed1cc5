import browser from 'webextension-polyfill';
import { KEY, settingOf, show, type ThemeSetting } from './apply.ts';

/**
 * Shows the page in the theme of this browser's person, and in another one as soon as they choose it. The theme is in
 * `storage.local`, as their other settings are; each page keeps a copy that `first-paint.ts` can read at once.
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

/** Stores the theme that a person chooses. */
export const chooseTheme = (setting: ThemeSetting): Promise<void> =>
  browser.storage.local.set({ [KEY]: setting });
