import browser from 'webextension-polyfill';
import { chooseLanguage, settingOf, type Language, type LanguageSetting } from './languages.ts';

/** Key in `storage.local`. */
const KEY = 'language';

const languageOf = (setting: LanguageSetting): Language =>
  chooseLanguage(setting, browser.i18n.getUILanguage());

const read = async (): Promise<LanguageSetting> => settingOf((await browser.storage.local.get(KEY))[KEY]);

export const readLanguage = async (): Promise<Language> => languageOf(await read());

/**
 * Calls back with the language: at once with the browser's, since nothing is shown earlier, then with the person's
 * choice, and on each change.
 */
export function onLanguage(listener: (language: Language, setting: LanguageSetting) => void): void {
  let current: LanguageSetting = 'auto';
  const say = (setting: LanguageSetting): void => {
    if (setting === current) return;
    current = setting;
    listener(languageOf(setting), setting);
  };
  listener(languageOf(current), current);
  browser.storage.local.onChanged.addListener((changes) => {
    const change = changes[KEY];
    if (change !== undefined) say(settingOf(change.newValue));
  });
  void read().then(say);
}

export const chooseSetting = (setting: LanguageSetting): Promise<void> =>
  browser.storage.local.set({ [KEY]: setting });
