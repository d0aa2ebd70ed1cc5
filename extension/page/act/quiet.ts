import { delay } from '../../../shared/async/wait.ts';

/** Between two looks while a document changes. */
const LOOK_MS = 8;

/** Watches how a document and its open shadow trees change, to tell when an act has had its effect. */
export class QuietWatch {
  readonly #observer: MutationObserver;
  #changes = 0;
  #changedAt = 0;

  constructor(document: Document) {
    this.#observer = new MutationObserver((records) => this.#count(records.length));
    this.#observer.observe(document, {
      childList: true,
      characterData: true,
      attributes: true,
      subtree: true,
    });
  }

  #count(records: number): void {
    if (records === 0) return;
    this.#changes += records;
    this.#changedAt = performance.now();
  }

  get changes(): number {
    this.#count(this.#observer.takeRecords().length);
    return this.#changes;
  }

  /**
   * Waits until nothing has changed for `quietMs`, or, when nothing has changed since `since`, for one turn of the page.
   *
   * @returns all changes so far, to be passed as the next `since`
   */
  async wait({
    since,
    quietMs,
    waitMs,
  }: {
    readonly since: number;
    readonly quietMs: number;
    readonly waitMs: number;
  }): Promise<{ readonly changes: number; readonly isQuiet: boolean }> {
    const startedAt = performance.now();
    for (;;) {
      const { changes } = this;
      const now = performance.now();
      const restsSince = changes === since ? startedAt : this.#changedAt;
      const needed = changes === since ? LOOK_MS : quietMs;
      if (now - restsSince >= needed) return { changes, isQuiet: true };
      if (now - startedAt >= waitMs) return { changes, isQuiet: false };
      await delay(LOOK_MS);
    }
  }

  stop(): void {
    this.#observer.disconnect();
  }
}
