import { delay } from '../../../shared/async/wait.ts';
import { isText } from '../dom.ts';
import type { ActAsk } from './protocol.ts';

/** Between two looks while a document changes. */
const LOOK_MS = 8;
/** What has changed on so many occasions is a clock or an animation: it never comes to rest, and means nothing. */
const RESTLESS = 6;

/** Watches how a document changes, to tell when an act has had its effect. */
export class QuietWatch {
  readonly #observer: MutationObserver;
  /** On how many occasions the text or an attribute of a node has changed. */
  readonly #occasions = new WeakMap<Node, number>();
  #changedAt = -Infinity;
  #hasChanged = false;

  constructor(document: Document) {
    this.#observer = new MutationObserver((records) => this.#take(records));
    this.#observer.observe(document, {
      childList: true,
      characterData: true,
      attributes: true,
      subtree: true,
    });
  }

  #take(records: readonly MutationRecord[]): void {
    if (records.length > 0) this.#hasChanged = true;
    const touched = new Set<Node>();
    for (const record of records) {
      if (isStructural(record)) this.#changedAt = performance.now();
      else touched.add(record.target);
    }
    for (const node of touched) {
      const occasions = (this.#occasions.get(node) ?? 0) + 1;
      this.#occasions.set(node, occasions);
      if (occasions <= RESTLESS) this.#changedAt = performance.now();
    }
  }

  /**
   * Waits until nothing has changed for `quietMs`.
   *
   * @returns false at the end of `waitMs`
   */
  async wait({
    quietMs,
    leastMs,
    sinceMs,
    waitMs,
  }: Omit<Extract<ActAsk, { readonly do: 'quiet' }>, 'do'>): Promise<{ readonly isQuiet: boolean }> {
    const startedAt = performance.now();
    const since = sinceMs === null ? -Infinity : startedAt - sinceMs;
    for (let lookMs = leastMs; ; lookMs = LOOK_MS) {
      await delay(lookMs);
      this.#take(this.#observer.takeRecords());
      const now = performance.now();
      if (now - Math.max(this.#changedAt, since) >= quietMs) return { isQuiet: true };
      if (now - startedAt >= waitMs) return { isQuiet: false };
    }
  }

  /** Whether anything at all has changed since this was asked last. */
  hasChanged(): boolean {
    this.#take(this.#observer.takeRecords());
    const hasChanged = this.#hasChanged;
    this.#hasChanged = false;
    return hasChanged;
  }

  stop(): void {
    this.#observer.disconnect();
  }
}

/** Elements came or went; text alone is replaced in place. */
function isStructural({ type, addedNodes, removedNodes }: MutationRecord): boolean {
  if (type !== 'childList') return false;
  return ![...addedNodes, ...removedNodes].every(isText);
}
