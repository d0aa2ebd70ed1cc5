import { defer, delay, waitAtMost } from '../../../shared/base/async.ts';
import { flatParent } from '../../dom/trees.ts';
import { SCROLL } from '../../../shared/act/step-words.ts';
import { findScrollers, pageScroller } from '../../dom/scrollers.ts';
import { isSameArea, measureArea, reveal } from './places.ts';
import type { PageAnswers } from '../../core/ports/page-answers.ts';

const SHOWN_MS = 250;
/** A frame of another page may draw nothing; it then does nothing by frames either. */
const UNSEEN_MS = 60;

/** Waits until the page's callbacks for the next frame have run: those already requested come before ours. */
export async function nextFrame(): Promise<void> {
  const isShown = document.visibilityState === 'visible' && window.top === window;
  const drawn = new Promise((resolve) => requestAnimationFrame(resolve));
  await Promise.race([drawn, delay(isShown ? SHOWN_MS : UNSEEN_MS)]);
}

/** A busy machine draws a visible page this late. */
const DRAWN_MS = 5_000;
/** A hidden page may draw once a second, a frame out of view never. */
const UNDRAWN_MS = 1_100;

/**
 * Waits, briefly, until the document has been drawn. Scroll events, frame callbacks and intersection observers fire
 * with a drawing, so the page then knows of everything that moved before.
 */
export async function whenDrawn(document: Document): Promise<void> {
  const root = document.documentElement;
  if (root === null) return;
  const notified = defer<void>();
  const observer = new IntersectionObserver(() => notified.resolve());
  observer.observe(root);
  const isShown = document.visibilityState === 'visible' && window.top === window;
  // Observers of a document are notified in one task, the page's possibly after this one.
  const drawn = notified.promise.then(() => delay(0));
  await waitAtMost(drawn, isShown ? DRAWN_MS : UNDRAWN_MS);
  observer.disconnect();
}

/** A page that moves something changes at least every second frame. */
const RECENT_MS = 40;

/** A page that is still doing something changes within this time. */
export const RESTED_MS = 600;

/** Records when a document last changed in a way that may move its elements. */
class Changes {
  readonly #observer: MutationObserver;
  #mutatedAt = -Infinity;
  #scrolledAt = -Infinity;

  constructor(private readonly document: Document) {
    this.#observer = new MutationObserver(this.#mutate);
    const attributeFilter = ['style', 'class', 'hidden', 'open'];
    this.#observer.observe(document, { childList: true, attributeFilter, subtree: true });
    document.addEventListener('scroll', this.#scroll, { capture: true, passive: true });
  }

  /** By `performance.now`. */
  get changedAt(): number {
    return Math.max(this.mutatedAt, this.#scrolledAt);
  }

  /** The same without scrolling, which aiming does too. */
  get mutatedAt(): number {
    if (this.#observer.takeRecords().length > 0) this.#mutate();
    return this.#mutatedAt;
  }

  /** Treats every change until now as settled. */
  rest(): void {
    this.#observer.takeRecords();
    this.#mutatedAt = this.#scrolledAt = -Infinity;
  }

  stop(): void {
    this.#observer.disconnect();
    this.document.removeEventListener('scroll', this.#scroll, { capture: true });
  }

  readonly #mutate = (): void => {
    this.#mutatedAt = performance.now();
  };

  readonly #scroll = (): void => {
    this.#scrolledAt = performance.now();
  };
}

const isAnimating = (document: Document): boolean =>
  document.getAnimations().some(({ playState }) => playState === 'running');

/** Distinguishes documents at rest from those where something may move. */
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

  /** Documents of removed frames would otherwise stay in memory. */
  #forgetReplaced(): void {
    for (const [document, changes] of this.#known) {
      if (document.defaultView !== null) continue;
      changes.stop();
      this.#known.delete(document);
    }
  }

  /**
   * Whether a document is animating, or changed shortly before `lookedAt` or later, as far as it was watched. The time
   * is not compared with now: a busy machine may have done nothing since `lookedAt`.
   */
  isIn(document: Document, lookedAt: number): boolean {
    return this.watch(document).changedAt > lookedAt - RECENT_MS || isAnimating(document);
  }

