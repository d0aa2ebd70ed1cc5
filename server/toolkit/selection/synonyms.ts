import lexicon from './lexicon.json';
import { splitWords, stemOf } from './terms.ts';

/** Longest expression on the left of `leads`, in words. */
export const EXPRESSION_WORDS = 3;

const NONE: ReadonlySet<string> = new Set();
let byKey: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** Words of `same` stand for each other. Who says what is on the left of `leads` may mean what is on its right, and not the other way round. */
function build(): ReadonlyMap<string, ReadonlySet<string>> {
  const built = new Map<string, Set<string>>();
  const add = (key: string, stems: readonly string[]): void => {
    const others = built.get(key) ?? new Set();
    for (const stem of stems) if (stem !== key) others.add(stem);
    built.set(key, others);
  };
  for (const row of lexicon.same) {
    const stems = row.split(' ').map(stemOf);
    for (const stem of stems) add(stem, stems);
  }
  for (const [said, meant] of Object.entries(lexicon.leads))
    add(keyOf(splitWords(said)), meant.split(' ').map(stemOf));
  return built;
}

/** What a word or an expression is looked up by. */
export const keyOf = (words: readonly string[]): string => words.map(stemOf).join(' ');

/** Stems of words that who says this may mean. The list is read when it is first asked. */
export const meaningsOf = (key: string): ReadonlySet<string> => (byKey ??= build()).get(key) ?? NONE;
