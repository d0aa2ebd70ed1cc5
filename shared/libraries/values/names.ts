/**
 * Makes names of schema properties and words of a page comparable: case, camelCase and snake_case, accents,
 * punctuation and plurals make no difference. Deterministic, and the same at both ends of the bridge.
 */

import type { FieldPlan } from './plan.ts';

const CAMEL = /(\p{Ll}|\p{N})(\p{Lu})/gu;
const ACRONYM = /(\p{Lu}+)(\p{Lu}\p{Ll})/gu;
const MARKS = /\p{M}+/gu;
/** `Order #` means the number of an order. */
const NUMBER_SIGN = /(?<=\p{L}\s?)(?:#|№)(?=\s*:?$)/u;
const NOT_WORD = /[^\p{L}\p{N}]+/u;

/** Longest text that counts as a name; beyond that it is prose. */
const NAME_UNITS = 120;

/** `reviewCount`, `Review counts:` and `REVIEW_COUNT` are all `review count`. */
export const normaliseName = (text: string): string =>
  text
    .slice(0, NAME_UNITS)
    .replace(NUMBER_SIGN, ' number')
    .replace(ACRONYM, '$1 $2')
    .replace(CAMEL, '$1 $2')
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .split(NOT_WORD)
    .filter((word) => word !== '')
    .map((word) => american(singular(word)))
    .join(' ');

const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^(behavi|col|fav|flav|harb|hon|lab|neighb)our/, '$1or'],
  [/isation$/, 'ization'],
  [/^licence$/, 'license'],
  [/^catalogue$/, 'catalog'],
  [/^(cent|met|theat)re$/, '$1er'],
];

/** Treats British and American spellings as the same word. */
const american = (word: string): string =>
  SPELLINGS.reduce((said, [british, other]) => said.replace(british, other), word);

/** Only English plurals: a rule that is wrong is wrong at both ends, and so still matches. */
function singular(word: string): string {
  if (word.length <= 3 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:[sxz]|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

/** A unit or footnote of a header: `Area (km²)[1]` is `Area`. */
const UNIT = /\s*[([{][^)\]}]*[)\]}]/g;

type NamedField = Pick<FieldPlan, 'names' | 'synonyms' | 'hint'>;

export const MATCH_CONFIDENCE = {
  name: 1,
  alias: 0.95,
  synonym: 0.85,
  part: 0.7,
  within: 0.67,
  partOfSynonym: 0.55,
  hint: 0.5,
} as const;

/**
 * How well a label of a page (a header, a property, a `dt`) matches a field, 0 to 1. In order: the property's
 * own name, its title or aliases, a synonym, all words of a name among the label's (with at most four more;
 * best at its end), all words of a synonym, and last the label within the description.
 */
export function matchName(field: NamedField, label: string): number {
  const full = normaliseName(label);
  if (full === '') return 0;
  const bare = normaliseName(label.replace(UNIT, ' ').trim());
  return Math.max(
    matchNormal(field, full),
    bare === full || bare === '' ? 0 : matchNormal(field, bare) * 0.98,
  );
}

/** {@link matchName} for a label that is already normalised. */
function matchNormal(field: NamedField, label: string): number {
  const at = field.names.indexOf(label);
  if (at === 0) return MATCH_CONFIDENCE.name;
  if (at > 0) return MATCH_CONFIDENCE.alias;
  if (field.synonyms.includes(label)) return MATCH_CONFIDENCE.synonym;
  // `arXiv` is `arxiv`, and `e-mail` is `email`.
  const bare = label.replaceAll(' ', '');
  const all = [...field.names, ...field.synonyms];
  if (all.some((name) => name.replaceAll(' ', '') === bare)) return MATCH_CONFIDENCE.synonym;
  const words = label.split(' ');
  // The last word of a compound is its head: a `user title` is not a user, and a `rating count` not a rating.
  const head = words.at(-1) ?? '';
  if (words.length > 1 && HEADS.has(head) && !all.some((name) => name.split(' ').includes(head))) return 0;
  const own = field.names.find((name) => holds(words, name));
  if (own !== undefined) return label.endsWith(` ${own}`) ? MATCH_CONFIDENCE.part : MATCH_CONFIDENCE.within;
  if (field.synonyms.some((name) => holds(words, name))) return MATCH_CONFIDENCE.partOfSynonym;
  if (label.length >= 4 && ` ${field.hint} `.includes(` ${label} `)) return MATCH_CONFIDENCE.hint;
  return 0;
}

const HEADS = new Set(
  'title count currency id url link href image img photo picture avatar icon logo badge button author meta metadata'.split(
    ' ',
  ),
);

const MAX_MORE_WORDS = 4;

function holds(words: readonly string[], name: string): boolean {
  const wanted = name.split(' ');
  return words.length <= wanted.length + MAX_MORE_WORDS && wanted.every((word) => words.includes(word));
}
