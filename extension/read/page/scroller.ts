import { treeOf } from '../../dom/elements.ts';
import { fingerprint } from '../../core/page/change-counter.ts';
import {
  Frames,
  ListCounts,
  ScrollPace,
  type SeenWindow,
  ENDED_PX,
  findScrollers,
  pageScroller,
  rowsInView,
  viewOf,
} from '../../dom/scrollers.ts';
import { PageError } from '../../dom/doorway.ts';
import type { ScrollMove, ScrollState } from '../../core/page/protocol.ts';

/** Share of a window's height: what was seen last stays in view, so that no row is skipped. */
const OVERLAP = 0.15;
const MAX_PARTS = 8;
const SAMPLE_UNITS = 200;
/** One lost sample may be a clock; several are removed rows. */
const LOST_SAMPLES = 3;
const MAX_SAMPLES = 60;
/** A part that has not moved after this many steps scrolls itself back. */
const STUCK_STEPS = 3;
/** A window that looked the same this often, with no request pending, is complete. */
const RESTED_LOOKS = 2;
/** The same for a window that has not changed at all: the page may not have reacted yet. */
const UNCHANGED_LOOKS = 6;

const ALL_ROWS = { bottom: 0, filled: 1, distinct: 1 };

interface Sample {
  readonly el: Element;
  readonly text: string;
}

/** Scrolls the document window by window: the page itself, then each scrollable part. */
export class PageScroller {
  readonly #origins = new Map<Element, number>();
  readonly #done = new Set<Element>();
  readonly #counts = new ListCounts();
  #samples: Sample[] = [];
  #isLossy = false;
  readonly #frames = new Frames();
  #pace = new ScrollPace();
  #stuckSteps = 0;
  #lastTop = -1;
  /** The part's greatest height so far: a list that measures its rows as they appear changes it up and down. */
  #height = 0;
  #heightBefore = 0;
  #before = '';
  #hasMoved = false;
  readonly #ends = new Map<Element, number>();
  /** The part being scrolled; null before the first and after the last one. */
  #el: Element | null = null;
  #isOver = false;

  async move(move: ScrollMove): Promise<ScrollState> {
    if (move === 'look' || move === 'wait') {
      if (move === 'wait') this.#pace.wait();
      await this.#frames.look();
      return this.#state(this.#see());
    }
    const hasLeft = this.#make(move);
    if (hasLeft) await this.#frames.drawn(() => move === 'step' && this.#isComplete());
    const seen = this.#see();
    if (move === 'step' && this.#isLossy) this.#pace.answer(seen);
    return this.#state(seen);
  }

  /** @returns false if the window has to be read again before it is left */
  #make(move: Exclude<ScrollMove, 'look' | 'wait'>): boolean {
    if (move === 'step') return this.#step();
    if (move === 'begin') this.#begin();
    else if (move === 'away') this.#by(-2 * this.#windowPx);
    else if (move === 'back') this.#by(2 * this.#windowPx);
    else if (move === 'skip') this.#skip();
    else this.#restore();
    return true;
  }

