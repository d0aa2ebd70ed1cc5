import type { Area } from './box-area.ts';
import type { Colour } from './paint.ts';
import { TAG } from './elements.ts';

export const FLOW = {
  /** Part of a line. */
  inline: 0,
  /** A line or block of its own. */
  block: 1,
  /** Part of a line, separated by space: a flex item, an inline block, a control. */
  box: 2,
  /** A box that begins a line: the first cell of a row. */
  line: 3,
} as const;
export type Flow = (typeof FLOW)[keyof typeof FLOW];

/** An area in viewport coordinates; nothing outside it is visible. */
export type Clip = Area;

/**
 * Whether text directly inside an element is visible; decided at its first text. Partly visible text is decided per
 * node. Standing text is not visible itself: it says what a visual next to it shows.
 */
export const TEXT = { unknown: 0, seen: 1, hidden: 2, partly: 3, standing: 4 } as const;

/** Facts of one document: its scrollable area, and its fixed elements. */
export interface View {
  readonly document: Document;
  readonly reachable: Clip;
  /** The viewport itself, which bounds fixed elements. */
  readonly viewport: Clip;
}

/**
 * Elements with the same name, classes, id, attributes and position, in parents of one kind. If a page's rules cannot
 * be read, one element per kind is asked for its style. Whether a single element is hidden is tested cheaply: by its
 * rendering and its box.
 */
export class Kind {
  /** Its text has the colours of its background; undefined until asked for. */
  isCamouflaged: boolean | undefined = undefined;
  readonly below = new Map<string, Kind>();

  constructor(
    readonly flags = 0,
    readonly generates = false,
  ) {}
}

/** The style properties that the sheets of one document or shadow tree may set. */
export interface TreeStyles {
  /** Set by any rule on any element, as {@link STYLE}. */
  readonly all: number;
  /** A cross-origin sheet hides its rules: one element of each kind has to be asked. */
  readonly isUnreadable: boolean;
  /** Whether style may paint a generated box in an element. */
  paintsBox(el: Element): boolean;
  /** Selectors of elements that may cover others unknown to hit tests. */
  readonly untouchable: readonly string[];
  /** Set by rules on the host of a shadow tree. */
  readonly host: number;
  /** Selectors of elements where a monospaced font may begin; null for any element. */
  readonly monospaced: readonly string[] | null;
  /** The kinds asked so far. */
  readonly kinds: Kind;
  /** Set by rules on one element. */
  of(el: Element, tag: string, isAttributed: boolean): number;
  /** Whether style may add text before or after an element's content. */
  generates(el: Element): boolean;
  /** The rules of a shadow tree add text to its host. */
  readonly generatesOnHost: boolean;
}

/** No rule styles anything. */
export const NO_STYLES: TreeStyles = {
  all: 0,
  isUnreadable: false,
  host: 0,
  kinds: new Kind(),
  monospaced: [],
  of: () => 0,
  generates: () => false,
  generatesOnHost: false,
  paintsBox: () => false,
  untouchable: [],
};

export const EVERYWHERE: Clip = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
export const NOWHERE: Clip = { left: 0, top: 0, right: 0, bottom: 0 };

/** Content moved this far is outside any window. */
export const FAR_PX = -500;

