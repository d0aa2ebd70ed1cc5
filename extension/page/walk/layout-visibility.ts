import { generatedStyle, isGeneratedUnseen, styledText, countedText } from './generated-text.ts';
import { checkRendered, isElement, isSvg, isText, TAG, tagBits } from '../dom.ts';
import { Alternatives, LAYOUT_SCREEN, isDrawnOtherwise, isShown, isShownByLabel } from './stand-ins.ts';
import {
  MIN_FONT_PX,
  isCutAway,
  isEmptyShape,
  isIllegible,
  isMadeInvisible,
  isMasked,
  shapeOf,
} from './hidden-styles.ts';
import { isCamouflaged } from './contrast.ts';
import { isCovered } from './cover.ts';
import { layoutCodeView, type CodeView } from './code-blocks.ts';
import { findGeneratedHosts } from './generated-hosts.ts';
import type { VisibilityChecker } from './visibility-checker.ts';
import {
  clipOf,
  clipOfSkipped,
  clips,
  createView,
  isSetApart,
  isUnreadable,
  linesOf,
  overlaps,
  sightOfText,
  visibleText,
} from './geometry.ts';
import { FLOW, TEXT, boxOf, keepSpace, type Flow, type Level } from './level.ts';
import { BOX_STYLE, STYLE, flagsOfCss, styleFlags } from './style-flags.ts';

/** Elements that old attributes give colours. */
const COLOURED = new Set('body table thead tbody tfoot tr td th font marquee'.split(' '));

/** Drawings are styled by attributes of their own, and clip what reaches beyond them. */
const DRAWN_STYLE = BOX_STYLE | STYLE.colour | STYLE.font | STYLE.cover;
/** Elements whose own attributes may put them over others. */
const RAISED = '[style*="position" i],[style*="trans" i],[style*="margin" i],[style*="grid" i],svg rect';
const MOST_OF_TITLE = 100;
const ILLEGIBLE = STYLE.font | STYLE.warp;
/** Parts of drawings that are painted only where others refer to them. */
const UNDRAWN = new Set('defs symbol clipPath mask pattern marker metadata desc'.split(' '));
/** Elements that browsers may not show though no style says so. */
const UNSHOWN = new Set(['dialog', 'audio', 'area', 'rp', 'slot', 'object', 'details']);
/** Pictures show nothing in a box of a pixel. */
const PICTURES = new Set(['img', 'svg', 'canvas', 'video', 'iframe']);

/** Attributes that style an element without a style sheet. */
function flagsOfAttributes(el: Element, tag: string): number {
  const css = el.getAttribute('style');
  let flags = css === null ? 0 : flagsOfCss(css);
  if (COLOURED.has(tag) && (tag === 'font' || el.matches('[bgcolor],[color],[background],[text]')))
    flags |= STYLE.colour | STYLE.font | STYLE.image;
  if (tag === 'svg' || tag === 'math') flags |= DRAWN_STYLE;
  return flags;
}

/** Judges what a person can see. Cheap questions come first; geometry is asked of text alone. */
export class LayoutVisibility implements VisibilityChecker {
  readonly viewOf = createView;
  readonly isShown = isShown;
  readonly hostsOf = findGeneratedHosts;
  readonly codeView: CodeView;
  readonly #alternatives = new Alternatives(LAYOUT_SCREEN);
  readonly #levels: readonly Level[];
  readonly #includeHidden: boolean;

  constructor(levels: readonly Level[], includeHidden: boolean) {
    this.#levels = levels;
    this.#includeHidden = includeHidden;
    this.codeView = layoutCodeView(includeHidden);
  }

  /** Boxes that their own attributes put over others count for the whole tree. */
  flagsOf(root: Document | ShadowRoot): number {
    return styleFlags(root) | (root.querySelector(RAISED) === null ? 0 : STYLE.cover);
  }

  isSkipped(_el: Element, bits: number): boolean {
    return (bits & TAG.skip) !== 0;
  }

