import { checkRendered, isDetails, isInput } from '../dom.ts';
import { isCamouflaged } from './contrast.ts';
import { clipOf, clipOfSkipped, isTextInSight, touches } from './geometry.ts';
import { FLOW, TEXT, type Flow, type Level } from './level.ts';
import { STYLE, flagsOfCss } from './style-flags.ts';
import { TAG, tagBits } from './tags.ts';

/** Below this, text is a smudge. */
const MIN_FONT_PX = 3;
const MIN_OPACITY = 0.05;

/** Clipped to nothing: `inset(50%)` and beyond, circles and polygons without area. */
const EMPTY_CLIP_PATH =
  /^inset\((?:(?:[5-9]\d|\d{3,})(?:\.\d+)?%\s*)+|^circle\(0(?:px|%)?[\s)]|^polygon\(0(?:px|%)? 0(?:px|%)?(?:, 0(?:px|%)? 0(?:px|%)?)+\)/;
const NO_OPACITY = /opacity\(0(?:\.0\d*)?%?\)/;
const EMPTY_CLIP = /^rect\(([\d.]+)px,? ([\d.]+)px,? ([\d.]+)px,? ([\d.]+)px\)$/;

/** Elements that old attributes give colours. */
const COLOURED = new Set('body table thead tbody tfoot tr td th font marquee'.split(' '));

/** Attributes that style an element without a style sheet. */
function flagsOfAttributes(el: Element, tag: string): number {
  const css = el.getAttribute('style');
  let flags = css === null ? 0 : flagsOfCss(css);
  if (COLOURED.has(tag) && (tag === 'font' || el.matches('[bgcolor],[color],[background],[text]')))
    flags |= STYLE.colour | STYLE.font;
  if (tag === 'svg' || tag === 'math') flags |= STYLE.box | STYLE.colour;
  return flags;
}

/** Judges what a person can see. Cheap questions come first; geometry is asked of text alone. */
export class Sight {
  readonly #levels: readonly Level[];
  readonly #includeHidden: boolean;

  constructor(levels: readonly Level[], includeHidden: boolean) {
    this.#levels = levels;
    this.#includeHidden = includeHidden;
  }

  /**
   * Fills `level` for an element and answers its flow, or null when nothing of its subtree is seen.
   * `visibility: hidden` never prunes: a child may be visible again.
   */
  enter(el: Element, tag: string, parent: Level, level: Level): Flow | null {
    if (el.hasAttributes()) level.flags |= flagsOfAttributes(el, tag);
    else if (tag === 'svg' || tag === 'math') level.flags |= STYLE.box | STYLE.colour;
    const bits = tagBits(tag);
    const { flags } = level;
    let flow: Flow = (bits & TAG.block) !== 0 ? FLOW.block : (bits & TAG.box) !== 0 ? FLOW.box : FLOW.inline;
    if (tag === 'pre' || tag === 'textarea') level.preformatted = true;
    if ((flags & (STYLE.box | STYLE.display | STYLE.space | STYLE.cursor)) === 0)
      return this.#includeHidden || isRendered(el) ? flow : null;
    const style = getComputedStyle(el);
    level.style = style;
    const display = style.display;
    if (display === 'none') {
      if (!this.#includeHidden && !isDrawnControl(el)) return null;
    } else if ((flags & STYLE.display) !== 0) {
      flow = flowOf(style, bits, parent.isFlex);
      level.isFlex = /flex|grid/.test(display);
    }
    if ((flags & STYLE.space) !== 0) level.preformatted = /^(?:pre|break-spaces)/.test(style.whiteSpace);
    if ((flags & STYLE.cursor) !== 0) level.pointer = style.cursor === 'pointer';
    if (this.#includeHidden) return flow;
    if ((flags & STYLE.box) === 0) return display === 'contents' || isRendered(el) ? flow : null;
    return this.#isBoxSeen(el, style, level, parent) || isDrawnControl(el) ? flow : null;
  }

  #isBoxSeen(el: Element, style: CSSStyleDeclaration, level: Level, parent: Level): boolean {
    const { contentVisibility } = style;
    if (Number(style.opacity) < MIN_OPACITY || contentVisibility === 'hidden') return false;
    if (style.filter !== 'none' && NO_OPACITY.test(style.filter)) return false;
    level.invisible = style.visibility !== 'visible';
    const position = style.position;
    if (position === 'absolute') level.clip = parent.clipAbsolute;
    else if (position === 'fixed') level.clip = parent.clipFixed;
    const clipPath = style.clipPath;
    if (clipPath !== 'none' && EMPTY_CLIP_PATH.test(clipPath)) return false;
    const isOut = position === 'absolute' || position === 'fixed';
    if (isOut && style.clip !== 'auto' && isEmptyClip(style.clip)) return false;
    const isContaining = position !== 'static' || style.transform !== 'none' || style.filter !== 'none';
    if (
      style.overflow !== 'visible' &&
      el !== el.ownerDocument.body &&
      el !== el.ownerDocument.documentElement
    )
      level.clip = clipOf(el, style, level.clip);
    if (contentVisibility === 'auto') level.clip = clipOfSkipped(el, level.clip);
    if (isContaining || contentVisibility === 'auto') level.clipAbsolute = level.clip;
    if (style.transform !== 'none' || style.filter !== 'none') level.clipFixed = level.clip;
    level.indented = Number.parseFloat(style.textIndent) < 0;
    return true;
  }

  /** Whether text straight inside the deepest level is seen. Asked once a level. */
  isTextSeen(depth: number): boolean {
    const level = this.#levels[depth];
    if (level === undefined) return false;
    if (level.text === TEXT.unknown) level.text = this.#judgeText(level, depth) ? TEXT.seen : TEXT.hidden;
    return level.text === TEXT.seen;
  }

  #judgeText(level: Level, depth: number): boolean {
    const { el, flags } = level;
    if (this.#includeHidden || el === null) return true;
    if (level.invisible) return false;
    if ((flags & STYLE.font) !== 0) {
      level.style ??= getComputedStyle(el);
      if (Number.parseFloat(level.style.fontSize) < MIN_FONT_PX) return false;
    }
    if ((flags & STYLE.box) !== 0 && !isTextInSight(level, el)) return false;
    return (flags & STYLE.colour) === 0 || !isCamouflaged(this.#levels, depth);
  }

  /** Whether an element without text (a control, a picture) is seen. */
  isAtomSeen(el: Element, level: Level): boolean {
    if (this.#includeHidden) return true;
    if (level.invisible) return false;
    if ((level.flags & STYLE.box) === 0) return true;
    const box = el.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && touches(box, level.clip);
  }
}

/** Renders at all, without asking for geometry. */
function isRendered(el: Element): boolean {
  if (checkRendered(el))
    return !(
      el.hasAttributes() &&
      el.hasAttribute('hidden') &&
      getComputedStyle(el).contentVisibility === 'hidden'
    );
  const display = getComputedStyle(el).display;
  return display === 'contents' && el.parentElement?.checkVisibility() !== false;
}

function isEmptyClip(clip: string): boolean {
  const found = EMPTY_CLIP.exec(clip);
  if (found === null) return false;
  const [top = 0, right = 0, bottom = 0, left = 0] = found.slice(1).map(Number);
  return right - left <= 1 || bottom - top <= 1;
}

function flowOf(style: CSSStyleDeclaration, bits: number, inFlex: boolean): Flow {
  const display = style.display;
  if (display === 'inline') return (bits & TAG.box) !== 0 ? FLOW.box : FLOW.inline;
  if (display === 'contents') return FLOW.inline;
  if (display.startsWith('inline')) return FLOW.box;
  if (inFlex && (bits & TAG.block) === 0) return FLOW.box;
  // A box taken out of the flow is a block to style alone: a control drawn by other means stays in its line.
  if ((bits & TAG.box) !== 0 && /absolute|fixed/.test(style.position)) return FLOW.box;
  return FLOW.block;
}

/** Rendered, opaque and not shrunk to a point. */
export function isShown(el: Element): boolean {
  if (!el.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  const box = el.getBoundingClientRect();
  return box.width > 1 && box.height > 1;
}

/** A hidden check box behind a drawn one is still what its visible label switches. */
export function isDrawnControl(el: Element): boolean {
  if (!isInput(el) || !/^(?:checkbox|radio|file)$/.test(el.type)) return false;
  return [...(el.labels ?? [])].some(isShown);
}

/** What a closed `<details>` shows: its first `<summary>` alone. */
export function isFoldedAway(child: Node, parent: Element | null): boolean {
  if (parent === null || !isDetails(parent) || parent.open) return false;
  for (let node = parent.firstElementChild; node !== null; node = node.nextElementSibling)
    if (node.localName === 'summary') return node !== child;
  return true;
}
