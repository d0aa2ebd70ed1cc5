import { delay } from '../../shared/base/async.ts';
import { isTextarea, rootElement } from './elements.ts';
import { elementsIn } from './trees.ts';
import { isRendered } from './visible.ts';

const ROWS = '[aria-rowindex],[aria-posinset]';
const LISTS = '[aria-rowcount],[role="list"],[role="listbox"],[role="feed"],[role="tree"],ul,ol';

interface ListCount {
  readonly seen: Set<number>;
  total: number;
}

/** Lists' declared numbers of rows, and the rows seen, by the page's numbering. */
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

  /** Totals of lists with missing rows; null if there are none. */
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

interface RowsInView {
  /** How far below the top of the window the rows extend without a gap, in pixels. */
  readonly bottom: number;
  /** Share of the window's height with text. */
  readonly filled: number;
  /** Share of texts that differ: placeholders repeat. */
  readonly distinct: number;
}

/** A window of a virtual list. */
export interface SeenWindow {
  readonly content: string;
  readonly rows: RowsInView;
}

/** Windows that were complete at once, before the next ones are assumed to be. */
const PROOFS = 3;
const MAX_PROOFS = 48;
const LIKENESS = 0.9;
/** Looks, one per frame, without a change: rows may come 300 ms after scrolling. */
const LONG_LOOKS = 22;
/** The same for a list whose late rows have arrived. */
const ARRIVED_LOOKS = 6;

/**
 * Learns how soon a virtual list has drawn a window. The first windows are watched for as long as rows may take. If
 * they never changed, later ones are read as soon as they look alike; once one does change, the list is watched again.
 */
export class ScrollPace {
  #proofs = 0;
  #needed = PROOFS;
  #answered: string | null = null;
  #isAwaited = false;
  #before: string | null = null;
  #poorest: Pick<RowsInView, 'filled' | 'distinct'> | null = null;

  /**
   * Judges the last window before the next step.
   * @returns whether it may be left: a window that was assumed to be complete and changed has to be read again
   */
  leave({ content, rows }: SeenWindow): boolean {
    const wasPrompt = this.#proofs >= this.#needed;
    const answered = this.#answered;
    this.#answered = null;
    if (answered === content) this.#proofs += 1;
    else if (answered !== null) {
      if (!this.#isAwaited) {
        this.#proofs = 0;
        this.#needed = Math.min(MAX_PROOFS, 2 * this.#needed);
      }
      if (wasPrompt) return false;
    }
    this.#poorest = {
      filled: Math.min(this.#poorest?.filled ?? 1, rows.filled),
      distinct: Math.min(this.#poorest?.distinct ?? 1, rows.distinct),
    };
    this.#before = content;
    return true;
  }

  isComplete(seen: SeenWindow): boolean {
    return this.#proofs >= this.#needed && seen.content !== this.#before && this.#isUsual(seen);
  }

  /** Records a window's first answer. */
  answer({ content }: SeenWindow): void {
    this.#answered = content;
    this.#isAwaited = false;
  }

  /** The page has requested content for the window: its arrival proves nothing about other windows. */
  wait(): void {
    this.#isAwaited = true;
  }

  /** How many looks without a change mean that a window is complete. */
  looksToRest(seen: SeenWindow): number {
    if (this.isComplete(seen)) return 0;
    const hasArrived = this.#answered !== null && seen.content !== this.#answered && this.#isUsual(seen);
    return hasArrived ? ARRIVED_LOOKS : LONG_LOOKS;
  }

  #isUsual({ rows }: SeenWindow): boolean {
    return (
      this.#poorest !== null &&
      rows.filled >= LIKENESS * this.#poorest.filled &&
      rows.distinct >= LIKENESS * this.#poorest.distinct
    );
  }
}

/** Longest delay of a look at a slow page. */
const LOOK_MS = 250;
/** A busy machine draws this late. A page that does not is not waited for again. */
const DRAWN_MS = 8_000;

/**
 * Waits for the frames of a page. Scroll events come with the next frame, and a list may draw with the one after it. A
 * hidden page draws none unless its focus is emulated.
 */
export class Frames {
  #drawsNever = false;

