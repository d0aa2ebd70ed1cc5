import { allIn, tagOf, childCount, childrenOf, textIn, countEach, isMatch } from '../../dom/elements.ts';
import { stableClasses } from './groups.ts';

/** A selector for an element below its card that matches in every card. */
export interface Locator {
  /** Null for the card itself. */
  readonly selector: string | null;
  /** The selector without positions: it also matches similar elements. */
  readonly kind: string;
}

const STATES =
  /^(?:(?:is|has|js)-.*|(?:active|selected|hover|focus|open|first|last|odd|even|new|sale|lazy|loaded)(?:-item|-row)?)$/;

type Classes = ReadonlySet<string>;

/** Classes of at least half of the cards. Rarer ones tell how one card differs: `level-easy`, `level-hard`. */
export function commonClasses(cards: readonly Element[]): Classes {
  const counts = countEach(
    cards.flatMap((card) => [...new Set(allIn(card, '[class]').flatMap((el) => [...el.classList]))]),
  );
  return new Set([...counts].filter(([, count]) => count * 2 >= cards.length).map(([name]) => name));
}

/** An element of a card, and how to find it in the others. */
interface Located {
  readonly el: Element;
  readonly locator: Locator;
}

/** Elements below a card that are examined. */
const MAX_ELEMENTS = 120;

/** The card and the elements below it, in document order. */
export function* locate(card: Element, common: Classes): Generator<Located> {
  yield { el: card, locator: { selector: null, kind: '' } };
  const stack: { el: Element; selector: string; kind: string }[] = [];
  const push = (parent: Element, selector: string, kind: string): void => {
    const children = childrenOf(parent);
    for (const child of children.reverse()) {
      const step = stepOf(child, common);
      const position = step.includes('.') ? placeAmong(child, step, children) : positionOf(child, children);
      stack.push({ el: child, selector: `${selector} > ${step}${position}`, kind: `${kind}>${step}` });
    }
  };
  push(card, ':scope', '');
  for (let left = MAX_ELEMENTS; left > 0; left -= 1) {
    const at = stack.pop();
    if (at === undefined) return;
    yield { el: at.el, locator: { selector: at.selector, kind: at.kind } };
    push(at.el, at.selector, at.kind);
  }
}

function stepOf(el: Element, common: Classes): string {
  const classes = stableClasses(el)
    .filter((name) => !STATES.test(name) && common.has(name))
    .slice(0, 2);
  return [tagOf(el).replaceAll(':', '\\:'), ...classes].join('.');
}

/** The position among siblings with the same classes: `1972`, `2h 55m` and `R` may be three of them. */
function placeAmong(el: Element, step: string, siblings: readonly Element[]): string {
  // Everything that the step matches: `p.text-xs` also matches `p.text-xs.uppercase`.
  const same = siblings.filter((other) => other === el || isMatch(other, step));
  // `siblings` is in reverse.
  const place = same.length - same.indexOf(el);
  return place === 1 ? '' : `:nth-child(${place} of ${step})`;
}

/**
 * The position among siblings of its kind. Siblings without a class are compared with each other only, so an extra
 * badge in one card shifts nothing.
 */
function positionOf(el: Element, siblings: readonly Element[]): string {
  const isBare = !el.hasAttribute('class');
  const same = siblings.filter(
    (other) => tagOf(other) === tagOf(el) && (!isBare || !other.hasAttribute('class')),
  );
  if (same.length < 2) return isBare ? ':not([class])' : '';
  // `siblings` is in reverse.
  const place = same.length - same.indexOf(el);
  return isBare ? `:nth-child(${place} of ${el.localName}:not([class]))` : `:nth-of-type(${place})`;
}

export interface LocatedCard {
  readonly elements: readonly Located[];
}

/** Two cards may differ by chance. */
const FEWEST = 3;
const MAX_UNITS = 120;
const WORDS = /^[\p{Lu}\p{L}\p{N}"“‘'(].*\p{L}{3}/u;
const NO_TITLE = /^(?:\p{Sc}|by\b|from\b|\d+(?:[.,]\d+)?\s)|\p{Sc}\s?\d|^\p{L}+:\s/iu;

/** The place of the first text that differs in every card. A maker or a kind recurs in a list; a title does not. */
export function leadOf(sample: readonly LocatedCard[]): string | undefined {
  if (sample.length < FEWEST) return undefined;
  const texts = sample.map(textsOf);
  return [...(texts[0]?.keys() ?? [])].find((each) => {
    const text = texts.map((all) => all.get(each));
    return !text.includes(undefined) && new Set(text).size === text.length;
  });
}

const MAX_ORDINALS = 3;

/** The place that numbers the cards: `1`, `2`, `3` in the first three. */
export function ordinalOf(sample: readonly LocatedCard[]): string | undefined {
  if (sample.length < FEWEST) return undefined;
  const [first, ...rest] = sample.slice(0, MAX_ORDINALS).map(numbersOf);
  const counts = [...(first ?? [])].filter(([selector, number]) =>
    rest.every((numbers, index) => numbers.get(selector) === number + index + 1),
  );
  return counts.length === 1 ? counts[0]?.[0] : undefined;
}

function numbersOf({ elements }: LocatedCard): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const { el, locator } of elements)
    if (locator.selector !== null && childCount(el) === 0 && /^\d{1,4}$/.test(textIn(el)))
      numbers.set(locator.selector, Number(textIn(el)));
  return numbers;
}

/** Possible titles, by place. */
function textsOf({ elements }: LocatedCard): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { el, locator } of elements) {
    if (locator.selector === null || texts.has(locator.selector) || !mayBeTitle(el)) continue;
    const text = textIn(el);
    if (text.length <= MAX_UNITS && WORDS.test(text) && !NO_TITLE.test(text))
      texts.set(locator.selector, text);
  }
  return texts;
}

const mayBeTitle = (el: Element): boolean =>
  childCount(el) === 0 &&
  !isMatch(el, 'time,button,script,style,svg *,button *,.sr-only,.visually-hidden,dt,label,option');