  #restore(): void {
    this.#moveAll([...this.#origins].toReversed());
    this.#pace = new ScrollPace();
    this.#origins.clear();
    this.#ends.clear();
    this.#el = null;
  }

  #isComplete(): boolean {
    return this.#isLossy && this.#pace.isComplete(this.#see());
  }

  #see(): SeenWindow {
    const el = this.#el;
    const rows = el !== null && this.#isLossy ? rowsInView(el) : ALL_ROWS;
    return { content: this.#fingerprint(), rows };
  }

  /** For a virtual list, only the list's own counts: a clock may be next to it. */
  #fingerprint(): string {
    const el = this.#el;
    if (el !== null && this.#isLossy) return fingerprint(el, el.textContent ?? '');
    return fingerprint(document, this.#text());
  }

  #state(seen: SeenWindow): ScrollState {
    const el = this.#el;
    this.#height = Math.max(this.#height, el?.scrollHeight ?? 0);
    return {
      fingerprint: seen.content,
      height: this.#height,
      grownPx: this.#height - this.#heightBefore,
      isAtEnd: el === null || isAtEnd(el),
      end: this.#endOf(el),
      isStuck: this.#stuckSteps >= STUCK_STEPS,
      isOver: this.#isOver,
      isLossy: this.#isLossy,
      looksToRest: this.#looksToRest(seen),
      isPaced: this.#frames.isPaced,
      missingRows: this.#counts.missing,
    };
  }

  #endOf(el: Element | null): ScrollState['end'] {
    if (el !== null && this.#ends.get(el) === el.scrollHeight) return 'known';
    return el !== null && el.scrollHeight <= el.clientHeight + ENDED_PX ? 'fitting' : 'new';
  }

  #looksToRest(seen: SeenWindow): number {
    if (this.#isLossy && this.#hasMoved) return this.#pace.looksToRest(seen);
    return seen.content === this.#before ? UNCHANGED_LOOKS : RESTED_LOOKS;
  }

  get #windowPx(): number {
    return this.#el?.clientHeight ?? 0;
  }

  #begin(): void {
    this.#samples = [];
    // A new call: only a list scrolled during it is known to show its first rows.
    if (this.#origins.size === 0) this.#isLossy = false;
    this.#done.clear();
    const page = pageScroller(document);
    this.#isOver = page === null;
    if (page === null) this.#el = null;
    else this.#enter(page);
    this.#moveAll([...this.#origins.keys()].map((el) => [el, 0]));
  }

  #enter(el: Element): void {
    this.#el = el;
    this.#done.add(el);
    if (!this.#origins.has(el)) this.#origins.set(el, el.scrollTop);
    this.#stuckSteps = 0;
    this.#lastTop = -1;
    this.#height = 0;
    this.#heightBefore = 0;
    this.#before = '';
    this.#pace = new ScrollPace();
    this.#moveAll([[el, 0]]);
  }

  #moveAll(places: readonly (readonly [Element, number])[]): void {
    const before = places.map(([el]) => el.scrollTop);
    for (const [el, top] of places) scrollTo(el, top);
    this.#hasMoved = places.some(([el], at) => el.scrollTop !== before[at]);
  }

  #step(): boolean {
    const el = this.#el;
    if (el === null) {
      if (this.#isOver) return true;
      throw new PageError('page_changed', 'The page navigated while it was being scrolled.');
    }
    // This window's content, without the overlap with the next one.
    this.#counts.look(treeOf(el));
    this.#sample(el);
    const top = Math.abs(el.scrollTop);
    this.#stuckSteps = top > this.#lastTop ? 0 : this.#stuckSteps + 1;
    this.#lastTop = Math.max(this.#lastTop, top);
    this.#before = this.#fingerprint();
    this.#heightBefore = Math.max(this.#height, el.scrollHeight);
    let heightPx = el.clientHeight;
    if (this.#isLossy) {
      const rows = rowsInView(el);
      if (!this.#pace.leave({ content: this.#before, rows })) return false;
      // Rows are kept ready below the window, but it may scroll upwards.
      if (el.scrollTop >= 0) heightPx = rows.bottom;
    }
    const { scrollTop } = el;
    this.#by(heightPx - el.clientHeight * OVERLAP);
    this.#hasMoved = el.scrollTop !== scrollTop;
    return true;
  }

  /** Away from the start, which is at the bottom of a `column-reverse`: its positions are negative. */
  #by(px: number): void {
    const el = this.#el;
    if (el === null) return;
    const before = el.scrollTop;
    scrollTo(el, before + (before < 0 ? -px : px));
    if (before === 0 && el.scrollTop === 0) scrollTo(el, -px);
  }

  /** To the start of the next part that exists by now. */
  #skip(): void {
    if (this.#el !== null) {
      this.#counts.look(treeOf(this.#el));
      if (isAtEnd(this.#el)) this.#ends.set(this.#el, this.#el.scrollHeight);
    }
    const next = findScrollers(document).find((el) => !this.#done.has(el));
    if (next === undefined || this.#done.size >= MAX_PARTS) {
      this.#el = null;
      this.#isOver = true;
      return;
    }
    this.#enter(next);
    // Lists out of view may not draw their rows.
    const { top } = next.getBoundingClientRect();
    next.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    this.#hasMoved ||= next.getBoundingClientRect().top !== top;
  }

  /**
   * Remembers the middle of the window, and looks for earlier samples: content removed once out of sight is noticed
   * this way.
   */
  #sample(el: Element): void {
    if (this.#isLossy) return;
    this.#isLossy = this.#countLost() >= LOST_SAMPLES;
    const { left, top, width, height } = viewOf(el);
    for (const share of [0.3, 0.5, 0.7]) {
      const found = treeOf(el).elementFromPoint(left + width / 2, top + height * share);
      if (found === null || !el.contains(found) || found === el) continue;
      const text = sampleText(found);
      if (text !== '') this.#samples.push({ el: found, text });
    }
    this.#samples = this.#samples.slice(-MAX_SAMPLES);
  }

  /** Elements replaced by others with the same text are not lost. */
  #countLost(): number {
    const changed = this.#samples.filter(({ el, text }) => !el.isConnected || sampleText(el) !== text);
    const whole = changed.length === 0 ? '' : this.#text();
    return changed.filter(({ text }) => !whole.includes(text)).length;
  }

  /** The text of the page, and of the shadow tree or frame being scrolled. */
  #text(): string {
    const root = this.#el === null ? document : treeOf(this.#el);
    const own = root === document ? '' : rootText(root);
    return rootText(document) + own;
  }
}

const rootText = (root: Document | ShadowRoot): string =>
  ('body' in root ? root.body?.textContent : root.textContent) ?? '';

const sampleText = (el: Element): string => (el.textContent ?? '').trim().slice(0, SAMPLE_UNITS);

const isAtEnd = (el: Element): boolean =>
  Math.abs(el.scrollTop) + el.clientHeight >= el.scrollHeight - ENDED_PX;

const scrollTo = (el: Element, top: number): void => el.scrollTo({ top, behavior: 'instant' });
