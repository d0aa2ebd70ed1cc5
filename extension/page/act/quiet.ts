import { delay } from '../../../shared/async/wait.ts';
import { isShadowRoot, isText } from '../dom.ts';
import { nextFrame } from './motion.ts';
import type { ActAsk } from './protocol.ts';

/** A page without a change has handled an answer that came so long ago. */
const HANDLED_MS = 50;
/** On a busy machine all of that may have passed before the page had a turn: it gets some of its own. */
const TURN_MS = 30;
const LATE_MS = 1_000;
/** A page that has changed since an answer came has handled it: what is left is its rendering, within two frames. */
const RENDERED_MS = 30;
/** Between two looks for an effect. */
const LOOK_MS = 16;
/** Something that never rests has changed within this time. */
const RECENT_MS = 100;
/** Something that changed this often is a clock or an animation: it never rests, and means nothing. */
const RESTLESS = 6;

const OBSERVED: MutationObserverInit = {
  childList: true,
  characterData: true,
  attributes: true,
  subtree: true,
};

/** Watches how a document changes, to tell when an act has had its effect. */
export class QuietWatch {
  readonly #document: Document;
  /** The shadow trees around what was acted on. */
  readonly #trees = new Set<ShadowRoot>();
  readonly #observer: MutationObserver;
  /** On how many occasions the text or an attribute of a node has changed. */
  readonly #occasions = new WeakMap<Node, number>();
  #changedAt = -Infinity;
  /** When elements came or went last. */
  builtAt = -Infinity;
  /** The target of the last input. */
  #target: Element | null = null;
  /** Since then, something has come, gone or changed its looks outside of it. */
  #hasEffect = false;
  #restlessAt = -Infinity;
  #hasChanged = false;
  /** When the last input arrived, and the first frame after its handlers; null once anything else was done. */
  #input: { readonly at: number; readonly drawn: Promise<void> } | null = null;

  constructor(document: Document) {
    this.#document = document;
    this.#observer = new MutationObserver((records) => this.#take(records));
    this.#observer.observe(document, OBSERVED);
  }

  /** Also watches the shadow trees around an element, which the document's observer does not enter. */
  enterTreesOf(el: Element): void {
    for (let root = el.getRootNode(); isShadowRoot(root); root = root.host.getRootNode()) {
      this.#observer.observe(root, OBSERVED);
      this.#trees.add(root);
    }
  }

  /** Has to be called before input at an element, to know afterwards whether it had an effect. */
  aimAt(el: Element): void {
    this.#take(this.#observer.takeRecords());
    this.#target = el;
    this.#hasEffect = false;
  }

  /** Has to be called as input arrives: what it causes is waited for from then on. */
  inputArrived(): void {
    // The page's handlers come first, and then the frames that they ask for.
    this.#input = { at: performance.now(), drawn: delay(0).then(nextFrame) };
  }

  /** Has to be called before anything else is done, since more may come of that. */
  forgetInput(): void {
    this.#input = null;
  }

  #take(records: readonly MutationRecord[]): void {
    if (records.length > 0) this.#hasChanged = true;
    const touched = new Set<Node>();
    for (const record of records) {
      this.#hasEffect ||= isEffect(record, this.#target);
      if (isStructural(record)) this.builtAt = this.#changedAt = performance.now();
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
    effectMs,
    waitMs,
  }: Omit<Extract<ActAsk, { readonly do: 'quiet' }>, 'do'>): Promise<{ readonly isQuiet: boolean }> {
    const startedAt = performance.now();
    const answeredAt = sinceMs === null ? -Infinity : startedAt - sinceMs;
    await this.#whenBegun(leastMs, untilFrame);
    // The next step must wait for work that the page moved from a frame to a timer, as Preact does.
    if (untilFrame && quietMs < HANDLED_MS) await delay(0);
    for (;;) {
      this.#take(this.#observer.takeRecords());
      const now = performance.now();
      const isHandled = this.#changedAt > answeredAt;
      const restMs = sinceMs !== null && isHandled ? Math.min(quietMs, RENDERED_MS) : quietMs;
      const turnAt = sinceMs !== null && sinceMs < LATE_MS ? startedAt + TURN_MS : -Infinity;
      const handledAt = isHandled ? -Infinity : Math.max(answeredAt + HANDLED_MS, turnAt);
      const effectAt = this.#isComing(effectMs) ? startedAt + effectMs : -Infinity;
      const quietAt = Math.max(this.#changedAt + restMs, handledAt, effectAt);
      if (now >= quietAt) return { isQuiet: true };
      if (now - startedAt >= waitMs) return { isQuiet: false };
      const untilMs = Math.min(quietAt, startedAt + waitMs) - now;
      // An effect may come at any time.
      await delay(Math.ceil(effectAt > now ? Math.min(untilMs, LOOK_MS) : untilMs));
    }
  }

  async #whenBegun(leastMs: number, untilFrame: boolean): Promise<void> {
    const now = performance.now();
    const { at, drawn } = this.#input ?? { at: now, drawn: nextFrame() };
    this.#input = null;
    await Promise.all([delay(Math.max(0, at + leastMs - now)), untilFrame && drawn]);
  }

  #isComing(effectMs: number): boolean {
    return effectMs > 0 && (!this.#hasEffect || [this.#document, ...this.#trees].some(isFading));
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

/** The elements that an animation with an end runs on. */
const fadingIn = (tree: DocumentOrShadowRoot): readonly Element[] =>
  tree.getAnimations().flatMap(({ playState, effect }) => {
    const isEnding =
      playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
    const target = isEnding && effect instanceof KeyframeEffect ? effect.target : null;
    return target === null ? [] : [target];
  });

/** Longest wait for an animation. */
const FADED_MS = 500;

/** Waits until no such element fades any longer. */
export async function whenFaded(
  tree: DocumentOrShadowRoot,
  isAwaited: (el: Element) => boolean = () => true,
): Promise<void> {
  const until = performance.now() + FADED_MS;
  while (fadingIn(tree).some(isAwaited) && performance.now() < until) await delay(LOOK_MS);
}

/** A popup may fade in, and is not visible at first. */
const isFading = (tree: DocumentOrShadowRoot): boolean => fadingIn(tree).length > 0;

/** By which pages show and hide. */
const LOOKS: ReadonlySet<string> = new Set(['class', 'style', 'hidden', 'open', 'data-state']);

/** More than the states that a control shows of itself at once. */
function isEffect(record: MutationRecord, target: Element | null): boolean {
  if (isStructural(record)) return true;
  const { type, target: node, attributeName } = record;
  if (type !== 'attributes' || target === null || !LOOKS.has(attributeName ?? '')) return false;
  return !node.contains(target) && !target.contains(node);
}

/** Elements came or went; text alone is replaced in place. */
function isStructural({ type, addedNodes, removedNodes }: MutationRecord): boolean {
  if (type !== 'childList') return false;
  return ![...addedNodes, ...removedNodes].every(isText);
}
