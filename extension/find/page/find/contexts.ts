import { childrenOf, isLabel, isOption, countBefore, valueIn } from '../../../dom/elements.ts';
import { parentAcross } from '../../../dom/trees.ts';
import type { DocumentTrees } from '../../../dom/trees.ts';
import { shownTextIn } from '../../../dom/visible.ts';
import { INLINE, type Fits, type FoundWords, type WordPlaces } from './words.ts';

const GROUPS =
  'tr,li,[role="row"],[role="listitem"],[role="option"],article,fieldset,dialog,[role="dialog"],[role="group"],dd,section,form';
export const isGroup = (el: Element): boolean => el.matches(GROUPS);
export const groupsIn = (trees: DocumentTrees): Element[] => trees.all(GROUPS);
const ROWS = 'tr,[role="row"]';
const ITEMS = 'li,[role="listitem"],article';
export const HEADINGS = 'h1,h2,h3,h4,h5,h6,[role="heading"],legend,caption';

interface Heading {
  readonly at: number;
  readonly rank: number;
  readonly fits: Fits;
  readonly above: Heading | null;
}

/** Rows, list items, sections and headings that contain words of a query. */
export class Contexts {
  readonly #groups = new Map<Element, number[]>();
  readonly #headings: readonly Heading[];

  /** @param found limited to the elements that matter; headings always count */
  constructor(places: WordPlaces, found: ReadonlyMap<Element, FoundWords>, headings: readonly Element[]) {
    for (const [el, { fits }] of found)
      for (let up: Element | null = el; up !== null; up = parentAcross(up))
        if (isGroup(up)) merge(this.#groups, up, fits);
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

  /** How well an element's surroundings match: its row or section, or the headings above it. */
  around(el: Element, { fits: own, at }: FoundWords): Fits {
    const fits = own.map(() => 0);
    for (let up = parentAcross(el); up !== null; up = parentAcross(up)) raise(fits, this.#groups.get(up));
    for (let heading = this.#lastBefore(at); heading !== null; heading = heading.above)
      raise(fits, heading.fits);
    return fits;
  }

  #lastBefore(at: number): Heading | null {
    const all = this.#headings;
    return all[countBefore(all.length, (index) => (all[index]?.at ?? 0) <= at) - 1] ?? null;
  }
}

/** Sorted by position, each with the higher heading that it is below. */
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

const merge = (into: Map<Element, number[]>, el: Element, own: Fits): void =>
  raise(
    valueIn(into, el, () => own.map(() => 0)),
    own,
  );

export function raise(fits: number[], more: Fits = []): void {
  for (const [index, fit] of more.entries()) fits[index] = Math.max(fits[index] ?? 0, fit);
}

export const rankOf = (heading: Element): number =>
  Number(heading.getAttribute('aria-level') ?? /^h([1-6])$/.exec(heading.localName)?.[1] ?? 6);

/** The row or list item of an element, or the heading above it. */
export function findContext(
  el: Element,
): { readonly kind: 'row' | 'item' | 'under'; readonly text: string } | null {
  const row = el.parentElement?.closest(`${ROWS},${ITEMS}`) ?? null;
  if (row !== null)
    return { kind: row.matches(ROWS) ? 'row' : 'item', text: shownTextIn(firstSaid(row, el)) };
  let looked = 0;
  for (let up: Element | null = el; up !== null; up = up.parentElement)
    for (let near = up.previousElementSibling; near !== null; near = near.previousElementSibling) {
      if (near.matches(HEADINGS)) return { kind: 'under', text: shownTextIn(near) };
      looked += 1;
      if (looked > MAX_BEFORE) return null;
    }
  return null;
}

/** Elements before another one that are searched for its heading. */
const MAX_BEFORE = 500;

/** The first part of a row with a text, except the element itself. */
function firstSaid(row: Element, el: Element): Element {
  for (const child of childrenOf(row)) if (!child.contains(el) && shownTextIn(child) !== '') return child;
  return row;
}

export const ACTIONABLE =
  'a[href],area[href],button,input:not([type="hidden" i]),select,textarea,summary,[onclick],[contenteditable]:not([contenteditable="false" i]),' +
  'button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option treeitem combobox textbox searchbox slider spinbutton'
    .split(' ')
    .map((role) => `[role="${role}"]`)
    .join(',');
const BLOCKS =
  'h1,h2,h3,h4,h5,h6,p,li,td,th,dt,dd,figcaption,caption,legend,pre,blockquote,article,section,main,body,div';
/** A text in a clickable card or wrapper does not always mean the card. */
const CLIMBED_MAX = 5;

export const isActionable = (el: Element): boolean => el.matches(ACTIONABLE);

export const actionableIn = (el: Element): Element[] => [...el.querySelectorAll(ACTIONABLE)];

/** The control that it labels or lies on, else the paragraph, cell or the like around it. */
export function targetOf(el: Element): Element {
  let up: Element | null = el;
  for (let climbed = 0; up !== null && climbed < CLIMBED_MAX; climbed += 1) {
    if (isLabel(up) && up.control !== null) return up.control;
    if (isOption(up)) return up.closest('select') ?? up;
    if (isActionable(up)) return up;
    if (up.matches('body,table,ul,ol,main,section,article,form')) break;
    up = parentAcross(up);
  }
  return el.closest(BLOCKS) ?? el;
}
