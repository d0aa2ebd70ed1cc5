import {
  generatedStyle,
  isGeneratedUnseen,
  styledText,
  countedText,
  transformOfStyle,
} from './generated-text.ts';
import { intersect, type Area } from './box-area.ts';
import { isSvg, TAG, treeOf, valueIn } from './elements.ts';
import {
  Alternatives,
  LAYOUT_SCREEN,
  isShown,
  isShownByLabel,
  TOP_LAYER,
  isUsable,
  raise,
} from './stand-ins.ts';
import {
  MIN_FONT_PX,
  isCutAway,
  isEmptyShape,
  isIllegible,
  isMadeInvisible,
  isMasked,
  shapeOf,
  skippedOf,
} from './hidden-styles.ts';
import { hasColours, isCamouflaged, isPartCamouflaged, isStruckOver, paintsNothing } from './contrast.ts';
import { generatedAround, isCovered, isCutOff, untouchableIn, type Overlay } from './cover.ts';
import { layoutCodeView, type CodeView } from './code-blocks.ts';
import { mayBeShown } from './drawn.ts';
import { StyledRows } from './styled-rows.ts';
import { resolveStyleKind, ownKind, readStyles } from './tree-styles.ts';
import {
  clipOf,
  clipOfSkipped,
  clips,
  containsOutOfFlow,
  createView,
  isGlued,
  isInCollapsedColumn,
  isInViewport,
  isPageItself,
  isSetApart,
  isUnreadable,
  listLineBoxes,
  overlaps,
  sightOfText,
  visibleText,
} from './geometry.ts';
import {
  EVERYWHERE,
  FLOW,
  TEXT,
  boxOf,
  flowOf,
  flowOfTag,
  keepSpace,
  NO_STYLES,
  type Flow,
  type Level,
  type TreeStyles,
} from './level.ts';
import { ALL_STYLE, DRAWN_STYLE, STYLE, flagsOfAttributes, mayRaise } from './style-flags.ts';

const MAX_OF_TITLE = 100;
const ILLEGIBLE = STYLE.font | STYLE.warp;
/** If rules cannot be read, lower lines are checked for their size. */
const MIN_LINE_PX = 8;
const UNDRAWN = /^(?:none|table-column(?:-group)?)$/;
/** Images show nothing in a box of one pixel. */
const PICTURES = new Set(['img', 'svg', 'canvas', 'video', 'iframe']);

/** Judges what a person can see of a rendered page. Cheap tests come first; only text is measured. */
export class LayoutVisibility {
  readonly viewOf = createView;
  readonly isShown = isShown;
  readonly codeView: CodeView;
  readonly #alternatives = new Alternatives(LAYOUT_SCREEN);
  readonly #rows = new StyledRows();
  readonly #styles = new Map<Node, TreeStyles>();
  readonly #untouchable = new Map<Document | ShadowRoot, readonly Overlay[]>();

  constructor(private readonly includeHidden: boolean) {
    this.codeView = layoutCodeView(includeHidden);
  }

