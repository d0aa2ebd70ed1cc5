/** Where a line of a snapshot begins: as many lines after an element was entered as `lines` says. */
export interface LinePlace {
  readonly el: Element;
  readonly lines: number;
}

/**
 * Follows the walk, so that it can begin again where it stopped: a walk that enters `el` again writes the same
 * lines from there on.
 */
export class LinePlaces {
  #last: Element | null = null;
  #lines = 0;
  #begin: LinePlace | null = null;

  /** @param isFresh nothing of a line has been written yet */
  enter(el: Element, isFresh: boolean): void {
    this.#last = el;
    this.#lines = 0;
    if (isFresh) this.#begin = { el, lines: 0 };
  }

  /** Text follows that begins a line. */
  text(): void {
    if (this.#last !== null) this.#begin = { el: this.#last, lines: this.#lines };
  }

  /** Where the line began that is written now. */
  written(): LinePlace | null {
    const begin = this.#begin;
    this.#lines += 1;
    return begin;
  }
}