  /** Whether documents are loaded, show no animation, and have not changed for a while as far as they were watched. */
  haveRested(documents: readonly Document[]): boolean {
    const since = performance.now() - RESTED_MS;
    return documents.every(
      (each) => each.readyState === 'complete' && this.watch(each).mutatedAt <= since && !isAnimating(each),
    );
  }

  stop(): void {
    for (const changes of this.#known.values()) changes.stop();
    this.#known.clear();
  }
}

/** The share of the view that a step without pixels scrolls. */
const PAGE = 0.9;

/**
 * Scrolls an element into view, or the part of the page around it: `down 300`, `by 0,300`, `to bottom`. `on` scrolls
 * the page to its end, then its parts, which `ends` and `starts` scroll all at once. Resolves once the page has been notified.
 * @returns whether anything moved, and the new distance from the top
 */
export async function scrollPart(el: Element | null, how: string): Promise<PageAnswers['scroll']> {
  const part = scrollerOf(el, how);
  if (part === null) return { moved: false, top: 0 };
  const ofParts = PARTS[how];
  const moved =
    ofParts !== undefined
      ? moveParts(part, ofParts)
      : how === '' && el !== null
        ? moveIntoView(el)
        : move(part, how);
  if (moved) await whenDrawn(document);
  const parts = ofParts === undefined ? [part] : [part, ...innerParts(part)];
  return { moved, top: parts.reduce((sum, { scrollTop }) => sum + scrollTop, 0) };
}

/** Ways to scroll the parts of a page. */
const PARTS: Readonly<Record<string, string>> = { on: 'on', ends: 'to bottom', starts: 'to top' };

function moveIntoView(el: Element): boolean {
  const before = measureArea(el);
  reveal(el, 'center');
  return !isSameArea(before, measureArea(el));
}

const innerParts = (page: Element): readonly Element[] =>
  findScrollers(document).filter((part) => part !== page);

/** Virtual lists are scrolled view by view, unless all parts go to one of their ends. */
function moveParts(page: Element, how: string): boolean {
  if (how !== 'on') return innerParts(page).filter((part) => move(part, how)).length > 0;
  return move(page, 'to bottom') || innerParts(page).some((part) => move(part, 'down'));
}

/** Browsers tell a hidden page late that it was scrolled: with its next drawing. */
export function tellScroll(part: Element): void {
  const target = part === pageScroller(part.ownerDocument) ? part.ownerDocument : part;
  if (document.visibilityState === 'hidden')
    target.dispatchEvent(new Event('scroll', { bubbles: target !== part }));
}

function move(part: Element, how: string): boolean {
  const { scrollLeft, scrollTop } = part;
  scrollBy(part, how);
  const hasMoved = part.scrollLeft !== scrollLeft || part.scrollTop !== scrollTop;
  if (hasMoved) tellScroll(part);
  return hasMoved;
}

function scrollBy(part: Element, how: string): void {
  const [, way, pixels, x, y, end] = SCROLL.exec(how) ?? [];
  if (end !== undefined) part.scrollTo({ top: end === 'top' ? 0 : part.scrollHeight, behavior: 'instant' });
  else if (x !== undefined) part.scrollBy({ left: Number(x), top: Number(y), behavior: 'instant' });
  else {
    const isAcross = way === 'left' || way === 'right';
    const size = isAcross ? part.clientWidth : part.clientHeight;
    const distance =
      (way === 'up' || way === 'left' ? -1 : 1) * (pixels === undefined ? size * PAGE : Number(pixels));
    part.scrollBy({ [isAcross ? 'left' : 'top']: distance, behavior: 'instant' });
  }
}

/** The next part around an element that scrolls this way, else the page; null for a page without elements. */
function scrollerOf(el: Element | null, how: string): Element | null {
  const page = pageScroller(el?.ownerDocument ?? document);
  for (let up = el; up !== null && up !== page; up = flatParent(up)) {
    const { overflowX, overflowY } = getComputedStyle(up);
    const isAlong = /auto|scroll/.test(overflowY) && up.scrollHeight > up.clientHeight;
    const isAcross = /auto|scroll/.test(overflowX) && up.scrollWidth > up.clientWidth;
    if ((isAlong && !/^(?:left|right)/.test(how)) || (isAcross && !/^(?:up|down|to)/.test(how))) return up;
  }
  return page;
}
