import { judgeParsedBy } from './visible.ts';
import { readRules, type Declarations } from './source-rules.ts';
import { quoteMark } from './generated-text.ts';
import { isHtml, isDetails, isInput, isSvg, lookUp, TAG, valueIn } from './elements.ts';
import { Alternatives, type ScreenView, isShownByLabel } from './stand-ins.ts';
import type { VisibilityChecker } from './layout-visibility.ts';
import {
  FAR_PX,
  EVERYWHERE,
  FLOW,
  NO_STYLES,
  flowOf,
  flowOfTag,
  keepSpace,
  type Flow,
  type Level,
  type TreeStyles,
  type View,
} from './level.ts';
import type { CodeView } from './code-blocks.ts';
import { MIN_ALPHA, isVisuallySame, parseColour } from './paint.ts';
import { KEEPS_LINES, MONOSPACED } from './style-flags.ts';
import { MIN_FONT_PX, EMPTY_CLIP_PATH, NO_OPACITY, isEmptyClip } from './hidden-styles.ts';

/**
 * Parses a style attribute, whose last declaration of a name wins, without a style engine, which a document that was only parsed lacks. Semicolons inside
 * quotes and brackets (`url(data:…;…)`) do not end a declaration.
 */
export function parseDeclarations(css: string): Declarations {
  const found = new Map<string, string>();
  for (const part of css.replace(/\/\*[^]*?(?:\*\/|$)/g, ' ').match(PART) ?? []) {
    const colon = part.indexOf(':');
    if (colon < 0) continue;
    const value = part
      .slice(colon + 1)
      .replace(/!\s*important/i, '')
      .trim()
      .toLowerCase();
    if (value !== '') found.set(part.slice(0, colon).trim().toLowerCase(), value);
  }
  return found;
}

const PART = /(?:[^;"'()]|"[^"]*"?|'[^']*'?|\((?:[^()"']|"[^"]*"?|'[^']*'?)*\)?|\))+/g;

/** A length in pixels by the source alone; null if it depends on the page. */
function pixels(value: string | undefined): number | null {
  const found = /^(-?(?:\d+\.?\d*|\.\d+))(px|pt|em|rem|)$/.exec(value ?? '');
  if (found === null) return null;
  const [, number = '', unit = ''] = found;
  if (unit === '' && Number(number) !== 0) return null;
  return Number(number) * (UNIT_PX[unit] ?? 1);
}

/** The browser's default em. */
const UNIT_PX: Readonly<Record<string, number>> = { px: 1, pt: 4 / 3, em: 16, rem: 16 };

const UNSEEN = { invisible: 1, small: 2, transparent: 4, indented: 8 } as const;
/** Without a box in the browser's own style. */
const UNSHOWN = new Set(['area', 'rp']);
const NOTHING: Declarations = new Map();

/** Whether the source hides an element, ancestors not counted. */
export function isHiddenBySource(el: Element): boolean {
  const style = declarationsOf(el);
  return isHiddenBy(el, el.localName, style) || (textFlags(0, style) & UNSEEN.invisible) !== 0;
}

/** Hidden neither itself nor by an ancestor. */
function isShownBySource(el: Element): boolean {
  for (let up: Element | null = el; up !== null; up = up.parentElement)
    if (isHiddenBySource(up) || (isDetails(up) && !up.open && up !== el)) return false;
  return true;
}

const knownDeclarations = new WeakMap<Document, ReadonlyMap<Element, Declarations>>();

/** The declarations of the page's own rules for the elements that they may hide. */
function rulesOf(document: Document): ReadonlyMap<Element, Declarations> {
  const mayHide = (style: Declarations): boolean => isBoxHidden(style) || textFlags(0, style) !== 0;
  return valueIn(knownDeclarations, document, () =>
    readRules(document, { parse: parseDeclarations, mayHide }),
  );
}

function declarationsOf(el: Element): Declarations {
  const ruled = rulesOf(el.ownerDocument).get(el) ?? NOTHING;
  const css = el.getAttribute('style');
  if (css === null) return ruled;
  return new Map([...ruled, ...parseDeclarations(css)]);
}

