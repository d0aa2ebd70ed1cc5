import { delay, waitAtMost } from '../../../shared/base/async.ts';
import { withoutFragment } from '../../../shared/base/cut.ts';
import { WAYPOINT } from '../../../shared/core/waypoint.ts';
import { isElement, isHtml, isLabel, isShadowRoot, isText } from '../../dom/elements.ts';
import { nextFrame } from './motion.ts';
import type { Quiet } from './protocol.ts';
import { isLayer } from './surroundings.ts';

/** A page that has not changed this long after an answer has handled it. */
const HANDLED_MS = 50;
/** On a busy machine that time may pass before the page runs at all: it gets some of its own. */
const TURN_MS = 30;
const LATE_MS = 1_000;
/** A timer that is later than this says that the page has not run. */
const ON_TIME_MS = 15;
/** A page that has changed since an answer came has handled it: only rendering remains, within two frames. */
const RENDERED_MS = 30;
/** A page that lacks the processor gets an answer this late, after loads of our own; some it never records. */
const RECORDED_MS = 400;
const RECORDS = 500;
const SHOWN_MAX = 200;
/** Interval between two looks for an effect. */
const LOOK_MS = 16;
/** Nodes that never rest have changed within this time. */
const RECENT_MS = 100;
/** Nodes that change this often are clocks or animations, and are ignored. */
const RESTLESS = 6;

const OBSERVED = { childList: true, characterData: true, attributes: true, subtree: true };

interface Answered {
  readonly at: number;
  readonly url: string | null;
}

/** Watches a document's changes, to tell when an act has had its effect. */
export class QuietWatch {
  /** Shadow trees around the targets of acts. */
  readonly #trees = new Set<ShadowRoot>();
  readonly #observer: MutationObserver;
  /** How often the text or an attribute of a node has changed. */
  readonly #occasions = new WeakMap<Node, number>();
  #changedAt = -Infinity;
  /** When elements last came, went or, apart from the target, changed their looks. */
  builtAt = -Infinity;
  #target: Element | null = null;
  /** Elements that have come, gone or changed their looks since the input, and when they last did. */
  readonly #shown = new Set<Element>();
  #shownAt = -Infinity;
  #restlessAt = -Infinity;
  #hasChanged = false;
  /** When loads of this document were complete, by address. */
  readonly #loadedAt = new Map<string, number>();
  readonly #loads = new PerformanceObserver((list) => this.#record(list.getEntries()));
  /** When the last input arrived, and the first frame after its handlers; null after any other act. */
  #input: { readonly at: number; readonly drawn: Promise<void> } | null = null;

  constructor(private readonly document: Document) {
    this.#observer = new MutationObserver((records) => this.#take(records));
    this.#observer.observe(document, OBSERVED);
    this.#loads.observe({ type: 'resource' });
  }

  /** Also watches the shadow trees around an element, which the document's observer does not enter. */
  enterTreesOf(el: Element): void {
    for (let root = el.getRootNode(); isShadowRoot(root); root = root.host.getRootNode()) {
      this.#observer.observe(root, OBSERVED);
      this.#trees.add(root);
    }
  }

  /** Call before input at an element, to learn afterwards whether it had an effect. */
  aimAt(el: Element): void {
    this.#take(this.#observer.takeRecords());
    this.#target = el;
    this.#shown.clear();
    this.#shownAt = -Infinity;
    this.#record(this.#loads.takeRecords());
    this.#loadedAt.clear();
  }

