import { isListItem, isOrderedList } from '../dom.ts';

interface List {
  next: number;
  readonly marker: string;
  /** Width of its last item's marker; none before there is an item. */
  indent: number;
}

/** The markers of Markdown lists: numbers, and another sign where two lists follow each other. */
export class ListMarks {
  #lists: List[] = [];
  #last = { count: -1, marker: '' };

  get depth(): number {
    return this.#lists.length;
  }

  /** @param count lines written so far: unchanged since the last list, the two would be read as one */
  open(el: Element, isOrdered: boolean, count: number): void {
    const follows = this.#last.count === count ? this.#last.marker : '';
    const [usual, other] = isOrdered ? ['.', ')'] : ['-', '*'];
    const next = isOrdered && isOrderedList(el) ? firstNumber(el) : 1;
    this.#lists.push({ next, marker: follows === usual ? other : usual, indent: 0 });
  }

  close(count: number): void {
    const list = this.#lists.pop();
    this.#last = { count, marker: list?.marker ?? '' };
  }

  /** The marker of the next item of the innermost list. */
  next(el: Element): string {
    const list = this.#lists.at(-1);
    if (list === undefined) return '-';
    list.indent = list.marker.length + 1;
    if (list.marker !== '.' && list.marker !== ')') return list.marker;
    if (isListItem(el) && el.hasAttribute('value')) list.next = el.value;
    const marker = `${Math.max(0, list.next)}${list.marker}`;
    list.next += stepAt(el);
    list.indent = marker.length + 1;
    return marker;
  }

  /** The indent of a list that is inside the innermost one, but outside its items. */
  get indent(): number {
    return this.#lists.at(-1)?.indent ?? 0;
  }

  /** Sets the open lists aside: the content of a table's cell is in no list. */
  suspend(): () => void {
    const lists = this.#lists;
    this.#lists = [];
    return () => void (this.#lists = lists);
  }
}

/** How far the number after an item's is away. */
export function stepAt(item: Element): number {
  const parent = item.parentElement;
  return parent !== null && isOrderedList(parent) && parent.reversed ? -1 : 1;
}

/** The number of a list's first item. */
export function firstNumber(list: HTMLOListElement): number {
  if (list.hasAttribute('start') || !list.reversed) return list.start;
  return list.querySelectorAll(':scope > li').length;
}
