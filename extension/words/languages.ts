const LANGUAGES = ['en', 'zh-CN'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each in its own language, so that people who cannot read the others find theirs. */
export const OWN_NAMES = { en: 'English', 'zh-CN': '简体中文' } as const satisfies Record<Language, string>;

/** A language, or `auto` for the browser's. */
export type LanguageSetting = Language | 'auto';

export type InEach<T> = Readonly<Record<Language, T>>;

/** The type of a catalogue in any language: the same keys, with any words. */
export type Texts<T> = T extends string
  ? string
  : T extends (...args: infer Args) => infer Result
    ? (...args: Args) => Texts<Result>
    : T extends readonly unknown[]
      ? T
      : { readonly [Key in keyof T]: Texts<T[Key]> };

export const settingOf = (stored: unknown): LanguageSetting =>
  LANGUAGES.find((language) => language === stored) ?? 'auto';

/** @param browser the browser's language, such as `en-GB` */
export function chooseLanguage(setting: LanguageSetting, browser: string): Language {
  if (setting !== 'auto') return setting;
  return /^zh\b/i.test(browser) ? 'zh-CN' : 'en';
}

/** The locale of dates and numbers: the browser's, if it is of this language. */
export const localeOf = (language: Language, browser: string): string =>
  browser.slice(0, 2) === language.slice(0, 2) ? browser : language;

const english = new Intl.PluralRules('en');

/** The form of an English text for a count. Chinese has one form only. */
export const plural = (count: number, forms: { readonly one: string; readonly other: string }): string =>
  forms[english.select(count) === 'one' ? 'one' : 'other'];
