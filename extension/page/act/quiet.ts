import { delay } from '../../../shared/async/wait.ts';
import { isShadowRoot, isText } from '../dom.ts';
import { nextFrame } from './next-frame.ts';
import type { ActAsk } from './protocol.ts';

/** A page without a change has handled an answer that came so long ago. */
const HANDLED_MS = 50;
/** On a busy machine all of that may have passed before the page had a turn: it gets some of its own. */
const TURN_MS = 30;
const LATE_MS = 1_000;
/** A page that has changed since an answer came has handled it: what is left is its rendering, within two frames. */
const RENDERED_MS = 30;
/** What never comes to rest has changed so recently. */
const RECENT_MS = 100;
/** What has changed on so many occasions is a clock or an animation: it never comes to rest, and means nothing. */
const RESTLESS = 6;

const OBSERVED: MutationObserverInit = {
  childList: true,
  characterData: true,
  attributes: true,
  subtree: true,
};

/** Watches how a document changes, to tell when an act has had its effect. */
export class QuietWatch {
  readonly #observer: MutationObserver;
  /** On how many occasions the text or an attribute of a node has changed. */
  readonly #occasions = new WeakMap<Node, number>();
  #changedAt = -Infinity;
  #restlessAt = -Infinity;
  #hasChanged = false;

  constructor(document: Document) {
    this.#observer = new MutationObserver((records) => this.#take(records));
    this.#observer.observe(document, OBSERVED);
  }

  /** Also watches the shadow trees around an element, which the document's observer does not enter. */
  enterTreesOf(el: Element): void {
    for (let root = el.getRootNode(); isShadowRoot(root); root = root.host.getRootNode())
      this.#observer.observe(root, OBSERVED);
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
      else this.#restlessAt = performance.now();
    }
  }

  /**
   * Waits until nothing has changed for `quietMs`, and the last answer has been handled.
   *
   * @returns false at the end of `waitMs`
   */
  async wait({
    quietMs,
    leastMs,
    untilFrame,
    sinceMs,
    waitMs,
  }: Omit<Extract<ActAsk, { readonly do: 'quiet' }>, 'do'>): Promise<{ readonly isQuiet: boolean }> {
    const startedAt = performance.now();
    const answeredAt = sinceMs === null ? -Infinity : startedAt - sinceMs;
    await Promise.all([delay(leastMs), untilFrame && nextFrame()]);
    // The next step must not come before what the page put off from its frame to a timer, as Preact does.
    if (untilFrame && quietMs < HANDLED_MS) await delay(0);
    for (;;) {
      this.#take(this.#observer.takeRecords());
      const now = performance.now();
      const isHandled = this.#changedAt > answeredAt;
      const restMs = sinceMs !== null && isHandled ? Math.min(quietMs, RENDERED_MS) : quietMs;
      const turnAt = sinceMs !== null && sinceMs < LATE_MS ? startedAt + TURN_MS : -Infinity;
      const handledAt = isHandled ? -Infinity : Math.max(answeredAt + HANDLED_MS, turnAt);
      const quietAt = Math.max(this.#changedAt + restMs, handledAt);
      if (now >= quietAt) return { isQuiet: true };
      if (now - startedAt >= waitMs) return { isQuiet: false };
      await delay(Math.ceil(Math.min(quietAt, startedAt + waitMs) - now));
    }
  }

  /** Whether anything at all has changed since this was asked last. */
  hasChanged(): boolean {
    this.#take(this.#observer.takeRecords());
    const hasChanged = this.#hasChanged;
    this.#hasChanged = false;
    return hasChanged;
  }

  /** Whether something changes that never comes to rest. */
  get isRestless(): boolean {
    return performance.now() - this.#restlessAt < RECENT_MS;
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