  /**
   * Fills `level` for an element and answers its flow, or null when nothing of its subtree is seen.
   * `visibility: hidden` never prunes: a child may be visible again.
   */
  enter(el: Element, tag: string, parent: Level, level: Level): Flow | null {
    level.attributed = el.hasAttributes();
    if (level.attributed) level.flags |= flagsOfAttributes(el, tag);
    else if (tag === 'svg' || tag === 'math') level.flags |= DRAWN_STYLE;
    if (tag === 'pre' || tag === 'textarea') level.preformatted = true;
    if (UNDRAWN.has(tag) && !this.#includeHidden && isSvg(el)) return null;
    const bits = tagBits(tag);
    if ((level.flags & (STYLE.box | STYLE.display | STYLE.space)) !== 0)
      return this.#enterStyled(el, bits, parent, level);
    // Without attributes and styles an element is shown by its name.
    return this.#includeHidden ||
      (level.attributed ? isRendered(el, true) : !UNSHOWN.has(tag) || isRendered(el, false))
      ? this.#apart(el, flowOfTag(bits), level)
      : null;
  }

  /** Part of a line, but set off by a margin where no blank is. */
  #apart(el: Element, flow: Flow, level: Level): Flow {
    if (flow !== FLOW.inline || (level.flags & STYLE.margin) === 0 || !isGlued(el)) return flow;
    return isSetApart((level.style ??= getComputedStyle(el))) ? FLOW.box : flow;
  }

