/** The languages that the pages of the extension speak. */
const LANGUAGES = ['en', 'zh-CN'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each in its own language: a person who cannot read the rest looks for theirs. */
export const OWN_NAMES = { en: 'English', 'zh-CN': '简体中文' } as const satisfies Record<Language, string>;

/** A language, or `auto` for that of the browser. */
export type LanguageSetting = Language | 'auto';

export type InEach<T> = Readonly<Record<Language, T>>;

/** The type of a catalogue in any language, from that of one: the same keys, with any words. */
export type Texts<T> = T extends string
  ? string
  : T extends (...args: infer Args) => infer Result
    ? (...args: Args) => Texts<Result>
    : T extends readonly unknown[]
      ? T
      : { readonly [Key in keyof T]: Texts<T[Key]> };

export const settingOf = (stored: unknown): LanguageSetting =>
  LANGUAGES.find((language) => language === stored) ?? 'auto';

/** @param browser the browser's language, as in `en-GB` */
export function chooseLanguage(setting: LanguageSetting, browser: string): Language {
  if (setting !== 'auto') return setting;
  return /^zh\b/i.test(browser) ? 'zh-CN' : 'en';
}

/** In which way of a language dates and numbers are written: the browser's, if it has one. */
export const localeOf = (language: Language, browser: string): string =>
  browser.slice(0, 2) === language.slice(0, 2) ? browser : language;

const english = new Intl.PluralRules('en');

/** The form of an English text for a count. Chinese has one form only. */
export const plural = (count: number, forms: { readonly one: string; readonly other: string }): string =>
  forms[english.select(count) === 'one' ? 'one' : 'other'];
