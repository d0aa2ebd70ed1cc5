import { EXPRESSION_WORDS, keyOf, meaningsOf } from './synonyms.ts';
import { isStopWord, splitWords, stemOf } from './terms.ts';

/** One thing that a text asks for. */
export interface Concept {
  /** Stem of the word that was said. An expression (`get rid of`) and a word of every question (`who`) have none: only what they mean counts. */
  readonly term: string | null;
  /** Stems of words that mean it too. */
  readonly meanings: ReadonlySet<string>;
}

/** What ends an expression that other words may part: `take the label off`. */
const PARTICLES = new Set('away back down off out up'.split(' '));
/** How many words may part it. */
const APART = 4;

/** What a text asks for, each once. An expression, the longest first, counts in addition to its words. */
export function conceptsOf(text: string): readonly Concept[] {
  const words = splitWords(text);
  const concepts = new Map<string, Concept>();
  for (let at = 0; at < words.length;) {
    const phrase = words.slice(at, at + expressionAt(words, at));
    const isWhole = phrase.length > 1 || phrase.every(isStopWord);
    const key = keyOf(isWhole ? phrase : partedAt(words, at));
    const meanings = meaningsOf(key);
    if (meanings.size > 0) concepts.set(key, { term: null, meanings });
    for (const term of phrase.filter((word) => !isStopWord(word)).map(stemOf))
      if (!concepts.has(term)) concepts.set(term, { term, meanings: meaningsOf(term) });
    at += phrase.length;
  }
  return [...concepts.values()];
}

/** A word and the first particle that follows it at a distance; nothing where none does. */
function partedAt(words: readonly string[], at: number): readonly string[] {
  const first = at + 2;
  const particle = words.slice(first, first + APART).find((word) => PARTICLES.has(word));
  return particle === undefined ? [] : [words[at] ?? '', particle];
}

/** Words of the longest expression that begins here; one where none does. */
function expressionAt(words: readonly string[], at: number): number {
  for (let length = Math.min(EXPRESSION_WORDS, words.length - at); length > 1; length -= 1)
    if (meaningsOf(keyOf(words.slice(at, at + length))).size > 0) return length;
  return 1;
}
