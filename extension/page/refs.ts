import type { Showing } from './protocol.ts';

/** Sessions that one document remembers having shown refs to; the one that read it longest ago is forgotten. */
const MOST_VIEWERS = 16;

/** Refs that are remembered for one session; the oldest are forgotten. */
const MOST_SHOWN = 100_000;

/** Numbers that the walk may need before it can stop: an element has one, and few are open at once. */
const LOW = 64;

/** `e13`, or `f2e13` in a frame. */
export const REF = /^(?:f\d+)*e(\d+)$/;

/** The numbers that one request may give to elements, and the session that it shows them to. */
export class LentNumbers {
  readonly viewer: string;
  readonly #to: number;
  #last: number;

  constructor({ viewer, numbers }: Showing) {
    this.viewer = viewer;
    this.#last = numbers.from - 1;
    this.#to = numbers.to;
  }

  /** The last number that was taken: one less than the first when none was. */
  get last(): number {
    return this.#last;
  }

  /** Few are left: the request should ask for more. */
  get isLow(): boolean {
    return this.#to - this.#last < LOW;
  }

  take(): number {
    if (this.#last >= this.#to) throw new Error('The request has no numbers left for refs.');
    this.#last += 1;
    return this.#last;
  }
}

/**
 * Refs of one document: `e13`, the same element always the same, never given twice in the browser. Elements are
 * held weakly, so that a page that throws its elements away is not kept in memory by us.
 */
export class Refs {
  readonly #numbers = new WeakMap<Element, number>();
  readonly #elements = new Map<number, WeakRef<Element>>();
  /** Which numbers were shown to whom, by `Caller.session`; the session that was shown some last is at the end. */
  readonly #shown = new Map<string, Set<number>>();
  readonly #frames = new WeakMap<Element, number>();
  readonly #frameElements = new Map<number, WeakRef<Element>>();
  #lent: LentNumbers | null = null;
  #viewed = new Set<number>();
  #lastFrame = 0;
  #swept = 0;
  /** Set for the time of a read: the document's place among the page's frames. */
  prefix = '';

  /** Whose numbers are used from now on, and who is shown the refs. Null for a reading that shows none. */
  use(lent: LentNumbers | null): void {
    if (this.#lent !== lent && lent !== null) this.#viewed = this.#shownTo(lent.viewer);
    this.#lent = lent;
  }

  /** Whether the present reading shows refs at all. */
  get canShow(): boolean {
    return this.#lent !== null;
  }

  /** The ref of an element, made at the first question. Counts as shown to the session that reads. */
  of(el: Element): string {
    const lent = this.#lent;
    if (lent === null) throw new Error('A reading without numbers shows a ref.');
    let number = this.#numbers.get(el);
    if (number === undefined) {
      number = lent.take();
      this.#numbers.set(el, number);
      this.#elements.set(number, new WeakRef(el));
      this.#sweep();
    }
    this.#viewed.add(number);
    return `${this.prefix}e${number}`;
  }

  /** The number of a frame element within its document. */
  frameNumber(el: Element): number {
    let number = this.#frames.get(el);
    if (number === undefined) {
      number = this.#lastFrame += 1;
      this.#frames.set(el, number);
      this.#frameElements.set(number, new WeakRef(el));
    }
    return number;
  }

  /** The frame elements that were numbered and still live. */
  *frames(): Iterable<readonly [number, Element]> {
    for (const [number, weak] of this.#frameElements) {
      const el = weak.deref();
      if (el === undefined) this.#frameElements.delete(number);
      else yield [number, el];
    }
  }

  /** The frame element of a number, while it is in the page. */
  frame(number: number): Element | null {
    const el = this.#frameElements.get(number)?.deref();
    return el?.isConnected === true ? el : null;
  }

  /** Whether a session was shown a ref of this document. */
  wasShown(ref: string, viewer: string): boolean {
    const number = numberOf(ref);
    return number !== null && this.#shown.get(viewer)?.has(number) === true;
  }

  /** The element of a ref of this document (`e13`, whatever its prefix), while it is in the page. */
  resolve(ref: string): Element | null {
    const number = numberOf(ref);
    const el = number === null ? undefined : this.#elements.get(number)?.deref();
    return el !== undefined && isInPage(el) ? el : null;
  }

  #shownTo(viewer: string): Set<number> {
    const shown = this.#shown.get(viewer) ?? new Set();
    this.#shown.delete(viewer);
    this.#shown.set(viewer, shown);
    dropOldest(this.#shown, MOST_VIEWERS);
    dropOldest(shown, MOST_SHOWN);
    return shown;
  }

  /** Drops entries of collected elements now and then, so that the table follows the page's size. */
  #sweep(): void {
    const { size } = this.#elements;
    if (size < 10_000 || size < this.#swept * 2) return;
    for (const [number, weak] of this.#elements)
      if (weak.deref() === undefined) this.#elements.delete(number);
    this.#swept = this.#elements.size;
  }
}

function numberOf(ref: string): number | null {
  const found = REF.exec(ref);
  return found === null ? null : Number(found[1]);
}

/** Whether a person can see the document that an element is in: one that was left keeps its elements. */
function isInPage(el: Element): boolean {
  if (!el.isConnected) return false;
  const { ownerDocument } = el;
  if (ownerDocument === document) return true;
  const frame = ownerDocument.defaultView?.frameElement ?? null;
  return frame !== null && isInPage(frame);
}

/** The entries that were added first go first. */
function dropOldest(
  entries: { readonly size: number; keys(): Iterable<unknown>; delete(key: unknown): boolean },
  most: number,
): void {
  for (const key of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(key);
  }
}
