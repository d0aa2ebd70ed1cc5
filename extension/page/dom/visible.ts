import {
  isArea,
  innerDocument,
  isElement,
  isFolded,
  isFrameElement,
  isObject,
  isOption,
  isShadowRoot,
  isSlot,
  isSvg,
  isText,
  isTextarea,
  isTiny,
  parentAcross,
  shadowRootOf,
  flatChildren,
  squash,
  summaryOf,
  TAG,
  tagBits,
} from '../dom.ts';
import { isEmpty } from './box-area.ts';
import { CONTROLS, isListed, isSecret } from './controls.ts';
import { isPlaceholderSeen } from './contrast.ts';
import { innerBoxes } from './drawn.ts';
import { isUnreadable } from './geometry.ts';
import { LayoutVisibility, type VisibilityChecker } from './layout-visibility.ts';
import { EVERYWHERE, Level, boxOf, FLOW, type Flow, type View } from './level.ts';
import { SettledAnimations } from './settled.ts';
import { STYLE } from './style-flags.ts';

/**
 * Whether a person sees a part of a page. Each reader uses one of three levels by its name.
 *
 * - _Rendered_: style gives it a box, or its parts have one. It may be transparent, covered, or cut away.
 * - _Shown_: a person sees it, here or after scrolling. Texts that stand for a visual count; see `stand-ins.ts`.
 * - _Reachable_: it is rendered with a size, so that input can be sent to it. Its paint does not matter: pages put
 *   transparent controls over what they draw.
 */
export const RENDERING = { whole: 0, partly: 1, none: 2 } as const;

/** `partly` means that only its descendants may be visible. */
export type Rendering = (typeof RENDERING)[keyof typeof RENDERING];

interface Parsed {
  readonly create: () => VisibilityChecker;
  readonly isHidden: (el: Element) => boolean;
}

let parsed: Parsed | null = null;

/**
 * Sets how visibility is judged in documents that were only parsed. Content scripts never see one, and omit these
 * rules.
 */
export function judgeParsedBy(judge: Parsed): void {
  parsed = judge;
}

const isLive = (el: Node): boolean => el.ownerDocument?.defaultView != null;

/** How an element itself is rendered; its ancestors' opacity, clips and covers do not count. */
export function renderingOf(el: Element): Rendering {
  if (!isLive(el)) return parsed?.isHidden(el) === true ? RENDERING.none : RENDERING.whole;
  if (el.checkVisibility({ visibilityProperty: true })) return RENDERING.whole;
  const { display, visibility } = getComputedStyle(el);
  // `display: contents` has no box, but its children do.
  if (display === 'contents') return RENDERING.whole;
  return visibility !== 'visible' && el.checkVisibility() ? RENDERING.partly : RENDERING.none;
}

/** Whether an element is rendered. Options of a collapsed list are rendered as the list is. */
export function isRendered(el: Element): boolean {
  for (let at: Element | null = el; at !== null; at = parentAcross(at)) {
    const list: Element | null = isOption(at) && isListed(at) ? at.closest('select') : null;
    if (list !== null) at = list;
    if (renderingOf(at) !== RENDERING.whole) return false;
    // Without a box of its own it is where its parent is.
    if (!isLive(at) || at.checkVisibility()) return true;
  }
  return true;
}

/** A quick test that everything shown passes: rendered, and not faded to nothing. */
export const mayBeShown = (el: Element): boolean =>
  el.checkVisibility({ visibilityProperty: true, opacityProperty: true });

/**
 * Whether input can be sent to an element, here or after scrolling. A hit test decides at a point.
 * @param belongs decides whether a part of it takes input for it
 */
export function isReachable(el: Element, belongs?: (part: Element) => boolean): boolean {
  const isDrawn = el.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false });
  if (isDrawn && !isEmpty(el.getBoundingClientRect())) return true;
  return innerBoxes(el, belongs).next().done !== true;
}

