import browser from 'webextension-polyfill';
import { chooseLanguage, settingOf, type Language, type LanguageSetting } from './languages.ts';

/** In `storage.local`. */
const KEY = 'language';

const languageOf = (setting: LanguageSetting): Language =>
  chooseLanguage(setting, browser.i18n.getUILanguage());

/** The language of this browser's person. */
export async function readLanguage(): Promise<Language> {
  const stored = await browser.storage.local.get(KEY);
  return languageOf(settingOf(stored[KEY]));
}

/**
 * Calls back with the language of this browser's person: at once with the browser's own, since nothing is shown before, then
 * with the one that they have chosen, and whenever they choose another one.
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
  void browser.storage.local.get(KEY).then((stored) => say(settingOf(stored[KEY])));
}

/** Stores the language that a person chooses. */
export const chooseSetting = (setting: LanguageSetting): Promise<void> =>
  browser.storage.local.set({ [KEY]: setting });