/** One open element of the walk; reused by depth. */
export class Level {
  /** The open element around it; null for the level of a document or of the requested part. */
  outer: Level | null = null;
  /** The level for the elements inside, kept for the next one. */
  inner: Level | null = null;
  el: Element | null = null;
  tag = '';
  /** Of its tag, as {@link TAG}. */
  bits = 0;
  flow: Flow = FLOW.inline;
  root: ShadowRoot | null = null;
  /** An ancestor of the requested part: its own content is not written. */
  isSilent = false;
  /** The child that a closed `<details>` shows; undefined until asked for. */
  summary: Element | null | undefined = undefined;
  /** Next sibling to visit, if children are linked… */
  next: Node | null = null;
  /** …or the nodes assigned to a slot. */
  list: readonly Node[] | null = null;
  index = 0;
  view: View;
  /** Properties that the inline style may set. */
  own = 0;
  /** The same for the element and all its ancestors. */
  flags = 0;
  /** Null if the page's rules can be read. */
  kind: Kind | null = null;
  /** The element has attributes. */
  attributed = false;
  /** Clip of content in flow. */
  clip: Clip = NOWHERE;
  /** The area that `clip` and `clip-path` of the element and its ancestors leave, of content out of the flow too. */
  shape: Clip = EVERYWHERE;
  style: CSSStyleDeclaration | null = null;
  /** See {@link boxOf}. */
  box: DOMRect | null = null;
  /** The element clips its content. */
  clips = false;
  text: number = TEXT.unknown;
  /** The text directly inside has the colours of its background; undefined until asked for. */
  isCamouflaged: boolean | undefined = undefined;
  /** The element and its ancestors reach into the viewport; undefined until asked for. */
  isInView: boolean | undefined = undefined;
  /** The colours behind the text; null if unknown. */
  background: readonly Colour[] | null | undefined = undefined;
  /** The product of the opacities of the element and its ancestors. */
  opacity = 1;
  /** The widest blur of the element and its ancestors, as a computed `filter`. */
  blur = '';
  /** Of the content that keeps its depth (`transform-style: preserve-3d`); null for flat content. */
  turn: DOMMatrix | null = null;
  /** How thin transforms make letters; see {@link thinnessOf}. */
  thinness = 1;
  /** A shape that is not known leaves a part of the content: hit tests find that. */
  isShaped = false;
  preformatted = false;
  /** Preserves line breaks, collapses spaces (`white-space: pre-line`). */
  isPreLine = false;
  /** Inside a code block of the output. */
  isCode = false;
  isFlex = false;
  /** A cell of a row by style, or inside of one: its blocks are parts of the line. */
  isInRow = false;
  /** Invisible clipped text that describes something visible, and is therefore read. */
  isAdmitted = false;
  /** A control that the page replaces, or a hidden part around something on top: its own content is invisible. */
  isStoodIn = false;
  /** `text-transform` from the source; in rendered documents it comes from style. */
  transform = '';
  /** The styles of this document or shadow tree. */
  styles: TreeStyles = NO_STYLES;
  /** The element itself may have generated text. */
  generates = false;
  /** Leaving this level leaves a frame. */
  closesFrame = false;

  constructor(view: View) {
    this.view = view;
  }

  /** Inherits from the parent and resets the rest: levels are reused. */
  inherit(parent: Level): void {
    this.outer = parent;
    this.summary = undefined;
    this.list = null;
    this.index = 0;
    this.view = parent.view;
    this.own = 0;
    this.flags = parent.flags;
    this.kind = null;
    this.attributed = false;
    this.clip = parent.clip;
    this.shape = parent.shape;
    this.style = null;
    this.box = null;
    this.clips = false;
    this.text = TEXT.unknown;
    this.isCamouflaged = undefined;
    this.isInView = undefined;
    this.background = undefined;
    this.opacity = parent.opacity;
    this.blur = parent.blur;
    this.turn = null;
    this.thinness = parent.thinness;
    this.isShaped = parent.isShaped;
    this.preformatted = parent.preformatted;
    this.isPreLine = parent.isPreLine;
    this.isCode = parent.isCode;
    this.isFlex = false;
    this.isInRow = parent.isInRow;
    this.isAdmitted = parent.isAdmitted;
    this.isStoodIn = parent.isStoodIn;
    this.transform = parent.transform;
    this.styles = parent.styles;
    this.generates = false;
    this.closesFrame = false;
  }
}

/** The element's box. Cached: a walk does not change the layout. */
export const boxOf = (level: Level, el: Element): DOMRect => (level.box ??= el.getBoundingClientRect());

/** Sets which white space `white-space` preserves. */
export function keepSpace(level: Level, whiteSpace: string): void {
  level.preformatted = /^(?:pre|break-spaces)/.test(whiteSpace);
  level.isPreLine = whiteSpace === 'pre-line';
}

/** The elements that a walk is limited to: the main content and its ancestors. */
export interface Selection {
  has(el: Element): boolean;
  /** Contains a selected element; its own text is omitted. */
  isOnWay(el: Element): boolean;
}

/** The flow of an element in the browser's own style sheet. */
export const flowOfTag = (bits: number): Flow => ((bits & TAG.block) !== 0 ? FLOW.block : lineFlow(bits));

const lineFlow = (bits: number): Flow => ((bits & TAG.box) !== 0 ? FLOW.box : FLOW.inline);

export function flowOf(display: string, { tag, bits }: Pick<Level, 'tag' | 'bits'>, inFlex: boolean): Flow {
  if (/^(?:inline|math|ruby(?:-text)?)$/.test(display)) return lineFlow(bits);
  if (display === 'contents') return FLOW.inline;
  if (display.startsWith('inline')) return FLOW.box;
  // A table by style alone has no cells of its own in the output: each row is a line.
  if (display === 'table-cell' && tag !== 'td' && tag !== 'th') return FLOW.box;
  return inFlex && (bits & TAG.block) === 0 ? FLOW.box : FLOW.block;
}
