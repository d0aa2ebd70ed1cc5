/** Browsers of a listed language get it at once: list one when its texts are complete. */
const LANGUAGES = ['en', 'zh-CN'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A language, or `auto` for the browser's. */
export type LanguageSetting = Language | 'auto';

/** Texts by language. English ones are always there; others are taught, and English stands in until then. */
export interface Catalogue<T> {
  (language: Language): T;
  readonly teach: (language: Language, texts: T) => void;
}

export function catalogue<T>(english: T): Catalogue<T> {
  const taught: Partial<Record<Language, T>> = {};
  const texts = (language: Language): T => taught[language] ?? english;
  texts.teach = (language: Language, other: T): void => {
    taught[language] = other;
  };
  return texts;
}

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

/** Whether a locale is of a language. */
export const isOf = (language: Language, browser: string): boolean =>
  browser.slice(0, 2) === language.slice(0, 2);

/** @param browser the browser's language, such as `en-GB` */
export const chooseLanguage = (setting: LanguageSetting, browser: string): Language =>
  setting === 'auto' ? (LANGUAGES.find((language) => isOf(language, browser)) ?? 'en') : setting;
