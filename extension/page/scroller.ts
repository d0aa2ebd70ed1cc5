import { isShadowRoot } from './dom.ts';
import { fingerprint } from './fingerprint.ts';
import { ListCounts } from './list-counts.ts';
import { PageError } from './page-error.ts';
import type { ScrollMove, ScrollState } from './protocol.ts';
import { ENDED_PX, findScrollers, heightOfRows, pageScroller, viewOf } from './scrollers.ts';

/** Of a window's height: what was seen last stays in view, so that no row is jumped over. */
const OVERLAP = 0.15;
const MOST_PARTS = 8;
const SAMPLE_UNITS = 200;
/** One sample may be a clock; several that vanish are rows that were removed. */
const LOST_SAMPLES = 3;
const MOST_SAMPLES = 60;
/** A part that does not move in so many steps scrolls itself back. */
const STUCK_STEPS = 3;

interface Sample {
  readonly el: Element;
  readonly text: string;
}

/** Scrolls a document window by window: the page itself, then each part of it that scrolls. */
export class PageScroller {
  readonly #document: Document;
  /** Where each part that was scrolled had been before. */
  readonly #origins = new Map<Element, number>();
  readonly #done = new Set<Element>();
  readonly #counts = new ListCounts();
  #samples: Sample[] = [];
  #isLossy = false;
  /** Moves so far. A frame of an earlier one says nothing about the last. */
  #moves = 0;
  #isDrawn = true;
  #stuckSteps = 0;
  #lastTop = -1;
  /** The greatest height of the part: a list that measures its rows as they come changes it up and down. */
  #height = 0;
  /** The part that is scrolled; null before the first and after the last one. */
  #el: Element | null = null;
  #isOver = false;

  constructor(document: Document) {
    this.#document = document;
  }

  move(move: ScrollMove): void {
    if (move !== 'look') this.#awaitFrames();
    switch (move) {
      case 'begin':
        return this.#begin();
      case 'step':
        return this.#step();
      case 'away':
        return this.#by(-2 * this.#windowPx);
      case 'back':
        return this.#by(2 * this.#windowPx);
      case 'skip':
        return this.#skip();
      case 'restore':
        for (const [el, top] of [...this.#origins].toReversed()) scrollTo(el, top);
        this.#origins.clear();
        this.#el = null;
        return;
      case 'look':
    }
  }

  state(): ScrollState {
    const el = this.#el;
    this.#height = Math.max(this.#height, el?.scrollHeight ?? 0);
    return {
      fingerprint: fingerprint(this.#document, this.#text()),
      height: this.#height,
      isAtEnd: el === null || el.scrollTop + el.clientHeight >= el.scrollHeight - ENDED_PX,
      isStuck: this.#stuckSteps >= STUCK_STEPS,
      isOver: this.#isOver,
      isLossy: this.#isLossy,
      isDrawn: this.#isDrawn,
      missingRows: this.#counts.missing,
    };
  }

  /**
   * Scroll events come with the next frame, and what a list draws for them with the one after it. A busy
   * machine draws late. A hidden page draws no frames, and gets no events of scrolling: unless its focus
   * is emulated, which makes it a visible one, there is nothing to wait for.
   */
  #awaitFrames(): void {
    const move = ++this.#moves;
    const { defaultView: view, visibilityState } = this.#document;
    this.#isDrawn = view === null || visibilityState === 'hidden';
    view?.requestAnimationFrame(() =>
      view.requestAnimationFrame(() => {
        if (move === this.#moves) this.#isDrawn = true;
      }),
    );
  }

  get #windowPx(): number {
    return this.#el?.clientHeight ?? 0;
  }

  #begin(): void {
    for (const el of this.#origins.keys()) scrollTo(el, 0);
    this.#samples = [];
    this.#isOver = false;
    this.#done.clear();
    this.#enter(pageScroller(this.#document));
  }

  #enter(el: Element): void {
    this.#el = el;
    this.#done.add(el);
    if (!this.#origins.has(el)) this.#origins.set(el, el.scrollTop);
    this.#stuckSteps = 0;
    this.#lastTop = -1;
    this.#height = 0;
    scrollTo(el, 0);
  }

  #step(): void {
    const el = this.#el;
    if (el === null) {
      if (this.#isOver) return;
      throw new PageError('page_changed', 'Another page came while this one was scrolled.');
    }
    // What came to rest in this window, and not what the next one still shows of it.
    this.#counts.look(rootOf(el));
    this.#sample(el);
    this.#stuckSteps = el.scrollTop > this.#lastTop ? 0 : this.#stuckSteps + 1;
    this.#lastTop = Math.max(this.#lastTop, el.scrollTop);
    const heightPx = this.#isLossy ? heightOfRows(el) : el.clientHeight;
    this.#by(heightPx - el.clientHeight * OVERLAP);
  }

  #by(px: number): void {
    if (this.#el !== null) scrollTo(this.#el, this.#el.scrollTop + px);
  }

  /** To the start of the next part, of those that are there by now. */
  #skip(): void {
    if (this.#el !== null) this.#counts.look(rootOf(this.#el));
    const next = findScrollers(this.#document).find((el) => !this.#done.has(el));
    if (next === undefined || this.#done.size >= MOST_PARTS) {
      this.#el = null;
      this.#isOver = true;
      return;
    }
    this.#enter(next);
    // Lists out of view may not draw their rows.
    next.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  }

  /**
   * Remembers what is in the middle of the window, and looks for what was there before: content that is
   * removed once it is out of sight shows by it.
   */
  #sample(el: Element): void {
    if (this.#isLossy) return;
    this.#isLossy = this.#countLost() >= LOST_SAMPLES;
    const { left, top, width, height } = viewOf(el);
    for (const share of [0.3, 0.5, 0.7]) {
      const found = rootOf(el).elementFromPoint(left + width / 2, top + height * share);
      if (found === null || !el.contains(found) || found === el) continue;
      const text = sampleText(found);
      if (text !== '') this.#samples.push({ el: found, text });
    }
    this.#samples = this.#samples.slice(-MOST_SAMPLES);
  }

  /** Elements that were replaced by others with the same text are not lost. */
  #countLost(): number {
    const changed = this.#samples.filter(({ el, text }) => !el.isConnected || sampleText(el) !== text);
    const whole = changed.length === 0 ? '' : this.#text();
    return changed.filter(({ text }) => !whole.includes(text)).length;
  }

  /** The text of the page, and of the shadow tree or frame of the part that is scrolled now. */
  #text(): string {
    const root = this.#el === null ? this.#document : rootOf(this.#el);
    const own = root === this.#document ? '' : textOf(root);
    return textOf(this.#document) + own;
  }
}

function rootOf(el: Element): Document | ShadowRoot {
  const root = el.getRootNode();
  return isShadowRoot(root) ? root : el.ownerDocument;
}

const textOf = (root: Document | ShadowRoot): string =>
  ('body' in root ? root.body?.textContent : root.textContent) ?? '';

const sampleText = (el: Element): string => (el.textContent ?? '').trim().slice(0, SAMPLE_UNITS);

const scrollTo = (el: Element, top: number): void => el.scrollTo({ top, behavior: 'instant' });
