import { stemmer } from 'stemmer';
import { STOP_WORDS } from '../stop-words.ts';

/** Words of requests, in addition to those of every text. */
const SAID = new Set(
  'about am any been before could did had has have if into just let like make need no now only our out please shall should so some such than their them then there they those too us using want was we were while who why will would'.split(
    ' ',
  ),
);

/** Words of a text in lower case: names are split at case, underscores and hyphens. */
export const splitWords = (text: string): readonly string[] =>
  text
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** The stem of a word; two letters have none. */
export const stemOf = (word: string): string => (word.length > 2 ? stemmer(word) : word);

/** What a text is found by: its words without those that every text has, as stems (Porter). */
export const toTerms = (text: string): readonly string[] =>
  splitWords(text)
    .filter((word) => !STOP_WORDS.has(word) && !SAID.has(word))
    .map(stemOf);
