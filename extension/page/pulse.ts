/** Counts how a document's tree changes, for callers that wait until it settles. */
export class Pulse {
  readonly #document: Document;
  readonly #observer: MutationObserver;
  #changes = 0;

  constructor(document: Document) {
    this.#document = document;
    this.#observer = new MutationObserver((records) => void (this.#changes += records.length));
    this.#observer.observe(document, { childList: true, characterData: true, subtree: true });
  }

  /** Changes since the first question, and whether more can come at all. */
  take(): { readonly changes: number; readonly isStatic: boolean } {
    this.#changes += this.#observer.takeRecords().length;
    return { changes: this.#changes, isStatic: isStatic(this.#document) };
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