/** The parts of an element without a size that are searched for something visible. */
const MAX_PARTS = 200;

/** Fills the level of an element that its checker has let in. */
export function fillLevel(checker: VisibilityChecker, level: Level, el: Element, flow: Flow | null): void {
  level.el = el;
  level.flow = flow ?? FLOW.inline;
  level.generates = level.tag === 'q' || (level.kind?.generates ?? level.styles.generates(el));
  if (level.root === null) return;
  enterTree(checker, level, level.root);
  level.generates ||= level.styles.generatesOnHost;
}

function enterTree(checker: VisibilityChecker, level: Level, root: Document | ShadowRoot): void {
  level.styles = checker.stylesOf(root);
  level.flags |= level.styles.all & STYLE.cover;
  if (level.styles.isUnreadable) level.flags |= STYLE.box;
}

/** Turns the level of a frame into that of its document. */
export function enterFrame(checker: VisibilityChecker, level: Level, inner: Document): void {
  level.view = checker.viewOf(inner);
  level.flags = 0;
  level.kind = null;
  enterTree(checker, level, inner);
  level.generates = false;
  level.clip = level.view.reachable;
  level.shape = EVERYWHERE;
  level.background = undefined;
  level.preformatted = false;
  level.closesFrame = true;
}

export function documentLevel(checker: VisibilityChecker, view: View): Level {
  const level = new Level(view);
  level.isSilent = true;
  enterTree(checker, level, view.document);
  level.clip = view.reachable;
  return level;
}

/** Judges single elements and texts as a walk of the page would. */
class Sight {
  readonly #levels = new Map<Element, Level | null>();
  readonly #documents = new Map<Document, Level | null>();
  readonly #texts = new Map<Text, string>();
  readonly #animations = new SettledAnimations();

  /** @param isAll whether hidden parts count as shown */
  constructor(
    private readonly checker: VisibilityChecker,
    private readonly isAll = false,
  ) {}

  isShown(el: Element): boolean {
    if (this.isAll) return true;
    if (isOption(el)) {
      const list = el.closest('select');
      if (list !== null) return isListed(el) && this.isShown(list);
    }
    if (isArea(el)) return isRendered(el.closest('map') ?? el);
    const level = this.#levelOf(el);
    return level !== null && this.#isSeen(el, level);
  }

