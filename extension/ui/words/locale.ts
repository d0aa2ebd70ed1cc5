/** A browser of a listed language gets it at once. Each but English has a file of texts, such as `zh-CN.json`. */
export const LANGUAGES = [
  // By their own names, so that people find theirs.
  ['en', 'English'],
  ['zh-CN', '简体中文'],
] as const;
export type Language = (typeof LANGUAGES)[number][0];

/** A language, or `auto` for the browser's. */
export type LanguageSetting = Language | 'auto';

const CODES = LANGUAGES.map(([code]) => code);

export const settingOf = (stored: unknown): LanguageSetting =>
  CODES.find((language) => language === stored) ?? 'auto';

/** The language of a file of texts. */
export const languageOfFile = (path: string): Language =>
  CODES.find((language) => path.endsWith(`/${language}.json`)) ?? 'en';

/** Whether a locale is of a language. */
const isOf = (language: Language, browser: string): boolean => browser.slice(0, 2) === language.slice(0, 2);

/** @param browser the browser's language, such as `en-GB` */
export const chooseLanguage = (setting: LanguageSetting, browser: string): Language =>
  setting === 'auto' ? (CODES.find((language) => isOf(language, browser)) ?? 'en') : setting;

let shown: string | undefined;

/** The locale of numbers and dates; undefined for the browser's. */
export const shownLocale = (): string | undefined => shown;

/** Formats for a language, in the form of the browser's locale if that is of the language: `en-GB`. */
export function formatIn(language: Language, browser: string): void {
  shown = isOf(language, browser) ? browser : language;
}
