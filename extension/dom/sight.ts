import {
  isArea,
  isElement,
  isFolded,
  isFrameElement,
  isObject,
  isMatch,
  isOption,
  isSelect,
  isShadowRoot,
  isSvg,
  isText,
  isTextarea,
  isTiny,
  valueIn,
  summaryOf,
  treeOf,
  TAG,
  tagBits,
} from './elements.ts';
import { innerDocument, slotOf, slottedIn, parentAcross, shadowRootOf, flatChildren } from './trees.ts';
import { CONTROLS, isListed, isSecret } from './controls.ts';
import { isUnreadable } from './geometry.ts';
import type { VisibilityChecker } from './layout-visibility.ts';
import { EVERYWHERE, Level, TEXT, boxOf, FLOW, type Flow, type View } from './level.ts';
import { isEmptyDrawing } from './paint.ts';
import { SettledAnimations } from './settled.ts';
import { STYLE } from './style-flags.ts';

/** A document that was only parsed has no style and no layout. */
export const isLive = (node: Node): boolean => node.ownerDocument?.defaultView != null;

/** The parts of an element without a size that are searched for something visible. */
const MAX_PARTS = 200;

/** Begins the level of an element inside another one; `thorough` as for {@link shadowRootOf}. */
export function beginLevel(level: Level, parent: Level, el: Element, thorough: boolean): Level {
  level.inherit(parent);
  level.tag = el.localName;
  level.bits = tagBits(level.tag);
  level.root = (level.bits & TAG.host) === 0 ? null : shadowRootOf(el, thorough, level.bits);
  return level;
}

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

/** A drawing without shapes is nothing but its title. */
const isNamelessDrawing = (el: Element): boolean =>
  isEmptyDrawing(el) && !isMatch(el, '[aria-label],[title]');

/** Judges single elements and texts as a walk of the page would. */
export class Judge {
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
    if (isArea(el)) return this.#hasPicture(el);
    const level = this.#levelOf(el);
    return level !== null && !isNamelessDrawing(el) && this.#isSeen(el, level);
  }

  #isSeen(el: Element, level: Level): boolean {
    // A control that the page draws by other means.
    if (level.isStoodIn) return level.outer?.isStoodIn !== true;
    if (!isLive(el)) return this.checker.isAtomSeen(el, level) && !this.#isUnseenText(el, level);
    // A list draws its options only in its own box.
    if (isUnreadable(boxOf(level, el))) return !isSelect(el) && this.#hasPartShown(el, { left: MAX_PARTS });
    return (level.isAdmitted || this.checker.isAtomSeen(el, level)) && !this.#isUnseenText(el, level);
  }

  /** Whether a picture that is shown has an area of a map. */
  #hasPicture(area: HTMLAreaElement): boolean {
    const name = area.closest('map')?.name ?? '';
    const pictures = name === '' ? [] : treeOf(area).querySelectorAll(`img[usemap="#${CSS.escape(name)}" i]`);
    return [...pictures].some((picture) => this.isShown(picture));
  }

  #isPainted(el: Element): boolean {
    const level = this.#levelOf(el);
    return level !== null && this.#isSeen(el, level);
  }

  /** The part of a text that is shown. */
  textOf(node: Text): string {
    return valueIn(this.#texts, node, () => this.#judge(node));
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

  /** Whether the text directly in an element is shown itself, and does not stand for a visual. */
  isTextInSight(el: Element): boolean {
    const level = this.#levelOf(el);
    return level !== null && this.checker.isTextSeen(level) && level.text !== TEXT.standing;
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
    if (whole !== null) return this.#isPainted(whole) ? node.data : '';
    if (isOption(holder)) return this.isShown(holder) ? node.data : '';
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
    const slot = slotOf(node, root);
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
      if (up === null) level = valueIn(this.#documents, at.ownerDocument, (own) => this.#documentLevel(own));
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
    // Style is read for the first time here.
    if (document.defaultView !== null) this.#animations.add(document);
    const frame = document.defaultView?.frameElement ?? null;
    if (frame === null || !isFrameElement(frame))
      return documentLevel(this.checker, this.checker.viewOf(document));
    const level = this.#isFrameShown(frame)
      ? this.#open(this.#levelOf(parentAcross(frame) ?? frame), frame)
      : null;
    if (level !== null) enterFrame(this.checker, level, document);
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
    if (parent.tag === 'slot' && slottedIn(parent.el) !== null)
      return el.assignedSlot === parent.el ? this.#open(parent, el) : null;
    if (parent.tag !== 'select' && !this.#hasContent(parent)) return null;
    if (!this.isAll && isFolded(parent.el) && summaryOf(parent.el) !== el) return null;
    return this.#open(parent, el);
  }

  #open(parent: Level | null, el: Element): Level | null {
    if (parent === null) return null;
    if (this.checker.isSkipped(el, tagBits(el.localName))) return null;
    const level = beginLevel(new Level(parent.view), parent, el, true);
    const flow = this.checker.enter(el, parent, level);
    if (flow === null) return null;
    fillLevel(this.checker, level, el, flow);
    if (level.root !== null) this.#animations.add(level.root);
    return level;
  }
}
