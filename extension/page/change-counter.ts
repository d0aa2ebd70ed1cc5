/** Counts how a document's tree changes, to tell when it no longer does. */
export class ChangeCounter {
  readonly #document: Document;
  readonly #observer: MutationObserver;
  #changes = 0;
  #changedAt = -Infinity;

  constructor(document: Document) {
    this.#document = document;
    this.#observer = new MutationObserver((records) => this.#count(records));
    this.#observer.observe(document, { childList: true, characterData: true, subtree: true });
  }

  #count(records: readonly MutationRecord[]): void {
    this.#changes += records.length;
    const { readyState, head } = this.#document;
    // Before that, it is mostly the parser that adds to the tree.
    if (readyState !== 'complete') return;
    if (records.some(({ target }) => head?.contains(target) !== true)) this.#changedAt = performance.now();
  }

  /** Changes since this was made, and whether more can come at all. */
  take(): { readonly changes: number; readonly isStatic: boolean } {
    this.#count(this.#observer.takeRecords());
    return { changes: this.#changes, isStatic: isStatic(this.#document) };
  }

  /** Milliseconds since the last change outside of the head, after the document had loaded; infinite when there was none. */
  restedMs(): number {
    this.#count(this.#observer.takeRecords());
    return performance.now() - this.#changedAt;
  }

  stop(): void {
    this.#observer.disconnect();
  }
}

/** Loaded, without a script of its own or a frame that might hold one. */
function isStatic(document: Document): boolean {
  return (
    document.readyState === 'complete' &&
    document.querySelector('script,iframe,frame,object,[onload],[onerror]') === null
  );
}
