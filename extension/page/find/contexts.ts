import { textIn } from '../dom.ts';
import { parentAcross } from '../locate/trees.ts';
import { INLINE, type Fits, type Found, type WordPlaces } from './word-places.ts';

export const GROUPS =
  'tr,li,[role="row"],[role="listitem"],[role="option"],article,fieldset,dialog,[role="dialog"],[role="group"],dd,section,form';
const ROWS = 'tr,[role="row"]';
const ITEMS = 'li,[role="listitem"],article';
export const HEADINGS = 'h1,h2,h3,h4,h5,h6,[role="heading"],legend,caption';

interface Heading {
  readonly at: number;
  readonly rank: number;
  /** Of the words in it and in the headings that it is below. */
  readonly fits: Fits;
  readonly above: Heading | null;
}

/** The rows, list items and sections that hold words of a query, and the headings that do. */
export class Contexts {
  readonly #groups = new Map<Element, number[]>();
  readonly #headings: readonly Heading[];

  /** @param found of the elements that matter; headings count in any case */
  constructor(places: WordPlaces, found: ReadonlyMap<Element, Found>, headings: readonly Element[]) {
    for (const [el, { fits }] of found)
      for (let up: Element | null = el; up !== null; up = parentAcross(up))
        if (up.matches(GROUPS)) merge(this.#groups, up, fits);
    const inHeadings = new Map<Element, number[]>();
    const isHeading = new Set(headings);
    for (const [el, { fits }] of places.found) {
      const heading = isHeading.has(el) ? el : INLINE.has(el.localName) ? el.closest(HEADINGS) : null;
      if (heading !== null) merge(inHeadings, heading, fits);
    }
    this.#headings = nested(
      headings.map((el) => ({ at: places.placeOf(el)[0], rank: rankOf(el), fits: inHeadings.get(el) ?? [] })),
    );
  }

  get groups(): ReadonlyMap<Element, Fits> {
    return this.#groups;
  }

  /** How well the words are said around an element: in its row or section, or by the headings above. */
  around(el: Element, { fits: own, at }: Found): Fits {
    const fits = own.map(() => 0);
    for (let up = parentAcross(el); up !== null; up = parentAcross(up)) raise(fits, this.#groups.get(up));
    for (let heading = this.#lastBefore(at); heading !== null; heading = heading.above)
      raise(fits, heading.fits);
    return fits;
  }

  #lastBefore(at: number): Heading | null {
    let low = 0;
    let high = this.#headings.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#headings[middle]?.at ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return this.#headings[low - 1] ?? null;
  }
}

/** Sorted by their places, each with the one of a higher rank that it is below. */
function nested(headings: readonly Omit<Heading, 'above'>[]): Heading[] {
  const open: Heading[] = [];
  return headings
    .toSorted((a, b) => a.at - b.at)
    .map((heading) => {
      while ((open.at(-1)?.rank ?? 0) >= heading.rank) open.pop();
      const placed = { ...heading, above: open.at(-1) ?? null };
      open.push(placed);
      return placed;
    });
}

function merge(into: Map<Element, number[]>, el: Element, own: Fits): void {
  let fits = into.get(el);
  if (fits === undefined) into.set(el, (fits = own.map(() => 0)));
  raise(fits, own);
}

function raise(fits: number[], more: Fits = []): void {
  for (const [index, fit] of more.entries()) fits[index] = Math.max(fits[index] ?? 0, fit);
}

export const rankOf = (heading: Element): number =>
  Number(heading.getAttribute('aria-level') ?? /^h([1-6])$/.exec(heading.localName)?.[1] ?? 6);

/** In which row or list item an element is, or below which heading. */
export function placeOf(
  el: Element,
): { readonly kind: 'row' | 'item' | 'under'; readonly text: string } | null {
  const row = el.parentElement?.closest(`${ROWS},${ITEMS}`) ?? null;
  if (row !== null) return { kind: row.matches(ROWS) ? 'row' : 'item', text: textIn(firstSaid(row, el)) };
  let looked = 0;
  for (let up: Element | null = el; up !== null; up = up.parentElement)
    for (let near = up.previousElementSibling; near !== null; near = near.previousElementSibling) {
      if (near.matches(HEADINGS)) return { kind: 'under', text: textIn(near) };
      looked += 1;
      if (looked > MOST_BEFORE) return null;
    }
  return null;
}

/** Elements before another one among which its heading is looked for. */
const MOST_BEFORE = 500;

/** The first part of a row that says something and is not the element itself. */
function firstSaid(row: Element, el: Element): Element {
  for (const child of row.children)
    if (!child.contains(el) && textIn(child) !== '' && !['script', 'style'].includes(child.localName))
      return child;
  return row;
}
