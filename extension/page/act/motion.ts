/** How recent a change has to be: a page that is moving something does so at least every second frame. */
const RECENT_MS = 40;

/** Records when a document last changed in a way that may move its elements. */
class Changes {
  readonly #observer: MutationObserver;
  readonly #document: Document;
  #changedAt = -Infinity;

  constructor(document: Document) {
    this.#document = document;
    this.#observer = new MutationObserver(this.#change);
    const attributeFilter = ['style', 'class', 'hidden', 'open'];
    this.#observer.observe(document, { childList: true, attributeFilter, subtree: true });
    document.addEventListener('scroll', this.#change, { capture: true, passive: true });
  }

  /** The time of the last such change, by `performance.now`. */
  get changedAt(): number {
    if (this.#observer.takeRecords().length > 0) this.#change();
    return this.#changedAt;
  }

  /** What has changed until now has come to rest. */
  rest(): void {
    this.#observer.takeRecords();
    this.#changedAt = -Infinity;
  }

  stop(): void {
    this.#observer.disconnect();
    this.#document.removeEventListener('scroll', this.#change, { capture: true });
  }

  readonly #change = (): void => {
    this.#changedAt = performance.now();
  };
}

/** Tells documents at rest from those in which something may move. */
export class Motion {
  readonly #known = new Map<Document, Changes>();

  watch(document: Document): Changes {
    const known = this.#known.get(document);
    if (known !== undefined) return known;
    this.#forgetReplaced();
    const changes = new Changes(document);
    this.#known.set(document, changes);
    return changes;
  }

  /** Stops watching documents of frames that are gone, which would stay in memory otherwise. */
  #forgetReplaced(): void {
    for (const [document, changes] of this.#known) {
      if (document.defaultView !== null) continue;
      changes.stop();
      this.#known.delete(document);
    }
  }

  /**
   * Whether a document is animating something, or has changed shortly before `lookedAt` or later, as far as
   * it was watched then. The time is not compared with now, since a busy machine may have done nothing since
   * `lookedAt`.
   */
  isIn(document: Document, lookedAt: number): boolean {
    const isRecent = this.watch(document).changedAt > lookedAt - RECENT_MS;
    return isRecent || document.getAnimations().some(({ playState }) => playState === 'running');
  }

  stop(): void {
    for (const changes of this.#known.values()) changes.stop();
    this.#known.clear();
  }
}