function isHiddenBy(el: Element, tag: string, style: Declarations): boolean {
  if (isHtml(el)) {
    if (el.hasAttribute('hidden') || el.hasAttribute('popover') || UNSHOWN.has(tag)) return true;
    if (tag === 'dialog' && !el.hasAttribute('open')) return true;
    if (tag === 'audio' && !el.hasAttribute('controls')) return true;
    if (isInput(el) && el.type === 'hidden') return true;
  }
  return style !== NOTHING && isBoxHidden(style);
}

function isBoxHidden(style: Declarations): boolean {
  const get = (name: string): string => style.get(name) ?? '';
  if (get('display') === 'none' || get('content-visibility') === 'hidden') return true;
  const opacity = get('opacity');
  if (opacity !== '' && share(opacity) < MIN_ALPHA) return true;
  if (NO_OPACITY.test(get('filter'))) return true;
  if (GONE.test(get('transform'))) return true;
  if (CLEAR_MASK.test(get('mask-image') || get('-webkit-mask-image') || get('mask'))) return true;
  return isClippedBy(style);
}

/** A gradient of nothing but clear stops. */
const CLEAR_MASK = /gradient\((?:[^(),]*(?:deg|turn|to [a-z ]+),)?\s*(?:transparent[\d.% ]*,?\s*)+\)/;

/** Shrunk to nothing, or moved further than the width of a carousel. */
const GONE =
  /scale(?:x|y|3d)?\(\s*0(?:\.0+)?\s*[,)]|translate(?:x|y|3d)?\([^)]*-(?:9{4,}|\d{5,})(?:\.\d+)?px/;

/** Hidden in a way that leaves the text to screen readers. */
function isClippedBy(style: Declarations): boolean {
  const get = (name: string): string => style.get(name) ?? '';
  if (EMPTY_CLIP_PATH.test(get('clip-path'))) return true;
  if (/absolute|fixed/.test(get('position')) && (isEmptyClip(plainClip(get('clip'))) || isFar(style)))
    return true;
  return /hidden|clip/.test(get('overflow')) && hasNoRoom(style);
}

/** A number or percentage between 0 and 1. */
const share = (value: string): number => Number.parseFloat(value) / (value.endsWith('%') ? 100 : 1);

/** `rect(0 0 0 0)` in browsers' notation: every length with its unit. */
const plainClip = (clip: string): string => clip.replace(/(?<![\d.])0(?![\d.p])/g, '0px') || 'auto';

function isFar(style: Declarations): boolean {
  return ['left', 'top', 'margin-left', 'margin-top'].some(
    (side) => (pixels(style.get(side)) ?? 0) <= FAR_PX,
  );
}

function hasNoRoom(style: Declarations): boolean {
  return ['width', 'height', 'max-width', 'max-height'].some((side) => (pixels(style.get(side)) ?? 2) <= 1);
}

/** Any other `visibility` is that of the parent. */
const INVISIBLE = { hidden: true, collapse: true, visible: false, initial: false };

/** The effect of inline style on a level's text; the rest is inherited. */
function textFlags(inherited: number, style: Declarations): number {
  let flags = inherited;
  const set = (bit: number, isOn: boolean | null): void => {
    if (isOn !== null) flags = isOn ? flags | bit : flags & ~bit;
  };
  set(UNSEEN.invisible, lookUp(INVISIBLE, style.get('visibility') ?? '') ?? null);
  const size = pixels(style.get('font-size'));
  set(UNSEEN.small, size === null ? null : size < MIN_FONT_PX);
  const colour = style.get('color');
  const ground = style.get('background-color') ?? style.get('background');
  const clips = ['background', 'background-clip', '-webkit-background-clip'];
  const isClipped = clips.some((name) => /\btext\b/.test(style.get(name) ?? ''));
  const isLost = !isClipped && colour !== undefined && isLostOn(colour, ground);
  set(UNSEEN.transparent, colour === undefined || colour === 'inherit' ? null : isLost);
  const indent = pixels(style.get('text-indent'));
  set(UNSEEN.indented, indent === null ? null : indent <= FAR_PX);
  return flags;
}

