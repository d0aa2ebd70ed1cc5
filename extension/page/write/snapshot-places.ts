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
  /** How much there was of the present line when the last element was entered. */
  #contentBefore = 0;
  #begin: LinePlace | null = null;
  /** Where the line begins that was written last. */
  line: LinePlace | null = null;

  /** @param content how much there is of the present line */
  enter(el: Element, content: number): void {
    this.#last = el;
    this.#lines = 0;
    this.#contentBefore = content;
    if (content === 0) this.#begin = { el, lines: 0 };
  }

  /** Something other than an element follows, and begins a line. */
  begin(): void {
    if (this.#last !== null) this.#begin = { el: this.#last, lines: this.#lines };
  }

  /**
   * A line is written. One that was there before the last element was entered counts as a
   * line after it where a part of it is: that part is a line when the walk begins there.
   *
   * @param content how much there is of it
   */
  written(content: number): void {
    const before = content === 0 ? 0 : this.#contentBefore;
    if (before === 0 || content > before) this.#lines += 1;
    if (content > 0) this.#contentBefore = 0;
    this.line = this.#begin;
  }
}
