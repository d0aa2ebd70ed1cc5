import { claimsMoreRows, coverageFacts, isWindowed, type CoverageFacts } from '../coverage-facts.ts';
import { embeddedPdf } from '../embedded-files.ts';
import type { Level } from './level.ts';
import type { VisibilityChecker } from './visibility-checker.ts';

/** What a walk learned besides the text. */
export interface WalkFacts extends CoverageFacts {
  hiddenElements: number;
  frames: number;
}

/** A canvas of at most this size draws nothing to look at. */
const MAX_EMPTY_PX = 2;

/** Counts what a walk meets and cannot read, or what cannot be used as it is. */
export class CoverageCounter {
  readonly facts: WalkFacts = { hiddenElements: 0, frames: 1, ...coverageFacts() };
  readonly #visibility: VisibilityChecker;
  readonly #includeHidden: boolean;

  constructor(visibility: VisibilityChecker, includeHidden: boolean) {
    this.#visibility = visibility;
    this.#includeHidden = includeHidden;
  }

  /** Counts an element that is not seen. */
  countHidden(el: Element, { attributed }: Level): void {
    this.facts.hiddenElements += 1;
    if (attributed && el.getAttribute('role') === 'tabpanel') this.facts.hiddenTabPanels += 1;
  }

  /** Counts what the attributes of an element say: content that is still to come, or cannot be used now. */
  countAttributes(el: Element, tag: string, level: Level): void {
    if ((tag === 'img' || tag === 'iframe') && el.getAttribute('loading') === 'lazy') {
      const complete: unknown = Reflect.get(el, 'complete');
      if (complete === false) this.facts.lazyLeft += 1;
    }
    if (el.hasAttribute('inert')) this.facts.inertParts += 1;
    if (claimsMoreRows(el) || isWindow(el, level)) this.facts.virtualLists += 1;
  }

  /** Counts elements whose content is not text, or not shown. */
  countUnread(el: Element, tag: string, level: Level): void {
    if (tag === 'details') {
      if (!this.#includeHidden && !el.hasAttribute('open')) this.facts.closedDetails += 1;
    } else if (tag === 'canvas') {
      const isEmpty = el.clientWidth <= MAX_EMPTY_PX || el.clientHeight <= MAX_EMPTY_PX;
      if (!isEmpty && this.#visibility.isAtomSeen(el, level)) this.facts.canvases += 1;
    } else if (tag === 'embed') {
      const pdf = this.#visibility.isAtomSeen(el, level) ? embeddedPdf(el) : null;
      if (pdf !== null) this.facts.pdfs.add(pdf);
    }
  }
}

/** A scroller that shows some of its rows, and is not a part of a list that says how many rows are missing. */
function isWindow(el: Element, { style }: Level): boolean {
  const overflow = style?.overflowY ?? '';
  if (overflow !== 'auto' && overflow !== 'scroll') return false;
  return !el.hasAttribute('aria-rowcount') && el.querySelector('[aria-rowcount]') === null && isWindowed(el);
}
