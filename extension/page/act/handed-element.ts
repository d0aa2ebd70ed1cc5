/** An element that the debugger hands to this document's script: the two share no other name for it. */
export class HandedElement {
  #el: Element | null = null;

  give(el: Element): void {
    this.#el = el;
  }

  /** Returns the element, and keeps it no longer. */
  take(): Element | null {
    const el = this.#el;
    this.#el = null;
    return el;
  }
}
