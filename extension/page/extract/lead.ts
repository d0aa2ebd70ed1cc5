import { childCount, textIn } from '../dom.ts';
import { spokenNames } from './titles.ts';
import type { Located } from './locators.ts';

interface Card {
  readonly el: Element;
  readonly elements: readonly Located[];
}

/** A place in each card of a group that only the cards together explain. */
export interface OrderedPlace {
  readonly selector: string;
  /** How sure it is. */
  readonly score: number;
}

/** Two cards may differ by chance. */
const FEWEST = 3;
const MOST_UNITS = 120;
const SCORE = { echoed: 0.6, first: 0.5 } as const;
const WORDS = /^[\p{Lu}\p{L}\p{N}"“‘'(].*\p{L}{3}/u;
const NO_TITLE = /^(?:\p{Sc}|by\b|from\b|\d+(?:[.,]\d+)?\s)|\p{Sc}\s?\d|^\p{L}+:\s/iu;

/**
 * Of texts that differ in every card, the one that the card says of itself to a screen reader, else the first one.
 * A maker or a kind recurs in a list; a title does not.
 */
export function leadOf(sample: readonly Card[]): OrderedPlace | null {
  const [first] = sample;
  if (first === undefined || sample.length < FEWEST) return null;
  const texts = sample.map(textsOf);
  const own = [...(texts[0] ?? [])].filter(([selector]) => {
    const text = texts.map((all) => all.get(selector));
    return !text.includes(undefined) && new Set(text).size === text.length;
  });
  const names = spokenNames(first.el);
  const echoed = own
    .filter(([, text]) => names.some((name) => name.includes(text)))
    .sort(([, a], [, b]) => b.length - a.length);
  const [selector] = echoed[0] ?? own[0] ?? [];
  return selector === undefined ? null : { selector, score: echoed.length > 0 ? SCORE.echoed : SCORE.first };
}

const MOST_ORDINALS = 3;

/** The place that counts the cards: `1`, `2`, `3` in the first three. */
export function ordinalOf(sample: readonly Card[]): OrderedPlace | null {
  if (sample.length < FEWEST) return null;
  const [first, ...rest] = sample.slice(0, MOST_ORDINALS).map(numbersOf);
  const counts = [...(first ?? [])].filter(([selector, number]) =>
    rest.every((numbers, index) => numbers.get(selector) === number + index + 1),
  );
  const [selector] = counts.length === 1 ? (counts[0] ?? []) : [];
  return selector === undefined ? null : { selector, score: SCORE.echoed };
}

function numbersOf({ elements }: Card): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const { el, locator } of elements)
    if (locator.selector !== null && childCount(el) === 0 && /^\d{1,4}$/.test(textIn(el)))
      numbers.set(locator.selector, Number(textIn(el)));
  return numbers;
}

/** Texts that could be titles, by their place. */
function textsOf({ elements }: Card): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { el, locator } of elements) {
    if (locator.selector === null || texts.has(locator.selector) || !mayBeTitle(el)) continue;
    const text = textIn(el);
    if (text.length <= MOST_UNITS && WORDS.test(text) && !NO_TITLE.test(text))
      texts.set(locator.selector, text);
  }
  return texts;
}

const mayBeTitle = (el: Element): boolean =>
  childCount(el) === 0 &&
  !el.matches('time,button,script,style,svg *,button *,.sr-only,.visually-hidden,dt,label,option');
