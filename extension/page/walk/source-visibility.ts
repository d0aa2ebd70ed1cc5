import { judgeParsedBy } from '../aria/hidden.ts';
import { quoteMark } from '../aria/generated.ts';
import { isHtml } from '../dom.ts';
import type { Declarations } from './declarations.ts';
import { Alternatives } from './alternatives.ts';
import { SOURCE_CODE_VIEW } from './source-code.ts';
import { NO_HOSTS, type GeneratedHosts } from './generated-hosts.ts';
import {
  NOTHING,
  UNSEEN,
  UNSHOWN,
  declarationsOf,
  isHiddenBy,
  isHiddenBySource,
  isShownBySource,
  textFlags,
} from './source-style.ts';
import { SOURCE_SCREEN } from './source-screen.ts';
import type { VisibilityChecker } from './visibility-checker.ts';
import { EVERYWHERE, FLOW, keepSpace, type Flow, type Level, type View } from './level.ts';
import { flowOf, flowOfTag } from './layout-visibility.ts';
import { isShownByLabel } from './stand-in.ts';
import { TAG, tagBits } from './tags.ts';

const TEXT_UNSEEN = UNSEEN.invisible | UNSEEN.small | UNSEEN.transparent | UNSEEN.indented;

/** Text that screen readers read. */
const CLIPPED_TEXT = UNSEEN.small | UNSEEN.indented;
const SVG = 'http://www.w3.org/2000/svg';
const MATHML = 'http://www.w3.org/1998/Math/MathML';

/**
 * Judges a document that was only parsed: no style sheet was loaded, no script has run. What HTML and
 * inline style hide is hidden; what a style sheet would hide is not known, and is read. `<noscript>`
 * is read as a page without scripts shows it. Elements of no language of the web are blocks.
 */
export class SourceVisibility implements VisibilityChecker {
  readonly uncheckedTexts = 0;
  readonly codeView = SOURCE_CODE_VIEW;
  readonly #alternatives = new Alternatives(SOURCE_SCREEN);
  readonly #levels: readonly Level[];
  readonly #includeHidden: boolean;

  constructor(levels: readonly Level[], includeHidden: boolean) {
    this.#levels = levels;
    this.#includeHidden = includeHidden;
    judgeParsedBy(isHiddenBySource);
  }

  viewOf(document: Document): View {
    return { document, viewport: EVERYWHERE, reachable: EVERYWHERE };
  }

  flagsOf(): number {
    return 0;
  }

  isSkipped(el: Element, bits: number): boolean {
    return (bits & TAG.skip) !== 0 && el.localName !== 'noscript' && isOfTheWeb(el);
  }

  enter(el: Element, tag: string, parent: Level, level: Level): Flow | null {
    level.attributed = el.hasAttributes();
    if (tag === 'pre' || tag === 'textarea') level.preformatted = true;
    const bits = tagBits(tag);
    const flow = isOfTheWeb(el) ? flowOfTag(bits) : FLOW.block;
    if (!level.attributed) return this.#includeHidden || !isHiddenByName(el, tag) ? flow : null;
    const style = declarationsOf(el);
    if (!this.#includeHidden && isHiddenBy(el, tag, style) && !this.#isReadAnyway(el, level)) return null;
    if (style === NOTHING) return flow;
    level.flags = textFlags(level.flags, style);
    level.transform = style.get('text-transform')?.replace('none', '') ?? level.transform;
    const space = style.get('white-space');
    if (space !== undefined) keepSpace(level, space);
    return styledFlow(style, bits, parent, level) ?? flow;
  }

  /** A control drawn by other means, or clipped text that stands for something in sight. */
  #isReadAnyway(el: Element, level: Level): boolean {
    if (isShownByLabel(el, isShownBySource)) return true;
    level.isAdmitted ||= this.#alternatives.standsIn(el);
    return level.isAdmitted;
  }

  isTextSeen(depth: number): boolean {
    const level = this.#levels[depth];
    if (level === undefined) return false;
    if (this.#includeHidden || (level.flags & TEXT_UNSEEN) === 0) return true;
    if ((level.flags & TEXT_UNSEEN & ~CLIPPED_TEXT) !== 0 || level.el === null) return false;
    return level.isAdmitted || this.#alternatives.standsIn(level.el);
  }

  seenText(depth: number, node: Text): string {
    return this.isTextSeen(depth) ? node.data : '';
  }

  isRepeatedNearby(el: Element): boolean {
    return !this.#includeHidden && this.#alternatives.isRepeatedNearby(el);
  }

  transformOf(depth: number): string {
    return this.#levels[depth]?.transform ?? '';
  }

  hostsOf(): GeneratedHosts {
    return NO_HOSTS;
  }

  /** Style sheets are not known; quotes are the browser's own. */
  generatedOf(depth: number, pseudo: '::before' | '::after'): string {
    const el = this.#levels[depth]?.el;
    return el?.localName === 'q' ? quoteMark(el, pseudo === '::before') : '';
  }

  isFallbackShown(el: Element): boolean {
    return !el.hasAttribute('data');
  }

  isAtomSeen(el: Element, level: Level): boolean {
    if (this.#includeHidden) return true;
    return (level.flags & UNSEEN.invisible) === 0 && !isWithoutArea(el);
  }

  isPointer(): boolean {
    return false;
  }

  isStruck(depth: number): boolean {
    const style = this.#levels[depth]?.el?.getAttribute('style');
    return /text-decoration(?:-line)?\s*:[^;]*line-through/i.test(style ?? '');
  }

  isShown(el: Element): boolean {
    return isShownBySource(el);
  }
}

/** HTML, a drawing or a formula; what else an XML document holds has no style of its own. */
function isOfTheWeb(el: Element): boolean {
  return isHtml(el) || el.namespaceURI === SVG || el.namespaceURI === MATHML;
}

/** The flow by an element's own `display`; null where it says none, or was to be read though hidden. */
function styledFlow(style: Declarations, bits: number, parent: Level, level: Level): Flow | null {
  const display = style.get('display');
  if (display === undefined || display === 'none') return null;
  level.isFlex = /flex|grid/.test(display);
  const flow = flowOf(display, bits, parent.isFlex);
  const isOut = /absolute|fixed/.test(style.get('position') ?? '');
  return flow === FLOW.block && (bits & TAG.box) !== 0 && isOut ? FLOW.box : flow;
}

/** Elements that browsers show only when an attribute says so. */
function isHiddenByName(el: Element, tag: string): boolean {
  return (tag === 'dialog' || tag === 'audio' || UNSHOWN.has(tag)) && isHtml(el);
}

/** A picture that is given no room, or one pixel to count readers with. */
function isWithoutArea(el: Element): boolean {
  if (el.localName !== 'img') return false;
  const width = el.getAttribute('width');
  const height = el.getAttribute('height');
  return width === '0' || height === '0' || (width === '1' && height === '1');
}
