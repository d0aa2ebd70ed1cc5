import { EXPRESSION_WORDS, keyOf, meaningsOf } from './synonyms.ts';
import { isStopWord, splitWords } from './terms.ts';

/** One thing that a text asks for. */
export interface Concept {
  /** Stem of the word that was said. An expression (`get rid of`) and a word of every question (`who`) have none: only what they mean counts. */
  readonly term: string | null;
  /** Stems of words that mean it too. */
  readonly meanings: ReadonlySet<string>;
}

/** What a text asks for, each once. Expressions are taken whole, the longest first. */
export function conceptsOf(text: string): readonly Concept[] {
  const words = splitWords(text);
  const concepts = new Map<string, Concept>();
  for (let at = 0; at < words.length;) {
    const length = expressionAt(words, at);
    const key = keyOf(words.slice(at, at + length));
    const term = length > 1 || isStopWord(words[at] ?? '') ? null : key;
    const meanings = meaningsOf(key);
    if (term !== null || meanings.size > 0) concepts.set(key, { term, meanings });
    at += length;
  }
  return [...concepts.values()];
}

/** Words of the longest expression that begins here; one where none does. */
function expressionAt(words: readonly string[], at: number): number {
  for (let length = Math.min(EXPRESSION_WORDS, words.length - at); length > 1; length -= 1)
    if (meaningsOf(keyOf(words.slice(at, at + length))).size > 0) return length;
  return 1;
}
