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

/** Forms that no rule of endings leads back: form and word. */
const IRREGULAR = new Map(
  'bought buy broke break broken break brought bring built build began begin begun begin caught catch chose choose chosen choose children child drawn draw drew draw driven drive drove drive eaten eat fell fall forgot forget forgotten forget found find gave give given give gone go went go held hold heard hear hidden hide hid hide indices index kept keep knew know known know leant lend lent lend lost lose made make matrices matrix meant mean men man met meet mice mouse paid pay people person ran run rose rise risen rise said say sang sing sent send shown show shut shut slept sleep sold sell spent spend spoke speak spoken speak stole steal stolen steal taken take took take taught teach thought think threw throw thrown throw told tell understood understand women woman woke wake won win wore wear worn wear written write wrote write'
    .split(' ')
    .flatMap((form, at, all) => (at % 2 === 0 ? [[form, all[at + 1] ?? form] as const] : [])),
);

/** Tools repeat their words, and stems are what an index takes its time for. */
const STEMS_MAX = 10_000;
const stems = new Map<string, string>();

/** The stem of a word; two letters have none. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = word.length > 2 ? stemmer(IRREGULAR.get(word) ?? word) : word;
  if (stems.size >= STEMS_MAX) stems.clear();
  stems.set(word, stem);
  return stem;
}

/** A word that every text or every request has. */
export const isStopWord = (word: string): boolean => STOP_WORDS.has(word) || SAID.has(word);

/** What a text is found by: its words without those that every text has, as stems (Porter). */
export const toTerms = (text: string): readonly string[] =>
  splitWords(text)
    .filter((word) => !isStopWord(word))
    .map(stemOf);
