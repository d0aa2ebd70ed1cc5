import { valueIn } from '../../../dom/elements.ts';
import { TextRuns } from '../locate/text-engine.ts';
import type { DocumentTrees } from '../../../dom/trees.ts';
import { isShown } from '../../../dom/visible.ts';
import { foldForms } from '../../../../shared/base/comparable.ts';
import { UNSPACED } from '../../../../shared/base/cut.ts';

const MARKS = /\p{M}/gu;
const WORD = /[\p{L}\p{N}]+/gu;

/** Folds case, forms and diacritics for comparison. */
export const fold = (text: string): string =>
  foldForms(text).toLowerCase().normalize('NFKD').replace(MARKS, '');

export const splitFolded = (folded: string): string[] => folded.match(WORD) ?? [];

/** Word lengths from which none, one and two letters may be wrong. */
const TYPOS = [0, 4, 8];

/** Whether two words differ by a typing error. */
function isTypo(one: string, other: string): boolean {
  const most = TYPOS.findLastIndex((length) => Math.min(one.length, other.length) >= length);
  return Math.abs(one.length - other.length) <= most && distance(one, other, most) <= most;
}

/** Letters to insert, remove, replace or swap with the next. */
function distance(one: string, other: string, most: number): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (before[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    if (Math.min(...next) > most) return most + 1;
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}

export const FIT = { whole: 4, prefix: 3, inside: 2, typo: 1 } as const;

/** How well an element matches each word of the query; 0 for no match. */
export type Fits = readonly number[];

const MAX_PLACES = 20_000;
/** Words accepted for a misspelled one. */
const MAX_LIKE = 5;

const TEXTS = ['aria-label', 'placeholder', 'title', 'alt', 'aria-placeholder'] as const;
const WITH_TEXTS = TEXTS.map((name) => `[${name}]`).join(',');
/** Elements that may occur within a word. */
export const INLINE = new Set(
  'b strong i em u s small big code mark sub sup span font abbr wbr ins del var tt'.split(' '),
);
const LETTER = /[\p{L}\p{N}]/u;

export interface FoundWords {
  readonly fits: number[];
  readonly at: number;
}

/** Places of a query's words in one document: in its text, and in attributes that people read. */
export class WordPlaces {
  readonly #runs: TextRuns;
  readonly #words: readonly string[];
  readonly #labels: readonly (readonly [Element, string])[];
  readonly found = new Map<Element, FoundWords>();
  #vocabulary: readonly string[] | null = null;

  /** @param placed elements whose positions are needed */
  constructor(trees: DocumentTrees, words: readonly string[], placed: readonly Element[]) {
    this.#words = words;
    const labelled = trees.all(WITH_TEXTS);
    this.#runs = new TextRuns(trees.document, {
      fold,
      isApart: (el) => !INLINE.has(el.localName),
      rootOf: (el) => trees.rootOf(el),
      placed: new Set([...placed, ...labelled]),
    });
    this.#labels = labelled.map((el) => [
      el,
      fold(TEXTS.map((name) => el.getAttribute(name) ?? '').join(' ')),
    ]);
    // Similar words are searched for if one is absent.
    for (const [index, word] of words.entries())
      if (!this.#find(word, index, null))
        for (const other of this.#like(word)) this.#find(other, index, FIT.typo);
  }

  placeOf(el: Element): readonly [number, number] {
    return this.#runs.places.get(el) ?? [0, 0];
  }

  #find(word: string, index: number, typo: number | null): boolean {
    const { text } = this.#runs;
    let [places, count] = [0, 0];
    const isMeant = (fit: number): boolean => fit > 0 && (typo === null || fit === FIT.whole);
    const note = (el: Element, place: number, fit: number): void => {
      count += 1;
      this.#note(el, place, { index, fit: typo ?? fit });
    };
    for (
      let at = text.indexOf(word);
      at !== -1 && places < MAX_PLACES;
      at = text.indexOf(word, at + word.length)
    ) {
      places += 1;
      const fit = fitOf(text, at, word);
      if (isMeant(fit) && this.#runs.isShown(at, at + word.length)) note(this.#runs.ownerAt(at), at, fit);
    }
    for (const [el, label] of this.#labels) {
      const at = label.indexOf(word);
      const fit = at === -1 ? 0 : fitOf(label, at, word);
      if (isMeant(fit) && isShown(el)) note(el, this.placeOf(el)[0], fit);
    }
    return count > 0;
  }

  #note(el: Element, at: number, { index, fit }: { readonly index: number; readonly fit: number }): void {
    const found = valueIn(this.found, el, () => ({ fits: this.#words.map(() => 0), at }));
    found.fits[index] = Math.max(found.fits[index] ?? 0, fit);
  }

  #like(word: string): string[] {
    if (word.length < 4) return [];
    this.#vocabulary ??= [
      ...new Set(splitFolded([this.#runs.text, ...this.#labels.map(([, label]) => label)].join(' '))),
    ];
    return this.#vocabulary.filter((other) => isTypo(word, other)).slice(0, MAX_LIKE);
  }
}

const UNSPACED_LETTER = new RegExp(`[${UNSPACED}]`, 'u');
/** A character of Chinese is a word, one of Japanese or Thai is not. */
const UNSPACED_WORD = new RegExp(`^(?:\\p{Script=Han}|[${UNSPACED}]{2})`, 'u');

/** Whether a word of spaced letters ends between two characters: `PDF下载` is two words. */
const isBorder = (before = '', after = ''): boolean =>
  !LETTER.test(before) || !LETTER.test(after) || UNSPACED_LETTER.test(before) !== UNSPACED_LETTER.test(after);

/** Part of a word counts only if it is long enough to mean something. */
function fitOf(text: string, at: number, word: string): number {
  const begins = isBorder(text[at - 1], word[0]);
  const ends = isBorder(word.at(-1), text[at + word.length]);
  const isNumber = /^\d+$/.test(word);
  if (begins) return ends ? FIT.whole : isNumber ? 0 : FIT.prefix;
  return (word.length > 2 || UNSPACED_WORD.test(word)) && !isNumber ? FIT.inside : 0;
}
