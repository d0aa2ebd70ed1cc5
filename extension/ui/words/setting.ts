import browser from 'webextension-polyfill';
import { followStored } from '../../core/ports/stored.ts';
import { chooseLanguage, settingOf, type Language, type LanguageSetting } from './locale.ts';

/** Key in `storage.local`. */
const KEY = 'language';

const languageOf = (setting: LanguageSetting): Language =>
  chooseLanguage(setting, browser.i18n.getUILanguage());

export const readLanguage = async (): Promise<Language> =>
  languageOf(settingOf((await browser.storage.local.get(KEY))[KEY]));

/**
 * Calls back with the language: at once with the browser's, since nothing is shown earlier, then with the person's
 * choice, and on each change.
 */
export function onLanguage(listener: (language: Language, setting: LanguageSetting) => void): void {
  let current: LanguageSetting = 'auto';
  listener(languageOf(current), current);
  followStored(browser.storage.local, KEY, (stored) => {
    const setting = settingOf(stored);
    if (setting === current) return;
    current = setting;
    listener(languageOf(setting), setting);
  });
}

export const chooseSetting = (setting: LanguageSetting): Promise<void> =>
  browser.storage.local.set({ [KEY]: setting });
