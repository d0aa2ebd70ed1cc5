import type { Area } from '../box-area.ts';
import type { Colour } from './paint.ts';
import { NO_HOSTS, type GeneratedHosts } from './generated-hosts.ts';

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

/** What a walk knows of one document: where a person can scroll to, and what is fixed. */
export interface View {
  readonly document: Document;
  readonly reachable: Clip;
  /** The viewport itself, which bounds fixed elements. */
  readonly viewport: Clip;
}

/** One open element on the walker's stack; reused by depth. */
export interface Level {
  el: Element | null;
  tag: string;
  flow: Flow;
  root: ShadowRoot | null;
  /** Only on the way to what was asked for: nothing of its own is written. */
  isSilent: boolean;
  /** What a `<details>` shows while it is closed; undefined until it was asked for. */
  summary: Element | null | undefined;
  /** Next sibling to visit, when children are linked… */
  next: Node | null;
  /** …or the nodes assigned to a slot. */
  list: readonly Node[] | null;
  index: number;
  view: View;
  flags: number;
  /** The element has attributes at all. */
  attributed: boolean;
  /** Clip of content in flow. */
  clip: Clip;
  style: CSSStyleDeclaration | null;
  /** Where the element is; see {@link boxOf}. */
  box: DOMRect | null;
  /** The element bounds what its content can be seen in. */
  clips: boolean;
  text: number;
  /** The colours behind the text; null where they are not known. */
  background: readonly Colour[] | null | undefined;
  /** The product of the opacities of the element and all around it. */
  opacity: number;
  preformatted: boolean;
  /** Lines are kept, and blanks are not (`white-space: pre-line`). */
  isPreLine: boolean;
  /** In a block of code that is written as such. */
  isCode: boolean;
  isFlex: boolean;
  /** Clipped text that stands for something in sight is read though it is out of sight. */
  isAdmitted: boolean;
  /** A control in whose place the page draws something else: its own content is not seen. */
  isStoodIn: boolean;
  /** `text-transform` of the source; a rendered document is asked by style. */
  transform: string;
  /** Elements of this document or shadow tree with generated text. */
  hosts: GeneratedHosts;
  /** The element itself may have generated text. */
  generates: boolean;
  /** Null until it was asked for. */
  pointer: boolean | null;
  /** The frame that is left when this level is. */
  closesFrame: boolean;
}

export const EVERYWHERE: Clip = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
export const NOWHERE: Clip = { left: 0, top: 0, right: 0, bottom: 0 };

export function createLevel(view: View): Level {
  return {
    el: null,
    tag: '',
    flow: FLOW.inline,
    root: null,
    isSilent: false,
    summary: undefined,
    next: null,
    list: null,
    index: 0,
    view,
    flags: 0,
    attributed: false,
    clip: NOWHERE,
    style: null,
    box: null,
    clips: false,
    text: TEXT.unknown,
    background: undefined,
    opacity: 1,
    preformatted: false,
    isPreLine: false,
    isCode: false,
    isFlex: false,
    isAdmitted: false,
    isStoodIn: false,
    transform: '',
    hosts: NO_HOSTS,
    generates: false,
    pointer: null,
    closesFrame: false,
  };
}

/** Gives a reused level what an element takes over from its parent. */
export function inherit(level: Level, parent: Level): void {
  level.summary = undefined;
  level.list = null;
  level.index = 0;
  level.view = parent.view;
  level.flags = parent.flags;
  level.attributed = false;
  level.clip = parent.clip;
  level.style = null;
  level.box = null;
  level.clips = false;
  level.text = TEXT.unknown;
  level.background = undefined;
  level.opacity = parent.opacity;
  level.preformatted = parent.preformatted;
  level.isPreLine = parent.isPreLine;
  level.isCode = parent.isCode;
  level.isFlex = false;
  level.isAdmitted = parent.isAdmitted;
  level.isStoodIn = parent.isStoodIn;
  level.transform = parent.transform;
  level.hosts = parent.hosts;
  level.generates = false;
  level.pointer = null;
  level.closesFrame = false;
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
