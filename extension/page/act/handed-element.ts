/** An element that the debugger hands to this document's script, to which it has no other way to name it. */
export class HandedElement {
  #el: Element | null = null;

  give(el: Element): void {
    this.#el = el;
  }

  /** It is kept no longer. */
  take(): Element | null {
    const el = this.#el;
    this.#el = null;
    return el;
  }
}
