import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Catalogue } from './catalogue.ts';
import type { Language } from './locale.ts';

/** The same in every language. */
export const PRODUCT = 'Spillway';

/** The language of everything inside. */
export const WordsContext = createContext<Language>('en');

/** Texts in the current language. */
export const useTexts = <T>(texts: Catalogue<T>): T => texts(useContext(WordsContext));