  get isPaced(): boolean {
    return !this.#drawsNever && document.visibilityState !== 'hidden';
  }

  /** Resolves with the next frame, or after {@link LOOK_MS}. */
  async look(): Promise<void> {
    if (this.isPaced) await Promise.race([nextFrame(), delay(LOOK_MS)]);
  }

  /**
   * Waits for the two frames in which a page draws newly visible content.
   * @param isComplete asked after the first frame: if true, the second is skipped
   */
  async drawn(isComplete: () => boolean): Promise<void> {
    if (!this.isPaced) return;
    const late = delay(DRAWN_MS).then(() => 'late' as const);
    // Callbacks that scroll listeners request in the same frame run after this one.
    const first = await Promise.race([nextFrame().then(() => delay(0)), late]);
    if (first !== 'late' && isComplete()) return;
    const second = first === 'late' ? first : await Promise.race([nextFrame(), late]);
    this.#drawsNever = second === 'late';
  }
}

const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

export const ENDED_PX = 4;
/** Smaller scrollable parts are mostly menus and code samples. */
const MIN_AREA_PX = 20_000;

/** The element that scrolls the whole document; null without elements. */
export const pageScroller = (document: Document): Element | null =>
  document.scrollingElement ?? rootElement(document);

/** The vertically scrollable parts of a page, the largest first, including shadow trees and readable frames. */
export function findScrollers(document: Document): Element[] {
  return elementsIn(document)
    .filter(isScroller)
    .toSorted((a, b) => areaOf(b) - areaOf(a));
}

const areaOf = (el: Element): number => el.clientWidth * el.clientHeight;

function isScroller(el: Element): boolean {
  if (el.scrollHeight <= el.clientHeight + ENDED_PX || areaOf(el) < MIN_AREA_PX || isTextarea(el))
    return false;
  const { ownerDocument: document } = el;
  if (el === document.scrollingElement) return true;
  const style = getComputedStyle(el);
  if (!/auto|scroll|overlay/.test(style.overflowY) || !isRendered(el)) return false;
  // The body's overflow applies to the window if the root has none.
  return el !== document.body || getComputedStyle(document.documentElement).overflowY !== 'visible';
}

/** The visible area of a part in its own document: for a document's own scroller, the whole window. */
export function viewOf(el: Element): Pick<DOMRect, 'left' | 'top' | 'width' | 'height'> {
  const { clientWidth: width, clientHeight: height } = el;
  if (el === el.ownerDocument.scrollingElement) return { left: 0, top: 0, width, height };
  const { left, top } = el.getBoundingClientRect();
  return { left: left + el.clientLeft, top: top + el.clientTop, width, height };
}

const MAX_ELEMENTS = 2_000;
/** Largest distance between rows, as a share of the window's height. */
const GAP = 0.1;

/** Lists keep rows ready below the window. */
export function rowsInView(el: Element): RowsInView {
  const view = viewOf(el);
  const elements = el.getElementsByTagName('*');
  if (elements.length > MAX_ELEMENTS) return { bottom: view.height, filled: 1, distinct: 1 };
  const boxes = [...elements].flatMap((inner) => {
    const text = inner.childElementCount === 0 ? (inner.textContent?.trim() ?? '') : '';
    return text === '' ? [] : [{ text, box: inner.getBoundingClientRect() }];
  });
  const bottomOfView = view.top + view.height;
  const texts = new Set<string>();
  let [shown, filledPx, filledTo, bottom] = [0, 0, view.top, bottomOfView];
  for (const { text, box } of boxes.toSorted((a, b) => a.box.top - b.box.top)) {
    if (box.bottom > view.top && box.top < bottomOfView) {
      shown += 1;
      texts.add(text);
      const to = Math.min(box.bottom, bottomOfView);
      filledPx += Math.max(0, to - Math.max(box.top, filledTo));
      filledTo = Math.max(filledTo, to);
    }
    if (box.top <= bottom + view.height * GAP) bottom = Math.max(bottom, box.bottom);
  }
  return {
    bottom: bottom - view.top,
    filled: filledPx / Math.max(1, view.height),
    distinct: texts.size / Math.max(1, shown),
  };
}