  #enterStyled(el: Element, bits: number, parent: Level, level: Level): Flow | null {
    const { flags } = level;
    const style = getComputedStyle(el);
    level.style = style;
    const { display } = style;
    if (display === 'none' && !this.#includeHidden && !isShownByLabel(el)) return null;
    let flow = flowOfTag(bits);
    if (display !== 'none' && (flags & STYLE.display) !== 0) {
      level.isFlex = /flex|grid/.test(display);
      flow = flowOf(display, bits, parent.isFlex);
      if (flow === FLOW.block && isBoxOutOfFlow(style, bits)) flow = FLOW.box;
    }
    if ((flags & STYLE.space) !== 0) keepSpace(level, style.whiteSpace);
    flow = this.#apart(el, flow, level);
    if (this.#includeHidden) return flow;
    if ((flags & STYLE.box) === 0)
      return display === 'contents' || isRendered(el, level.attributed) ? flow : null;
    return this.#isBoxSeen(el, style, level) || isUsable(el, level) ? flow : null;
  }

  #isBoxSeen(el: Element, style: CSSStyleDeclaration, level: Level): boolean {
    const { flags } = level;
    if (isMadeInvisible(style, level)) return false;
    const position = (flags & STYLE.position) === 0 ? '' : style.position;
    const isOut = position === 'absolute' || position === 'fixed';
    const shape = shapeOf(style, flags, isOut);
    if (isEmptyShape(shape) && !this.#admit(el, level)) return false;
    const skipped = skippedOf(el, style, level);
    if (skipped === 'hidden') return false;
    if (isOut) this.#place(level, position === 'fixed');
    if ((flags & STYLE.overflow) !== 0 && clips(style) && !isPageItself(el))
      level.clip = clipOf(el, style, level);
    if ((flags & STYLE.clip) !== 0 && !level.isAdmitted && isCutAway(level, el, shape)) return false;
    if (skipped === 'auto') level.clip = clipOfSkipped(el, level.clip);
    return true;
  }

  /** Clipped text that stands for something in sight; what is around that must be in sight too. */
  #admit(el: Element, level: Level): boolean {
    if (!level.isAdmitted && !this.#standsIn(el, this.#levels.indexOf(level))) return false;
    level.isAdmitted = true;
    return true;
  }

  #standsIn(el: Element, depth: number): boolean {
    if (!this.#alternatives.standsIn(el)) return false;
    for (let at = depth - 1; at > 0; at -= 1) {
      const around = this.#levels[at]?.el;
      if (around == null || !LAYOUT_SCREEN.isOnScreen(around)) continue;
      const outer = this.#levels[at - 1];
      return outer === undefined || overlaps(around.getBoundingClientRect(), outer.clip);
    }
    return true;
  }

  isRepeatedNearby(el: Element): boolean {
    return !this.#includeHidden && this.#alternatives.isRepeatedNearby(el);
  }

  transformOf(depth: number): string {
    const level = this.#levels[depth];
    if (level?.el == null || (level.flags & STYLE.transform) === 0) return '';
    level.style ??= getComputedStyle(level.el);
    return level.style.textTransform === 'none' ? '' : level.style.textTransform;
  }

  generatedOf(depth: number, pseudo: '::before' | '::after'): string {
    const level = this.#levels[depth];
    if (level?.el == null) return '';
    const style = generatedStyle(level.el, pseudo);
    if (style === null) return '';
    if (!this.#includeHidden && !this.#isGeneratedSeen(level, depth, style)) return '';
    return styledText(level.el, style, countedText(level.el, pseudo));
  }

  #isGeneratedSeen(level: Level, depth: number, style: CSSStyleDeclaration): boolean {
    if (level.el === null || isGeneratedUnseen(style)) return false;
    level.style ??= getComputedStyle(level.el);
    const isSmall = Number.parseFloat(level.style.fontSize) < MIN_FONT_PX;
    if (isSmall ? !this.isAtomSeen(level.el, level) : !this.isTextSeen(depth)) return false;
    if (style.color === level.style.color) return true;
    const own = level.style;
    level.style = style;
    const isSame = isCamouflaged(this.#levels, depth);
    level.style = own;
    return !isSame;
  }

  isFallbackShown(el: Element): boolean {
    const content = el.ownerDocument.createRange();
    content.selectNodeContents(el);
    return content.getClientRects().length > 0;
  }

  /** What is out of the flow is clipped by its containing block, not by its parent. */
  #place(level: Level, isFixed: boolean): void {
    const { view } = level;
    for (let depth = this.#levels.indexOf(level) - 1; depth >= 0; depth -= 1) {
      const outer = this.#levels[depth];
      if (outer?.el == null || outer.closesFrame) break;
      // Nothing clips here, and so nothing does where this is placed.
      if (!isFixed && outer.clip === view.reachable) break;
      if ((outer.flags & STYLE.box) === 0) continue;
      outer.style ??= getComputedStyle(outer.el);
      if (!containsOutOfFlow(outer.style, isFixed)) continue;
      level.clip = outer.clip;
      return;
    }
    level.clip = isFixed ? view.viewport : view.reachable;
  }

  /** Whether the pointer is a hand over a level's element. Few formats ask. */
  isPointer(depth: number): boolean {
    const level = this.#levels[depth];
    if (level?.el == null || (level.flags & STYLE.cursor) === 0) return false;
    level.style ??= getComputedStyle(level.el);
    level.pointer ??= level.style.cursor === 'pointer';
    return level.pointer;
  }

  isStruck(depth: number): boolean {
    const level = this.#levels[depth];
    if (level?.el == null || (level.flags & STYLE.strike) === 0) return false;
    level.style ??= getComputedStyle(level.el);
    return level.style.textDecorationLine.includes('line-through');
  }

  /** Whether text straight inside the deepest level is seen. Asked once a level. */
  isTextSeen(depth: number): boolean {
    const level = this.#levels[depth];
    if (level === undefined) return false;
    if (level.text === TEXT.unknown) level.text = this.#judgeText(level, depth);
    return level.text !== TEXT.hidden;
  }

  seenText(depth: number, node: Text): string {
    const level = this.#levels[depth];
    if (level === undefined || !this.isTextSeen(depth)) return '';
    if (level.text !== TEXT.partly) return node.data;
    const part = visibleText(node, level.clip);
    // An ellipsis says that there is more: a title that is cut short.
    const isTitle = part !== '' && node.data.length <= MOST_OF_TITLE;
    return isTitle && level.el !== null && hasEllipsis(level.el) ? node.data : part;
  }

  #judgeText(level: Level, depth: number): number {
    const { el, flags } = level;
    if (this.#includeHidden || el === null) return TEXT.seen;
    if (level.isStoodIn || isInvisible(level, el)) return TEXT.hidden;
    if (level.isAdmitted) return TEXT.seen;
    const inPlace = (flags & STYLE.box) === 0 ? TEXT.seen : sightOfText(level, el);
    if (inPlace === TEXT.hidden || ((flags & ILLEGIBLE) !== 0 && isIllegible(level, el)))
      return !isSvg(el) && this.#standsIn(el, depth) ? TEXT.seen : TEXT.hidden;
    return this.#isPainted(level, el, depth) ? inPlace : TEXT.hidden;
  }

  /** Whether what is painted for text in sight differs from what is around it, and is not painted over. */
  #isPainted(level: Level, el: Element, depth: number): boolean {
    const { flags } = level;
    if ((flags & STYLE.colour) !== 0 && (isMasked(level, el) || isCamouflaged(this.#levels, depth)))
      return false;
    if ((flags & STYLE.cover) === 0 || !overlaps(boxOf(level, el), level.view.viewport)) return true;
    return !isCovered(el, linesOf(el));
  }

  /** Whether an element without text (a control, a picture) is seen. */
  isAtomSeen(el: Element, level: Level): boolean {
    if (this.#includeHidden) return true;
    if (level.isStoodIn || isInvisible(level, el)) return false;
    const isPicture = PICTURES.has(el.localName);
    if ((level.flags & (STYLE.box | STYLE.cover)) === 0 && !isPicture) return true;
    const box = boxOf(level, el);
    if (isPicture && isUnreadable(box)) return false;
    if ((level.flags & STYLE.box) !== 0 && !(box.width > 0 && box.height > 0 && overlaps(box, level.clip)))
      return false;
    return !(isPicture && (level.flags & STYLE.cover) !== 0 && isCovered(el, [box]));
  }
}

/** Whether a control can be used by its label, or by what the page draws in its place: its own content is not seen then. */
function isUsable(el: Element, level: Level): boolean {
  if (isShownByLabel(el)) return true;
  level.isStoodIn = isDrawnOtherwise(el);
  return level.isStoodIn;
}

/** `content-visibility`; `hidden="until-found"` says it without any style sheet. */
const skippedOf = (el: Element, style: CSSStyleDeclaration, { flags, attributed }: Level): string =>
  (flags & STYLE.skip) !== 0 || (attributed && el.hasAttribute('hidden'))
    ? style.contentVisibility
    : 'visible';

const hasEllipsis = (el: Element): boolean =>
  [el, el.parentElement].some((at) => at !== null && getComputedStyle(at).textOverflow === 'ellipsis');

/** A text or an element of the line is next to it, without a blank. */
function isGlued(el: Element): boolean {
  return [el.previousSibling, el.nextSibling].some(
    (node) => node !== null && (isText(node) ? /^\S|\S$/.test(node.data) : isElement(node)),
  );
}

/** A block to style alone: a control drawn by other means stays in its line. */
function isBoxOutOfFlow(style: CSSStyleDeclaration, bits: number): boolean {
  return (bits & TAG.box) !== 0 && /absolute|fixed/.test(style.position);
}

/** Renders at all, without asking for geometry. */
function isRendered(el: Element, attributed: boolean): boolean {
  if (checkRendered(el))
    return !(attributed && el.hasAttribute('hidden') && getComputedStyle(el).contentVisibility === 'hidden');
  const display = getComputedStyle(el).display;
  return display === 'contents' && el.parentElement?.checkVisibility() !== false;
}

function containsOutOfFlow(style: CSSStyleDeclaration, isFixed: boolean): boolean {
  if (!isFixed && style.position !== 'static') return true;
  return (
    style.transform !== 'none' ||
    style.filter !== 'none' ||
    style.perspective !== 'none' ||
    style.contentVisibility !== 'visible' ||
    /paint|layout|strict|content/.test(style.contain) ||
    /transform|filter|perspective/.test(style.willChange)
  );
}

/** `visibility` is asked of what is shown itself: a child may be visible again. */
function isInvisible(level: Level, el: Element): boolean {
  if ((level.flags & STYLE.visibility) === 0) return false;
  level.style ??= getComputedStyle(el);
  return level.style.visibility !== 'visible';
}

/** The overflow of these two is the viewport's. */
function isPageItself(el: Element): boolean {
  const { body, documentElement } = el.ownerDocument;
  return el === body || el === documentElement;
}

/** The flow of an element by the browser's own style sheet. */
export function flowOfTag(bits: number): Flow {
  return (bits & TAG.block) !== 0 ? FLOW.block : lineFlow(bits);
}

const lineFlow = (bits: number): Flow => ((bits & TAG.box) !== 0 ? FLOW.box : FLOW.inline);

export function flowOf(display: string, bits: number, inFlex: boolean): Flow {
  if (display === 'inline') return lineFlow(bits);
  if (display === 'contents') return FLOW.inline;
  if (display.startsWith('inline')) return FLOW.box;
  return inFlex && (bits & TAG.block) === 0 ? FLOW.box : FLOW.block;
}
