const ROWS = '[aria-rowindex],[aria-posinset]';
const LISTS = '[aria-rowcount],[role="list"],[role="listbox"],[role="feed"],[role="tree"],ul,ol';

interface ListCount {
  readonly seen: Set<number>;
  total: number;
}

/** Rows that lists say they have, and those of them that were seen, by the numbers that the page gives them. */
export class ListCounts {
  readonly #lists = new Map<Element, ListCount>();

  look(root: ParentNode): void {
    for (const row of root.querySelectorAll(ROWS)) {
      const list = row.closest(LISTS) ?? row.parentElement;
      if (list === null) continue;
      const position = row.getAttribute('aria-posinset');
      const total = Number(
        position === null ? list.getAttribute('aria-rowcount') : row.getAttribute('aria-setsize'),
      );
      const count = this.#lists.get(list) ?? { seen: new Set(), total: 0 };
      count.seen.add(Number(position ?? row.getAttribute('aria-rowindex')));
      count.total = Math.max(count.total, total);
      this.#lists.set(list, count);
    }
  }

  /** Of the lists that miss some of their rows; null when none does. */
  get missing(): { readonly seen: number; readonly total: number } | null {
    let [seen, total] = [0, 0];
    for (const list of this.#lists.values()) {
      if (list.seen.size >= list.total) continue;
      seen += list.seen.size;
      total += list.total;
    }
    return total === 0 ? null : { seen, total };
  }
}