  #isSeen(el: Element, level: Level): boolean {
    // A control that the page draws by other means.
    if (level.isStoodIn) return level.outer?.isStoodIn !== true;
    if (!isLive(el)) return this.checker.isAtomSeen(el, level) && !this.#isUnseenText(el, level);
    if (isUnreadable(boxOf(level, el))) return this.#hasPartShown(el, { left: MAX_PARTS });
    return (level.isAdmitted || this.checker.isAtomSeen(el, level)) && !this.#isUnseenText(el, level);
  }

  /** The part of a text that is shown. */
  textOf(node: Text): string {
    let shown = this.#texts.get(node);
    if (shown === undefined) this.#texts.set(node, (shown = this.#judge(node)));
    return shown;
  }

  isLeftOut(el: Element): boolean {
    return this.#levelOf(el) === null;
  }

  /** Whether an element is on a line of its own or is set apart within one. */
  isApart(el: Element): boolean {
    return el.localName === 'br' || this.#levelOf(el)?.flow !== FLOW.inline;
  }

  isTextShown(el: Element): boolean {
    const level = this.#levelOf(el);
    return level !== null && this.checker.isTextSeen(level);
  }

  /** Sets the page's animations back. */
  end(): void {
    this.#animations.undo();
  }

  /** Whether an element is nothing but a text that nobody sees. */
  #isUnseenText(el: Element, level: Level): boolean {
    if (level.root !== null || el.firstElementChild !== null || CONTROLS.has(level.tag)) return false;
    return (el.textContent ?? '').trim() !== '' && !this.checker.isTextSeen(level);
  }

  #hasPartShown(el: Element, budget: { left: number }): boolean {
    for (const part of flatChildren(el, true)) {
      budget.left -= 1;
      if (budget.left < 0) return false;
      if (isText(part) && this.textOf(part).trim() !== '') return true;
      if (!isElement(part)) continue;
      const level = this.#levelOf(part);
      if (level === null) continue;
      const { width, height } = boxOf(level, part);
      if (width > 0 && height > 0 ? this.isShown(part) : this.#hasPartShown(part, budget)) return true;
    }
    return false;
  }

  #judge(node: Text): string {
    const parent = node.parentNode;
    const holder = parent !== null && isShadowRoot(parent) ? parent.host : node.parentElement;
    if (holder === null) return '';
    // The title of a drawing is its name.
    const whole = isSvg(holder) && holder.localName === 'title' ? holder.parentElement : null;
    if (isOption(holder) || whole !== null) return this.isShown(whole ?? holder) ? node.data : '';
    let level = this.#levelOf(holder);
    if (level?.root != null && parent === holder) level = this.#slotLevel(node, level.root);
    return level === null ? '' : this.#textAt(level, node);
  }

  #textAt(level: Level, node: Text): string {
    const { el } = level;
    if (el === null || (!this.isAll && isFolded(el))) return '';
    if (isTextarea(el)) return !isSecret(el) && this.checker.isTextSeen(level) ? node.data : '';
    return this.#hasContent(level) ? this.checker.seenText(level, node) : '';
  }

  /** Whether the content of an element is part of the page: that of a picture replaces it where it cannot be shown. */
  #hasContent({ el, tag, bits }: Level): boolean {
    if ((bits & TAG.atom) === 0 || tag === 'math') return true;
    return el !== null && isObject(el) && innerDocument(el) === null && this.checker.isFallbackShown(el);
  }

  /** The level of the element that a child of a host is drawn in. */
  #slotLevel(node: Element | Text, root: ShadowRoot): Level | null {
    const slot =
      node.assignedSlot ??
      [...root.querySelectorAll('slot')].find((each) => each.assignedNodes().includes(node)) ??
      null;
    return slot === null ? null : this.#levelOf(slot);
  }

  /** The level of an element as the walk has it; null if all of it is invisible. */
  #levelOf(el: Element): Level | null {
    const way: Element[] = [];
    let level: Level | null | undefined;
    for (let at: Element | null = el; at !== null && level === undefined;) {
      level = this.#levels.get(at);
      if (level !== undefined) break;
      way.push(at);
      const up: Element | null = parentAcross(at);
      if (up === null) level = this.#documentLevel(at.ownerDocument);
      at = up;
    }
    for (const inner of way.reverse()) {
      const outer: Level | null = level ?? null;
      level = outer === null ? null : this.#below(outer, inner);
      this.#levels.set(inner, level);
    }
    return level ?? null;
  }

  #documentLevel(document: Document): Level | null {
    let level = this.#documents.get(document);
    if (level !== undefined) return level;
    // Style is read for the first time here.
    if (document.defaultView !== null) this.#animations.add(document);
    const frame = document.defaultView?.frameElement ?? null;
    if (frame === null || !isFrameElement(frame))
      level = documentLevel(this.checker, this.checker.viewOf(document));
    else {
      level = this.#isFrameShown(frame)
        ? this.#open(this.#levelOf(parentAcross(frame) ?? frame), frame)
        : null;
      if (level !== null) enterFrame(this.checker, level, document);
    }
    this.#documents.set(document, level);
    return level;
  }

  #isFrameShown(frame: Element): boolean {
    const level = this.#levelOf(frame);
    return level !== null && isFrameElement(frame) && this.checker.isAtomSeen(frame, level) && !isTiny(frame);
  }

  #below(parent: Level, el: Element): Level | null {
    if (parent.el === null || parent.closesFrame) return this.#open(parent, el);
    if (parent.root !== null && el.parentNode === parent.el)
      return this.#open(this.#slotLevel(el, parent.root), el);
    if (parent.tag === 'slot' && isSlot(parent.el) && parent.el.assignedNodes().length > 0)
      return el.assignedSlot === parent.el ? this.#open(parent, el) : null;
    if (parent.tag !== 'select' && !this.#hasContent(parent)) return null;
    if (!this.isAll && isFolded(parent.el) && summaryOf(parent.el) !== el) return null;
    return this.#open(parent, el);
  }

  #open(parent: Level | null, el: Element): Level | null {
    if (parent === null) return null;
    const tag = el.localName;
    const bits = tagBits(tag);
    if (this.checker.isSkipped(el, bits)) return null;
    const level = new Level(parent.view);
    level.inherit(parent);
    level.tag = tag;
    level.bits = bits;
    level.root = (bits & TAG.host) === 0 ? null : shadowRootOf(el, true, bits);
    const flow = this.checker.enter(el, parent, level);
    if (flow === null) return null;
    fillLevel(this.checker, level, el, flow);
    if (level.root !== null) this.#animations.add(level.root);
    return level;
  }
}

