import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { InEach, Language } from './languages.ts';

/** The language of what is below it. */
export const WordsContext = createContext<Language>('en');

/** Texts in the language of their place. */
export const useTexts = <T>(texts: InEach<T>): T => texts[useContext(WordsContext)];