function isLostOn(colour: string, ground: string | undefined): boolean {
  const ink = parseColour(colour);
  if (ink === null) return colour === ground;
  const paint = ground === undefined ? null : parseColour(ground);
  return ink.a < MIN_ALPHA || (paint?.a === 1 && isVisuallySame(ink, paint));
}

/** Common class names that clip text: they decide which of two duplicates is kept. */
const CLIPPING_CLASS =
  /(?:^|\s)(?:[a-z]{1,3}-)?(?:sr-only|offscreen|screen-?reader(?:-text|-only)?|(?:u-)?(?:visually-?hidden|hidden-?visually))(?=\s|$)/i;
const GRAPHICS = 'svg,img,canvas,picture,video,i';

/** Positions in a document that was only parsed, as far as its source tells. */
const SOURCE_SCREEN: ScreenView = {
  parentOf: (el) => el.parentElement,
  isOnScreen: (el) => isShownBySource(el) && !SOURCE_SCREEN.isClipped(el),
  isClipped(el) {
    const style = declarationsOf(el);
    const isSmall = (pixels(style.get('font-size')) ?? MIN_FONT_PX) < MIN_FONT_PX;
    const isIndented = (pixels(style.get('text-indent')) ?? 0) <= FAR_PX;
    return isSmall || isIndented || isClippedBy(style) || CLIPPING_CLASS.test(el.getAttribute('class') ?? '');
  },
  isPainted(el) {
    if (/background(?:-image)?\s*:[^;]*url\(/i.test(el.getAttribute('style') ?? '')) return true;
    return el.matches(GRAPHICS) || el.querySelector(`${GRAPHICS},[aria-hidden="true"]`) !== null;
  },
};

/** Without layout, every height is one line's. */
const LINE_PX = 16;

/** Code in a document that was only parsed, by `<pre>` and inline style. */
const SOURCE_CODE_VIEW: CodeView = {
  isCode(el) {
    const pre = el.closest('pre,[style*="white-space"]');
    if (pre === null || pre.localName === 'pre') return pre !== null;
    const style = declarationsOf(pre);
    return KEEPS_LINES.test(style.get('white-space') ?? '') && MONOSPACED.test(fontOf(el));
  },
  keepsBlanks: () => true,
  isSeen: isShownBySource,
  isUnselectable: (el) => el.closest('[style*="user-select:none"],[style*="user-select: none"]') !== null,
  isBlock: (el) => !/^(?:span|code|a|b|i|em|strong|td|font|u)$/.test(el.localName),
  topOf: () => 0,
  heightOf: () => LINE_PX,
  isNextLine: (upper) => upper.parentElement?.closest('pre') === null || isInRow(upper),
};

const isInRow = (text: Text): boolean => text.parentElement?.closest('tr,li,code') !== null;

const fontOf = (el: Element): string => el.closest('[style*="font"]')?.getAttribute('style') ?? '';

const TEXT_UNSEEN = UNSEEN.invisible | UNSEEN.small | UNSEEN.transparent | UNSEEN.indented;

/** Text that screen readers read. */
const CLIPPED_TEXT = UNSEEN.small | UNSEEN.indented;
const MATHML = 'http://www.w3.org/1998/Math/MathML';

/** Its drawing, or the text that stands in for it, is before it. */
function isUndrawnTex(el: Element): boolean {
  if (!/^math\/tex\b/i.test(el.getAttribute('type') ?? '')) return false;
  const before = el.previousElementSibling;
  return before === null || !/\bMathJax/.test(before.className) || before.textContent.trim() === '';
}

/**
 * Judges a document that was only parsed: no style sheet was loaded, no script has run. Content hidden by HTML, inline
 * style and the page's own rules is hidden; content that a loaded sheet would hide is unknown, and is read. `<noscript>` is read as in a
 * page without scripts, and the source of a formula that MathJax 2 would draw. Unknown XML elements are blocks.
 */
export class SourceVisibility implements VisibilityChecker {
  readonly codeView = SOURCE_CODE_VIEW;
  readonly isShown = isShownBySource;
  readonly viewOf = (document: Document): View => ({ document, viewport: EVERYWHERE, reachable: EVERYWHERE });
  readonly stylesOf = (): TreeStyles => NO_STYLES;
  readonly isClickable = (): boolean => false;
  readonly #alternatives = new Alternatives(SOURCE_SCREEN);

  constructor(private readonly includeHidden: boolean) {}

  isSkipped(el: Element, bits: number): boolean {
    return (bits & TAG.skip) !== 0 && el.localName !== 'noscript' && isOfTheWeb(el) && !isUndrawnTex(el);
  }

  enter(el: Element, parent: Level, level: Level): Flow | null {
    const { tag, bits } = level;
    level.attributed = el.hasAttributes();
    if (tag === 'pre' || tag === 'textarea') level.preformatted = true;
    const flow = isOfTheWeb(el) ? flowOfTag(bits) : FLOW.block;
    const style = declarationsOf(el);
    if (!this.includeHidden && isHiddenBy(el, tag, style) && !this.#isReadAnyway(el, level)) return null;
    if (style === NOTHING) return flow;
    level.flags = textFlags(level.flags, style);
    level.transform = style.get('text-transform')?.replace('none', '') ?? level.transform;
    const space = style.get('white-space');
    if (space !== undefined) keepSpace(level, space);
    return styledFlow(style, bits, parent, level) ?? flow;
  }

  /** A replaced control, or clipped text that describes something visible. */
  #isReadAnyway(el: Element, level: Level): boolean {
    if (isShownByLabel(el, isShownBySource)) return true;
    level.isAdmitted ||= this.#alternatives.standsIn(el);
    return level.isAdmitted;
  }

  isTextSeen(level: Level): boolean {
    if (this.includeHidden || (level.flags & TEXT_UNSEEN) === 0) return true;
    if ((level.flags & TEXT_UNSEEN & ~CLIPPED_TEXT) !== 0 || level.el === null) return false;
    return level.isAdmitted || this.#alternatives.standsIn(level.el);
  }

  seenText(level: Level, node: Text): string {
    return this.isTextSeen(level) ? node.data : '';
  }

  isRepeatedNearby(el: Element): boolean {
    return !this.includeHidden && this.#alternatives.isRepeatedNearby(el);
  }

  transformOf({ transform }: Level): string {
    return transform;
  }

  /** Style sheets are unknown; quotes are the browser's own. */
  generatedOf({ el }: Level, pseudo: '::before' | '::after'): string {
    return el?.localName === 'q' ? quoteMark(el, pseudo === '::before') : '';
  }

  isFallbackShown(el: Element): boolean {
    return !el.hasAttribute('data');
  }

  isAtomSeen(el: Element, level: Level): boolean {
    if (this.includeHidden) return true;
    return (level.flags & UNSEEN.invisible) === 0 && !isWithoutArea(el);
  }

  isStruck({ el }: Level): boolean {
    const style = el?.getAttribute('style');
    return /text-decoration(?:-line)?\s*:[^;]*line-through/i.test(style ?? '');
  }
}

/** HTML, SVG or MathML; other XML elements have no style. */
function isOfTheWeb(el: Element): boolean {
  return isHtml(el) || isSvg(el) || el.namespaceURI === MATHML;
}

/** The flow of an element's own `display`; null if it has none, or is read although hidden. */
function styledFlow(style: Declarations, bits: number, parent: Level, level: Level): Flow | null {
  const display = style.get('display');
  if (display === undefined || display === 'none') return null;
  level.isFlex = /flex|grid/.test(display);
  const flow = flowOf(display, level, parent.isFlex);
  const isOut = /absolute|fixed/.test(style.get('position') ?? '');
  return flow === FLOW.block && (bits & TAG.box) !== 0 && isOut ? FLOW.box : flow;
}

/** An image without area, or of one pixel for tracking. */
function isWithoutArea(el: Element): boolean {
  if (el.localName !== 'img') return false;
  const width = el.getAttribute('width');
  const height = el.getAttribute('height');
  return width === '0' || height === '0' || (width === '1' && height === '1');
}

judgeParsedBy({ create: () => new SourceVisibility(false), isHidden: isHiddenBySource });
