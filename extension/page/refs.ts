/**
 * Refs of one document: `e13`, the same element always the same, never given twice. Elements are
 * held weakly, so that a page that throws its elements away is not kept in memory by us.
 */
export class Refs {
  readonly #numbers = new WeakMap<Element, number>();
  readonly #elements = new Map<number, WeakRef<Element>>();
  readonly #frames = new WeakMap<Element, number>();
  readonly #frameElements = new Map<number, WeakRef<Element>>();
  #last = 0;
  #lastFrame = 0;
  #swept = 0;
  /** Set for the time of a read: the document's place among the page's frames. */
  prefix = '';

  /** The ref of an element, made at the first question. */
  of(el: Element): string {
    let number = this.#numbers.get(el);
    if (number === undefined) {
      number = this.#last += 1;
      this.#numbers.set(el, number);
      this.#elements.set(number, new WeakRef(el));
      this.#sweep();
    }
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

  /** The element of a ref of this document (`e13`, or with its own prefix), while it is in the page. */
  resolve(ref: string): Element | null {
    const found = /^(?:f\d+)*e(\d+)$/.exec(ref);
    if (found === null) return null;
    const el = this.#elements.get(Number(found[1]))?.deref();
    return el?.isConnected === true ? el : null;
  }

  /** Drops entries of collected elements now and then, so that the table follows the page's size. */
  #sweep(): void {
    if (this.#elements.size < 10_000 || this.#last < this.#swept * 2) return;
    this.#swept = this.#last;
    for (const [number, weak] of this.#elements)
      if (weak.deref() === undefined) this.#elements.delete(number);
  }
}
