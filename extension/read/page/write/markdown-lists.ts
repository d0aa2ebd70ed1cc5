import { escapeMarkdown, linkDestination } from './escape.ts';
import type { Mark } from './inline.ts';
import { firstNumber, isListItem, isOrderedList, lookUp, stepAt } from '../../../dom/elements.ts';
import { inCounterStyle } from '../../../dom/generated-text.ts';

/** Kinds that are written between two marks. */
export const MARKS: ReadonlyMap<string, string> = new Map([
  ['b', '**'],
  ['strong', '**'],
  ['i', '*'],
  ['em', '*'],
  ['cite', '*'],
  ['dfn', '*'],
  ['var', '*'],
  ['del', '~~'],
  ['s', '~~'],
  ['strike', '~~'],
]);

export const PREFORMATTED = new Set(['pre', 'listing', 'xmp', 'plaintext']);

export const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

/** Kinds that are inline unless style makes them blocks. */
export const INLINE_KINDS = new Set(
  (
    'b strong i em cite dfn var del s strike code kbd samp tt a q sup sub rt rp img canvas video audio svg math input ' +
    'select textarea meter progress button'
  ).split(' '),
);

/** A link or button around text; its label may not end early. */
export const linkMark = (url: string): Mark => ({
  kind: 'link',
  open: '[',
  close: `](${linkDestination(url)})`,
});

export function escapeLabel(text: string): string {
  return escapeMarkdown(text.trim().replace(/\s+/g, ' '), ' ', ']', true);
}

class List {
  /** Width of its last item's marker; none before the first item. */
  indent = 0;
  /** Lines written when its last item ended. Empty items are not written and do not count. */
  endedAt: number | null = null;
  hasItem = false;
  isItemOpen = false;
  /** Lines written when its open item began. */
  openedAt = 0;

  constructor(
    public next: number,
    readonly marker: string,
  ) {}
}

const LEAD = '-';

/** The list marker that style gives an item. */
interface Shown {
  /** The number from a CSS counter. */
  readonly number: string | null;
  readonly isUnmarked: boolean;
}

/** Whether an item has no painted marker; unknown in a document that was only parsed. */
export const isUnmarked = (item: Element): boolean => {
  if (item.ownerDocument.defaultView === null || !isListItem(item)) return false;
  const { listStyleType, listStyleImage, display } = getComputedStyle(item);
  return (listStyleType === 'none' && listStyleImage === 'none') || display !== 'list-item';
};

/** Styles of the values of `type`. */
const TYPES: Readonly<Record<string, string>> = {
  a: 'lower-alpha',
  A: 'upper-alpha',
  i: 'lower-roman',
  I: 'upper-roman',
};

/** An item's number as style shows it: `3`, `c`, `iii`. */
export function numberText(item: Element, value: number): string {
  const type = item.getAttribute('type') ?? item.parentElement?.getAttribute('type') ?? '';
  const isParsed = item.ownerDocument.defaultView === null;
  const style = isParsed ? lookUp(TYPES, type) : getComputedStyle(item).listStyleType;
  const text = inCounterStyle(value, style ?? '');
  return /^\p{L}+$/u.test(text) ? text : String(value);
}

interface ItemPlace {
  readonly marker: string;
  /** A number in letters, which Markdown has no marker for; else empty. */
  readonly label: string;
  /** Lines to the text before it: 2 leaves a blank one. Null keeps the requested distance. */
  readonly gap: 1 | 2 | null;
}

/** Markers of Markdown lists: numbers, and alternating signs for consecutive lists. */
export class ListMarks {
  #lists: List[] = [];
  #stray = new List(1, '-');
  #last = { count: -1, marker: '' };

  get depth(): number {
    return this.#lists.length;
  }

  /** @param count lines written so far: if unchanged since the last list, the two would merge */
  open(el: Element, isOrdered: boolean, count: number): void {
    const follows = this.#last.count === count ? this.#last.marker : '';
    const [usual, other] = isOrdered ? ['.', ')'] : ['-', '*'];
    const next = isOrdered && isOrderedList(el) ? firstNumber(el) : 1;
    this.#lists.push(new List(next, follows === usual ? other : usual));
  }

  close(count: number): void {
    const list = this.#lists.pop();
    this.#last = { count, marker: list?.marker ?? '' };
    const outer = this.#lists.at(-1);
    if (outer?.isItemOpen !== false) return;
    // Outside an item, it takes the place of one.
    if (list?.hasItem === true && !outer.hasItem && outer.marker === LEAD) {
      outer.hasItem = true;
      outer.indent = LEAD.length + 1;
    }
    if (outer.hasItem) outer.endedAt = count;
  }

  /** Begins the next item of the innermost list. */
  beginItem(el: Element, count: number, shown: Shown): ItemPlace {
    const list = this.#lists.at(-1) ?? this.#stray;
    const isNext = list.endedAt === count;
    const isFirst = !list.hasItem;
    const next = nextMarker(list, el);
    const isLettered = shown.number === null && /^\p{L}/u.test(next);
    const bullet = list.marker === ')' ? '*' : LEAD;
    const marker = shown.number ?? (isLettered || (shown.isUnmarked && /^\d/.test(next)) ? bullet : next);
    // Only a number one interrupts a paragraph.
    const isSetOff = isFirst && /^(?!1\D)\d/.test(marker) && this.#isAfterText(count);
    list.indent = marker.length + 1;
    list.isItemOpen = true;
    list.openedAt = count;
    const label = isLettered && !shown.isUnmarked ? `${next} ` : '';
    return { marker, label, gap: isNext ? 1 : isSetOff || !isFirst ? 2 : null };
  }

  #isAfterText(count: number): boolean {
    return this.#lists
      .slice(0, -1)
      .some(({ isItemOpen, openedAt, endedAt }) => (isItemOpen ? openedAt < count : endedAt === count));
  }

  endItem(count: number): void {
    const list = this.#lists.at(-1) ?? this.#stray;
    list.isItemOpen = false;
    if (count === list.openedAt) return;
    list.endedAt = count;
    list.hasItem = true;
  }

  /**
   * The prefix of a list that is inside the innermost one, but outside its items: it belongs to the item before it, or
   * else is a list by itself.
   */
  leadAt(count: number): { readonly first: string; readonly rest: string; readonly isNext: boolean } {
    const list = this.#lists.at(-1);
    if (list === undefined || list.isItemOpen) return { first: '', rest: '', isNext: false };
    const rest = ' '.repeat(list.hasItem ? list.indent : LEAD.length + 1);
    return { first: list.hasItem ? rest : `${LEAD} `, rest, isNext: list.endedAt === count };
  }

  /** Sets the open lists aside: the content of a table's cell is in no list. */
  suspend(): () => void {
    const lists = this.#lists;
    this.#lists = [];
    return () => void (this.#lists = lists);
  }
}

function nextMarker(list: List, el: Element): string {
  if (list.marker !== '.' && list.marker !== ')') return list.marker;
  if (isListItem(el) && el.hasAttribute('value')) list.next = el.value;
  const marker = `${numberText(el, Math.max(0, list.next))}${list.marker}`;
  list.next += stepAt(el);
  return marker;
}