  /** Boxes that their own attributes put over others count for the whole tree. */
  stylesOf(root: Document | ShadowRoot): TreeStyles {
    return valueIn(this.#styles, root, () => {
      const styles = readStyles(root);
      const isRaised = (styles.all & STYLE.cover) === 0 && mayRaise(root);
      return isRaised ? { ...styles, all: styles.all | STYLE.cover } : styles;
    });
  }

  /** Never part of the page, by its name. */
  isSkipped(_el: Element, bits: number): boolean {
    return (bits & TAG.skip) !== 0;
  }

  /**
   * Fills `level` for an element and returns its flow, or null if its whole subtree is invisible. `visibility: hidden`
   * never prunes: a child may be visible again.
   */
  enter(el: Element, parent: Level, level: Level): Flow | null {
    const { tag, bits } = level;
    level.attributed = el.hasAttributes();
    level.own = this.#ownFlags(el, tag, parent, level);
    level.flags |= level.own;
    raise(el, level);
    if (tag === 'pre' || tag === 'textarea') level.preformatted = true;
    if (!this.includeHidden && (((bits & TAG.undrawn) !== 0 && isSvg(el)) || isInCollapsedColumn(el)))
      return null;
    if ((level.own & (STYLE.box | STYLE.display | STYLE.space)) !== 0)
      return this.#enterStyled(el, bits, parent, level);
    // Without attributes and styles, an element's name decides.
    return this.includeHidden ||
      (level.attributed
        ? isRendered(el, true, level.kind !== null)
        : (bits & TAG.unshown) === 0 || level.kind !== null || isRendered(el, false))
      ? this.#apart(el, flowOfTag(bits), level)
      : null;
  }

  #ownFlags(el: Element, tag: string, parent: Level, level: Level): number {
    let flags = level.attributed ? flagsOfAttributes(el, tag) : 0;
    if (tag === 'svg' || tag === 'math' || (parent.own & DRAWN_STYLE) === DRAWN_STYLE) flags |= DRAWN_STYLE;
    if (parent.isFlex) flags |= STYLE.display;
    if (isOnTop(el, tag, level)) flags |= STYLE.position | STYLE.box;
    // `::slotted` styles the contents of a slot.
    if (parent.tag === 'slot') flags |= parent.own;
    if (level.root !== null) flags |= this.stylesOf(level.root).host;
    const { styles } = level;
    if (styles === NO_STYLES) return flags;
    const ruled = styles.of(el, tag, level.attributed);
    if (!styles.isUnreadable || ruled === ALL_STYLE) return flags | ruled;
    level.kind =
      flags === 0
        ? resolveStyleKind(el, tag, level.attributed, parent.kind ?? styles.kinds)
        : ownKind(el, tag);
    return mayBeShown(el) ? flags | level.kind.flags : ALL_STYLE;
  }

  #flowOf(el: Element, style: CSSStyleDeclaration, parent: Level, level: Level): Flow {
    const { display } = style;
    level.isFlex = /flex|grid/.test(display) || (display === 'contents' && parent.isFlex);
    const mayBeCell = parent.isFlex && !level.isInRow && !level.preformatted && !level.isCode;
    const cell = mayBeCell ? this.#rows.flowOf(el, parent) : undefined;
    level.isInRow ||= cell !== undefined;
    if (cell !== undefined) return cell;
    const flow = flowOf(display, level, parent.isFlex);
    return flow === FLOW.block && isBoxOutOfFlow(style, level.bits) ? FLOW.box : flow;
  }

  /** An inline element, separated by a margin where there is no space, and a block within a row's line, are boxes. */
  #apart(el: Element, flow: Flow, level: Level): Flow {
    if (flow === FLOW.block && level.isInRow) return FLOW.box;
    if (flow !== FLOW.inline || (level.own & STYLE.margin) === 0 || !isGlued(el)) return flow;
    return isSetApart((level.style ??= getComputedStyle(el))) ? FLOW.box : flow;
  }

  #enterStyled(el: Element, bits: number, parent: Level, level: Level): Flow | null {
    const { own } = level;
    const style = getComputedStyle(el);
    level.style = style;
    const { display } = style;
    if (!this.includeHidden && UNDRAWN.test(display) && !isShownByLabel(el)) return null;
    const isDisplayed = display !== 'none' && (own & STYLE.display) !== 0;
    const placed = isDisplayed ? this.#flowOf(el, style, parent, level) : flowOfTag(bits);
    if ((own & STYLE.space) !== 0) keepSpace(level, style.whiteSpace);
    const flow = this.#apart(el, placed, level);
    // An element without a box is neither clipped nor faded.
    if (this.includeHidden || display === 'contents') return flow;
    if ((own & STYLE.box) === 0) return isRendered(el, level.attributed) ? flow : null;
    return this.#isBoxSeen(el, style, level) || isUsable(el, level) ? flow : null;
  }

  #isBoxSeen(el: Element, style: CSSStyleDeclaration, level: Level): boolean {
    const { own } = level;
    if (isMadeInvisible(el, style, level)) return false;
    const position = (own & STYLE.position) === 0 ? '' : style.position;
    const isOut = position === 'absolute' || position === 'fixed';
    const shape = shapeOf(style, own, isOut);
    if (isEmptyShape(shape) && !this.#admit(el, level)) return false;
    const skipped = skippedOf(el, style, level);
    if (skipped === 'hidden') return false;
    if (isOut) this.#place(el, level, position === 'fixed');
    if ((own & STYLE.clip) !== 0 && !level.isAdmitted && isCutAway(level, el, shape, style)) return false;
    if ((own & STYLE.overflow) !== 0 && clips(el, style) && !isPageItself(el))
      level.clip = clipOf(el, style, level);
    if (skipped === 'auto') level.clip = clipOfSkipped(el, level.clip);
    return true;
  }

  /** Admits clipped text that describes something visible. */
  #admit(el: Element, level: Level): boolean {
    if (!level.isAdmitted && !this.#standsIn(el, level)) return false;
    level.isAdmitted = true;
    return true;
  }

  #standsIn(el: Element, { outer }: Level): boolean {
    if (!this.#alternatives.standsIn(el)) return false;
    for (let at = outer; at?.outer != null; at = at.outer) {
      if (at.el === null || !LAYOUT_SCREEN.isOnScreen(at.el)) continue;
      const box = at.el.getBoundingClientRect();
      // An element without a box is where those around it are.
      if (box.width > 0) return overlaps(box, at.outer.clip);
    }
    return true;
  }

  /** Whether a clipped text next to an element repeats it. */
  isRepeatedNearby(el: Element): boolean {
    return !this.includeHidden && this.#alternatives.isRepeatedNearby(el);
  }

  /** How style changes the text directly inside a level; empty for not at all. */
  transformOf(level: Level): string {
    if (level.el === null || (level.flags & STYLE.transform) === 0) return '';
    return transformOfStyle((level.style ??= getComputedStyle(level.el)));
  }

  /** The text that style puts before or after the content of a level. */
  generatedOf(level: Level, pseudo: '::before' | '::after'): string {
    if (level.el === null) return '';
    const style = generatedStyle(level.el, pseudo);
    if (style === null) return '';
    if (!this.includeHidden && !this.#isGeneratedSeen(level, style)) return '';
    return styledText(level.el, style, countedText(level.el, pseudo));
  }

  #isGeneratedSeen(level: Level, style: CSSStyleDeclaration): boolean {
    if (level.el === null || isGeneratedUnseen(style)) return false;
    level.style ??= getComputedStyle(level.el);
    const isSmall = Number.parseFloat(level.style.fontSize) < MIN_FONT_PX;
    if (isSmall ? !this.isAtomSeen(level.el, level) : !this.isTextSeen(level)) return false;
    if (style.color === level.style.color && paintsNothing(style)) return true;
    return !isPartCamouflaged(level, style);
  }

  /** Whether an `<object>` shows its content because it cannot show its data. */
  isFallbackShown(el: Element): boolean {
    const content = el.ownerDocument.createRange();
    content.selectNodeContents(el);
    return content.getClientRects().length > 0;
  }

  /** Out-of-flow content is clipped by its containing block and by the shapes around it, not by its parent. */
  #place(el: Element, level: Level, isFixed: boolean): void {
    const { view } = level;
    let clip = isFixed ? view.viewport : view.reachable;
    for (let outer = level.outer; outer?.el != null && !outer.closesFrame; outer = outer.outer) {
      // Nothing clips at this level, so nothing clips further out either.
      if (!isFixed && outer.clip === view.reachable) break;
      if ((outer.flags & STYLE.box) === 0) continue;
      outer.style ??= getComputedStyle(outer.el);
      if (!containsOutOfFlow(outer.style, isFixed)) continue;
      ({ clip } = outer);
      break;
    }
    if (level.shape !== EVERYWHERE && el.matches(TOP_LAYER)) level.shape = EVERYWHERE;
    level.clip = level.shape === EVERYWHERE ? clip : intersect(clip, level.shape);
  }

  /** Whether the pointer becomes a hand over the element, but not over its parent. */
  isClickable(level: Level): boolean {
    if (level.el === null || (level.own & STYLE.cursor) === 0) return false;
    if ((level.style ??= getComputedStyle(level.el)).cursor !== 'pointer') return false;
    const { outer } = level;
    return outer?.el == null || (outer.style ??= getComputedStyle(outer.el)).cursor !== 'pointer';
  }

  isStruck(level: Level): boolean {
    if (level.el === null || (level.own & STYLE.strike) === 0) return false;
    return (level.style ??= getComputedStyle(level.el)).textDecorationLine.includes('line-through');
  }

  /** Whether text directly inside a level is visible. Computed once per level. */
  isTextSeen(level: Level): boolean {
    if (level.text === TEXT.unknown) level.text = this.#judgeText(level);
    return level.text !== TEXT.hidden;
  }

  /** The visible part of a text node directly inside a level. */
  seenText(level: Level, node: Text): string {
    if (!this.isTextSeen(level)) return '';
    if (level.text !== TEXT.partly) return node.data;
    const part = visibleText(node, level.clip);
    // The ellipsis tells people that a title continues.
    const isTitle = part !== '' && node.data.length <= MAX_OF_TITLE;
    return isTitle && level.el !== null && hasEllipsis(level.el) ? node.data : part;
  }

  #judgeText(level: Level): number {
    const { el, flags } = level;
    if (this.includeHidden || el === null) return TEXT.seen;
    if (level.isStoodIn || isInvisible(level, el)) return TEXT.hidden;
    if (level.isAdmitted) return TEXT.standing;
    const inPlace = (flags & STYLE.box) === 0 ? TEXT.seen : sightOfText(level, el);
    if (inPlace === TEXT.hidden || (mayBeIllegible(level, el) && isIllegible(level, el)))
      return !isSvg(el) && this.#standsIn(el, level) ? TEXT.standing : TEXT.hidden;
    return this.#isPainted(level, el) ? inPlace : TEXT.hidden;
  }

  /** Whether visible text differs in colour from its background, and is not covered. */
  #isPainted(level: Level, el: Element): boolean {
    const { flags } = level;
    if ((flags & STYLE.colour) !== 0 && this.#isLost(level)) return false;
    if ((flags & STYLE.strike) !== 0 && isStruckOver(level)) return false;
    if (level.isShaped && this.#isInView(level) && isCutOff(el, listLineBoxes(el))) return false;
    return (flags & STYLE.cover) === 0 || !this.#isInView(level) || !this.#isCovered(el, listLineBoxes(el));
  }

  /** Whether text has the colours of its background. An element without colours of its own follows its parent. */
  #isLost(level: Level): boolean {
    const { el, outer } = level;
    if (el === null) return false;
    const shared = level.kind ?? level;
    if (shared.isCamouflaged === undefined) {
      const isAsParent = level.kind === null && outer?.el != null && !outer.closesFrame && !hasColours(level);
      shared.isCamouflaged = isAsParent ? this.#isLost(outer) : isMasked(level, el) || isCamouflaged(level);
    }
    return shared.isCamouflaged && (isMasked(level, el) || isCamouflaged(level));
  }

  #isCovered(el: Element, areas: readonly Area[]): boolean {
    const { innerHeight = 0 } = el.ownerDocument.defaultView ?? {};
    // Nothing covers what is out of view.
    if (!areas.some(({ top, bottom }) => bottom > 0 && top < innerHeight)) return false;
    const root = treeOf(el);
    const overlays = valueIn(this.#untouchable, root, () => untouchableIn(root, this.stylesOf(root)));
    const generated = generatedAround(el, (host) => this.stylesOf(treeOf(host)).paintsBox(host));
    return isCovered(el, areas, [...overlays, ...generated]);
  }

  /** Whether a level is in the viewport. Ancestors come first, since most are not. */
  #isInView(level: Level | null): boolean {
    if (level?.el == null || level.closesFrame) return true;
    level.isInView ??=
      ((level.flags & STYLE.box) !== 0 || this.#isInView(level.outer)) && isInViewport(level, level.el);
    return level.isInView;
  }

  /** Whether an element without text (a control, an image) is visible. */
  isAtomSeen(el: Element, level: Level): boolean {
    if (this.includeHidden) return true;
    if (level.isStoodIn || isInvisible(level, el)) return false;
    const isPicture = PICTURES.has(el.localName);
    if ((level.flags & (STYLE.box | STYLE.cover)) === 0 && !isPicture) return true;
    const box = boxOf(level, el);
    if (isPicture && isUnreadable(box)) return false;
    if ((level.flags & STYLE.box) !== 0 && !(box.width > 0 && box.height > 0 && overlaps(box, level.clip)))
      return false;
    return !(isPicture && (level.flags & STYLE.cover) !== 0 && this.#isCovered(el, [box]));
  }
}