let sight: Sight | null = null;
let parsedSight: Sight | null = null;

/** Style and layout cannot change before this code has returned. */
function sightFor(node: Node): Sight {
  if (!isLive(node)) return (parsedSight ??= forTask(new Sight((parsed?.create ?? createLive)())));
  return (sight ??= forTask(new Sight(createLive())));
}

const createLive = (): VisibilityChecker => new LayoutVisibility(false);

function forTask(made: Sight): Sight {
  queueMicrotask(() => {
    forgetSight();
    parsedSight = null;
  });
  return made;
}

/** Call where the style of the page changes within a task. */
export function forgetSight(): void {
  sight?.end();
  sight = null;
}

/** While `work` runs, hidden parts count as shown, for a caller who asked for them. */
export function seeingAll<T>(work: () => T): T {
  sight = new Sight(new LayoutVisibility(true), true);
  try {
    return work();
  } finally {
    forgetSight();
  }
}

/** Whether a person sees an element or a part of it, here or after scrolling. */
export const isShown = (el: Element): boolean => el.isConnected && sightFor(el).isShown(el);

/** The part of a text that a person sees; empty for none. */
export const shownText = (node: Text): string => sightFor(node).textOf(node);

/** Whether a person sees the text directly in an element, or the value of a field. */
export const isTextShown = (el: Element): boolean => sightFor(el).isTextShown(el);

/** Much of a text is never asked for. */
const MAX_UNITS = 4_000;

/** The text of an element that a person sees, white space collapsed; the beginning of a long one. */
export function shownTextIn(el: Element): string {
  const judge = sightFor(el);
  let text = '';
  const add = (node: Element): void => {
    for (const child of flatChildren(node, true)) {
      if (text.length > MAX_UNITS) return;
      if (isText(child)) text += judge.textOf(child);
      if (!isElement(child) || judge.isLeftOut(child)) continue;
      const isApart = judge.isApart(child);
      if (isApart) text += ' ';
      add(child);
      if (isApart) text += ' ';
    }
  };
  add(el);
  return squash(text);
}

/** Attributes whose text people read, or hear by assistive technology. */
const SAID =
  /^(?:title|alt|placeholder|summary|aria-(?:label|description|placeholder|roledescription|valuetext))$/;

/** Whether an attribute may be said of an element: a text, only if the element is shown. */
export const isAttributeShown = (el: Element, name: string): boolean =>
  !SAID.test(name) || (isShown(el) && (name !== 'placeholder' || isPlaceholderSeen(el)));

/** Whether style around an element, or its own, hides it with all its parts. Nothing in it is shown. */
export const isLeftOut = (el: Element): boolean => sightFor(el).isLeftOut(el);
