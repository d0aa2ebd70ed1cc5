import type { Area } from '../box-area.ts';
import type { Colour } from './paint.ts';
import { TAG } from '../dom.ts';

export const FLOW = {
  /** Part of a line. */
  inline: 0,
  /** A line or block of its own. */
  block: 1,
  /** Part of a line, set off by space: a flex item, an inline block, a control. */
  box: 2,
} as const;
export type Flow = (typeof FLOW)[keyof typeof FLOW];

/** An area in viewport coordinates outside of which nothing can be seen. */
export type Clip = Area;

/** Whether text straight inside an element is seen; decided at its first text. Each node of what is partly seen is asked for. */
export const TEXT = { unknown: 0, seen: 1, hidden: 2, partly: 3 } as const;

/** Facts of one document: where a person can scroll to, and its fixed elements. */
export interface View {
  readonly document: Document;
  readonly reachable: Clip;
  /** The viewport itself, which bounds fixed elements. */
  readonly viewport: Clip;
}

/**
 * Elements alike in name, classes, id, attributes and place, in parents alike. Where the rules of a page cannot be read,
 * one of each kind is asked for its style. What hides a single element is asked of each in a cheaper way: whether it is
 * rendered, and where its box is.
 */
export interface Kind {
  readonly flags: number;
  readonly generates: boolean;
  /** Its text has the colours of what is behind it; undefined until asked for. */
  isCamouflaged: boolean | undefined;
  readonly below: Map<string, Kind>;
}

export const topKind = (): Kind => ({
  flags: 0,
  generates: false,
  isCamouflaged: undefined,
  below: new Map(),
});

/** The style properties that the sheets of one document or shadow tree may set. */
export interface TreeStyles {
  /** Set by any rule on any element, as {@link STYLE}. */
  readonly all: number;
  /** A sheet of another origin hides its rules: each kind of element has to be asked. */
  readonly isUnreadable: boolean;
  /** Set by rules on the host of a shadow tree. */
  readonly host: number;
  /** Where a monospaced font may begin, as selectors; null for anywhere. */
  readonly monospaced: readonly string[] | null;
  /** The kinds that have been asked. */
  readonly kinds: Kind;
  /** Set by rules on one element. */
  of(el: Element, tag: string, isAttributed: boolean): number;
  /** Whether there may be text before or after the content of an element. */
  generates(el: Element): boolean;
  /** The rules of a shadow tree give text to its host. */
  readonly generatesOnHost: boolean;
}

/** Nothing is styled by any rule. */
export const NO_STYLES: TreeStyles = {
  all: 0,
  isUnreadable: false,
  host: 0,
  kinds: topKind(),
  monospaced: [],
  of: () => 0,
  generates: () => false,
  generatesOnHost: false,
};

export const EVERYWHERE: Clip = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
export const NOWHERE: Clip = { left: 0, top: 0, right: 0, bottom: 0 };

/** One open element on the walker's stack; reused by depth. */
export class Level {
  el: Element | null = null;
  tag = '';
  flow: Flow = FLOW.inline;
  root: ShadowRoot | null = null;
  /** An ancestor of what was asked for: nothing of its own is written. */
  isSilent = false;
  /** The child that a closed `<details>` shows; undefined until asked for. */
  summary: Element | null | undefined = undefined;
  /** Next sibling to visit, when children are linked… */
  next: Node | null = null;
  /** …or the nodes assigned to a slot. */
  list: readonly Node[] | null = null;
  index = 0;
  view: View;
  /** Properties that the inline style may set. */
  own = 0;
  /** The same of the element and all around it. */
  flags = 0;
  /** Null where the rules of the page can be read. */
  kind: Kind | null = null;
  /** The element has attributes at all. */
  attributed = false;
  /** Clip of content in flow. */
  clip: Clip = NOWHERE;
  style: CSSStyleDeclaration | null = null;
  /** Where the element is; see {@link boxOf}. */
  box: DOMRect | null = null;
  /** The element bounds what its content can be seen in. */
  clips = false;
  text: number = TEXT.unknown;
  /** Text straight inside has the colours of what is behind it; undefined until asked for. */
  isCamouflaged: boolean | undefined = undefined;
  /** The element and its ancestors reach into the viewport; undefined until asked for. */
  isInView: boolean | undefined = undefined;
  /** The colours behind the text; null where they are not known. */
  background: readonly Colour[] | null | undefined = undefined;
  /** The product of the opacities of the element and all around it. */
  opacity = 1;
  preformatted = false;
  /** Lines are kept, and blanks are not (`white-space: pre-line`). */
  isPreLine = false;
  /** In a block of code that is written as such. */
  isCode = false;
  isFlex = false;
  /** Clipped text that stands for something in sight is read though it is out of sight. */
  isAdmitted = false;
  /** A control in whose place the page draws something else: its own content is not seen. */
  isStoodIn = false;
  /** `text-transform` of the source; a rendered document is asked by style. */
  transform = '';
  /** The styles of this document or shadow tree. */
  styles: TreeStyles = NO_STYLES;
  /** The element itself may have generated text. */
  generates = false;
  /** The frame that is left when this level is. */
  closesFrame = false;

  constructor(view: View) {
    this.view = view;
  }

  /** Takes over from its parent what an element takes over; levels are used again. */
  inherit(parent: Level): void {
    this.summary = undefined;
    this.list = null;
    this.index = 0;
    this.view = parent.view;
    this.own = 0;
    this.flags = parent.flags;
    this.kind = null;
    this.attributed = false;
    this.clip = parent.clip;
    this.style = null;
    this.box = null;
    this.clips = false;
    this.text = TEXT.unknown;
    this.isCamouflaged = undefined;
    this.isInView = undefined;
    this.background = undefined;
    this.opacity = parent.opacity;
    this.preformatted = parent.preformatted;
    this.isPreLine = parent.isPreLine;
    this.isCode = parent.isCode;
    this.isFlex = false;
    this.isAdmitted = parent.isAdmitted;
    this.isStoodIn = parent.isStoodIn;
    this.transform = parent.transform;
    this.styles = parent.styles;
    this.generates = false;
    this.closesFrame = false;
  }
}

/** Where the element of a level is. Asked once: layouts are not changed by a walk. */
export const boxOf = (level: Level, el: Element): DOMRect => (level.box ??= el.getBoundingClientRect());

/** Which blanks of a text `white-space` keeps. */
export function keepSpace(level: Level, whiteSpace: string): void {
  level.preformatted = /^(?:pre|break-spaces)/.test(whiteSpace);
  level.isPreLine = whiteSpace === 'pre-line';
}

/** Which elements a walk is bound to: those of the main content, and the way to them. */
export interface Selection {
  has(el: Element): boolean;
  /** Has a selected element below it; its own text is left out. */
  isOnWay(el: Element): boolean;
}

/** The flow of an element by the browser's own style sheet. */
export const flowOfTag = (bits: number): Flow => ((bits & TAG.block) !== 0 ? FLOW.block : lineFlow(bits));

const lineFlow = (bits: number): Flow => ((bits & TAG.box) !== 0 ? FLOW.box : FLOW.inline);

export function flowOf(display: string, bits: number, inFlex: boolean): Flow {
  if (/^(?:inline|math|ruby(?:-text)?)$/.test(display)) return lineFlow(bits);
  if (display === 'contents') return FLOW.inline;
  if (display.startsWith('inline')) return FLOW.box;
  return inFlex && (bits & TAG.block) === 0 ? FLOW.box : FLOW.block;
}