/** Judges visibility in a walk; documents that were only parsed are judged by their source. */
export type VisibilityChecker = Pick<LayoutVisibility, keyof LayoutVisibility>;

/** Creates the checker of one walk. */
export type VisibilityCheckerFactory = (includeHidden: boolean) => VisibilityChecker;

/** Browsers take dialogs and popovers out of the flow themselves: ancestors do not clip them. */
const isOnTop = (el: Element, tag: string, { flags, attributed }: Level): boolean =>
  (flags & (STYLE.overflow | STYLE.clip)) !== 0 &&
  (tag === 'dialog' || (attributed && el.hasAttribute('popover')));

const hasEllipsis = (el: Element): boolean =>
  [el, el.parentElement].some((at) => at !== null && getComputedStyle(at).textOverflow === 'ellipsis');

/** An absolutely positioned control is a block by style, but stays in its line. */
const isBoxOutOfFlow = ({ position }: CSSStyleDeclaration, bits: number): boolean =>
  (bits & TAG.box) !== 0 && /absolute|fixed/.test(position);

/** @param isChecked whether `checkVisibility` has already been called */
function isRendered(el: Element, attributed: boolean, isChecked = false): boolean {
  if (isChecked || el.checkVisibility())
    return !(attributed && el.hasAttribute('hidden') && getComputedStyle(el).contentVisibility === 'hidden');
  const display = getComputedStyle(el).display;
  return display === 'contents' && (el.parentElement === null || isRendered(el.parentElement, false));
}

/** `visibility` does not prune: a child may be visible again. */
function isInvisible(level: Level, el: Element): boolean {
  if ((level.flags & STYLE.visibility) === 0) return false;
  return (level.style ??= getComputedStyle(el)).visibility !== 'visible';
}

const mayBeIllegible = (level: Level, el: Element): boolean =>
  (level.flags & ILLEGIBLE) !== 0 ||
  level.blur !== '' ||
  (level.kind !== null && boxOf(level, el).height < MIN_LINE_PX);
