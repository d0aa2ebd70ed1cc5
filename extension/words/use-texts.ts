import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Catalogue, Language } from './languages.ts';

/** Each in its own language, so that people who cannot read the others find theirs. */
export const OWN_NAMES = { en: 'English', 'zh-CN': '简体中文' } as const satisfies Record<Language, string>;

/** The same in every language. */
export const PRODUCT = 'Spillway';

/** The language of everything inside. */
export const WordsContext = createContext<Language>('en');

/** Texts in the current language. */
export const useTexts = <T>(texts: Catalogue<T>): T => texts(useContext(WordsContext));