  /** Like {@link aimAt}, for text that goes to another element than the last input. */
  typeInto(el: Element): void {
    if (this.#target !== el) this.aimAt(el);
  }

  /** Elements that have come, gone or changed their looks since the input, and when they last did. */
  get shown(): { readonly elements: ReadonlySet<Element>; readonly at: number } {
    this.#take(this.#observer.takeRecords());
    return { elements: this.#shown, at: this.#shownAt };
  }

  /** Call as input arrives: its consequences are waited for from then on. */
  inputArrived(): void {
    // The page's handlers run after this, and in the next frame their callbacks after ours: a task later all have run. A
    // timer before it would lose a frame, which browsers draw before any timer once input has arrived.
    this.#input = { at: performance.now(), drawn: nextFrame().then(() => delay(0)) };
  }

  /** Call before anything else is done, since it may have consequences of its own. */
  forgetInput(): void {
    this.#input = null;
  }

  #take(records: readonly MutationRecord[]): void {
    if (records.length > 0) this.#hasChanged = true;
    const touched = new Set<Node>();
    for (const record of records) {
      if (this.#target !== null) this.#note(shownBy(record, this.#target));
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

  #note(elements: readonly Element[]): void {
    if (elements.length > 0) this.builtAt = this.#shownAt = performance.now();
    for (const el of elements) if (this.#shown.size < SHOWN_MAX) this.#shown.add(el);
  }

  #record(loads: PerformanceEntryList): void {
    if (this.#loadedAt.size > RECORDS) this.#loadedAt.clear();
    for (const { name } of loads) this.#loadedAt.set(withoutFragment(name), performance.now());
  }

  /**
   * Waits until nothing has changed for `quietMs` and the last answer has been handled.
   * @returns false at the end of `waitMs`
   */
  async wait(asked: Quiet): Promise<{ readonly isQuiet: boolean }> {
    const { quietMs, answer, effectMs, waitMs } = asked;
    const startedAt = performance.now();
    const until = startedAt + waitMs;
    const isAnswered = answer !== null && answer.sinceMs < LATE_MS;
    const turnMs = isAnswered ? TURN_MS : 0;
    const arrived = isAnswered && crossing(until);
    await this.#whenBegun(asked);
    await arrived;
    let sent = isAnswered ? null : crossing(until);
    const answered = answer === null ? null : { at: startedAt - answer.sinceMs, url: answer.url };
    let turnAt = performance.now() + turnMs;
    for (let isSent = false; ;) {
      const restedAt = this.#restedAt(quietMs, answered, turnAt);
      const effectAt = this.#isComing(effectMs) ? startedAt + effectMs : -Infinity;
      const quietAt = Math.max(restedAt, effectAt);
      const now = performance.now();
      if (now >= quietAt && isSent) return { isQuiet: true };
      if (now >= until) return { isQuiet: false };
      if (now >= quietAt) {
        await (sent ??= crossing(until));
        isSent = true;
        continue;
      }
      // An effect may come at any time.
      const maxMs = effectAt > now ? LOOK_MS : Infinity;
      const isLate = await isDelayedBeyond(Math.ceil(Math.min(quietAt - now, until - now, maxMs)));
      if (isLate) turnAt = performance.now() + turnMs;
    }
  }

  /** When nothing has changed for long enough, and the answer has been handled. */
  #restedAt(quietMs: number, answered: Answered | null, turnAt: number): number {
    this.#take(this.#observer.takeRecords());
    const restedAt = this.#changedAt + quietMs;
    if (answered === null) return restedAt;
    const { at, url } = answered;
    if (this.#changedAt > at) return this.#changedAt + Math.min(quietMs, RENDERED_MS);
    return Math.max(restedAt, at + HANDLED_MS, turnAt, url === null ? 0 : this.#arrivedAt(url, at) + LOOK_MS);
  }

  /** When the page had an answer, which it may not have yet. */
  #arrivedAt(url: string, answeredAt: number): number {
    this.#record(this.#loads.takeRecords());
    const latest = Math.min(performance.now(), answeredAt + RECORDED_MS);
    return this.#loadedAt.get(withoutFragment(url)) ?? latest;
  }

  async #whenBegun({ minMs, untilFrame, quietMs }: Quiet): Promise<void> {
    const now = performance.now();
    const { at, drawn } = this.#input ?? { at: now, drawn: nextFrame() };
    this.#input = null;
    await Promise.all([delay(Math.max(0, at + minMs - now)), untilFrame && drawn]);
    // Preact, for example, moves work from a frame to a timer: the next step must wait for it.
    if (untilFrame && quietMs < HANDLED_MS) await delay(0);
  }

  #isComing(effectMs: number): boolean {
    return effectMs > 0 && (this.#shownAt === -Infinity || [this.document, ...this.#trees].some(isFading));
  }

  /** Whether anything has changed since the last call. */
  hasChanged(): boolean {
    this.#take(this.#observer.takeRecords());
    const hasChanged = this.#hasChanged;
    this.#hasChanged = false;
    return hasChanged;
  }

  /** Whether anything changes endlessly. */
  get isRestless(): boolean {
    return performance.now() - this.#restlessAt < RECENT_MS;
  }

  stop(): void {
    this.#observer.disconnect();
    this.#loads.disconnect();
  }
}

/** Whether a delay took longer because the page was not run. The timers of a hidden page are always late. */
async function isDelayedBeyond(delayMs: number): Promise<boolean> {
  const dueAt = performance.now() + delayMs;
  await delay(delayMs);
  return performance.now() > dueAt + ON_TIME_MS && document.visibilityState === 'visible';
}

let waypoint = '';

/**
 * Resolves once what a page has requested so far is on its way, and what has been answered has reached it: on a busy
 * machine, loads pass between page and browser later than messages. A load of our own goes their way.
 */
async function crossing(until: number): Promise<void> {
  waypoint ||= `${URL.createObjectURL(new Blob())}${WAYPOINT}`;
  const loaded = fetch(waypoint).then((answer) => answer.text());
  const settled = loaded.catch(() => '');
  await waitAtMost(settled, Math.max(0, until - performance.now()));
}

/** Whether an animation runs that has an end. */
export const isEnding = ({ playState, effect }: Animation): boolean =>
  playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;

/** Elements with a finite animation. */
const fadingIn = (tree: DocumentOrShadowRoot): readonly Element[] =>
  tree
    .getAnimations()
    .filter(isEnding)
    .map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target : null))
    .filter((el) => el !== null);

/** Longest wait for an animation: the menus of Material Design take half a second. */
const FADED_MS = 800;

export async function whenFaded(
  tree: DocumentOrShadowRoot,
  isAwaited: (el: Element) => boolean = () => true,
): Promise<void> {
  const until = performance.now() + FADED_MS;
  while (fadingIn(tree).some(isAwaited) && performance.now() < until) await delay(LOOK_MS);
}

/** A popup that fades in is not visible at first. */
const isFading = (tree: DocumentOrShadowRoot): boolean => fadingIn(tree).length > 0;

/** Attributes by which pages show and hide. */
const LOOKS: ReadonlySet<string> = new Set(['class', 'style', 'hidden', 'open', 'data-state']);

/** Parts that a control draws with its state: a button that clears it, a label that moves aside. */
const DECORATION = 'button,[role=button],label,legend,svg,style,script,link';
const ROW = 'li,tr,[role=option],[role=row],[role=menuitem]';

/** A label may also hold the calendar of its field. */
const isDecorating = (el: Element): boolean => {
  const around = el.closest(DECORATION);
  return around !== null && !(around !== el && isLabel(around) && isLayer(el) && el.childElementCount > 0);
};

/** The elements that a change shows, hides or rewords, apart from a target, its text and its decoration. */
function shownBy(record: MutationRecord, target: Element): readonly Element[] {
  const { type, target: node, attributeName, addedNodes, removedNodes } = record;
  const isLook = type === 'attributes';
  if (isLook && !LOOKS.has(attributeName ?? '')) return [];
  const row = (isElement(node) ? node : node.parentElement)?.closest(ROW) ?? null;
  const isOwn = isLook || (isHtml(target) && target.isContentEditable);
  return (isLook ? [node] : [...addedNodes, ...removedNodes, row])
    .filter((el) => el !== null && isElement(el))
    .filter((el) => !isDecorating(el) && !el.contains(target) && !(isOwn && target.contains(el)));
}

/** Elements came or went; text is merely replaced in place. */
function isStructural({ type, addedNodes, removedNodes }: MutationRecord): boolean {
  return type === 'childList' && ![...addedNodes, ...removedNodes].every(isText);
}
