import { isLabel, squash } from '../dom.ts';
import { TAG, tagBits } from './tags.ts';

/** Longer text stands for no visual, and names nothing. */
const MAX_UNITS = 100;
/** Words that a clipped text may say more than the visual next to it. */
const MAX_MORE_UNITS = 40;
/** How far a clipped text is from what it stands for or names. */
const MAX_STEPS = 4;
/** Siblings looked at, to each side. */
const MAX_SIBLINGS = 4;
/** Texts looked at for something visible. */
const MAX_TEXTS = 60;

const NAMED =
  'a[href],button,summary,th,[role="button"],[role="link"],[role="tab"],[role="menuitem"],[role="checkbox"],' +
  '[role="radio"],[role="switch"],[role="option"],[role="columnheader"]';
export const GRAPHICS = 'svg,img,canvas,picture,video';

/** How one kind of document says where things are. */
export interface ScreenView {
  /** Of the flattened tree; null at its top. */
  parentOf(el: Element): Element | null;
  /** A person sees the element's box. */
  isOnScreen(el: Element): boolean;
  /** Style puts the element's text out of sight in one of the ways that leave it to screen readers. */
  isClipped(el: Element): boolean;
  /** Something is painted in the element's box, by itself or inside it. */
  isPainted(el: Element, isAlone: boolean): boolean;
}

/** Letters and digits alone: `$12.99` and `$` `12` `99` are the same. */
const signatureOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

const isHiddenFromReaders = (el: Element): boolean => el.getAttribute('aria-hidden') === 'true';

/**
 * Text that is clipped for sighted users counts when it stands for something that they see: the visual
 * next to it, the picture around it, the control that has no other name. Any other clipped text is left
 * out, since it is a place to talk to an agent behind a person's back.
 */
export class Alternatives {
  readonly #sight: ScreenView;

  constructor(sight: ScreenView) {
    this.#sight = sight;
  }

  /** Whether the text of an element, which is out of sight, stands for something in sight. */
  standsIn(el: Element): boolean {
    const root = this.#clippedRoot(el);
    if (root === null) return false;
    const text = squash(textOf(root));
    if (text === '' || text.length > MAX_UNITS) return false;
    return this.#isPartName(root) || this.#isNearVisual(root, signatureOf(text));
  }

  /** Whether a text next to a visual has the same words, so that the visual is left out. */
  isRepeatedNearby(visual: Element): boolean {
    const shown = textOf(visual);
    if (shown.trim() === '' || shown.length > 2 * MAX_UNITS) return false;
    const words = signatureOf(shown);
    return siblingsOf(visual).some((other) => {
      if (isHiddenFromReaders(other)) return false;
      const spoken = signatureOf(textOf(other));
      if (spoken === '') return false;
      const isClipped = !this.#isTextOnScreen(other);
      if (spoken === words) return !isClipped || this.#standsInside(other);
      return isClipped && (words === '' || isMore(spoken, words)) && this.#standsInside(other);
    });
  }

  /** The element that is clipped, from the one that holds the text up. */
  #clippedRoot(el: Element): Element | null {
    let at: Element | null = el;
    for (let step = 0; at !== null && step < MAX_STEPS; step += 1) {
      if (this.#sight.isClipped(at)) return at;
      at = this.#sight.parentOf(at);
    }
    return null;
  }

  /** All text of an element that holds clipped text stands for something. */
  #standsInside(el: Element): boolean {
    if (this.#sight.isClipped(el)) return this.standsIn(el);
    const inner = [...el.children].filter((child) => signatureOf(textOf(child)) !== '');
    return inner.length > 0 && inner.every((child) => this.#standsInside(child));
  }

  #isTextOnScreen(el: Element): boolean {
    return this.#sight.isOnScreen(el) && !this.#sight.isClipped(el) && this.#seenWords(el, null);
  }

  /** The label of a field, the caption of a table, the legend of a group: a part whose whole text is clipped. */
  #isPartName(root: Element): boolean {
    const part = root.closest('caption,legend,label');
    if (part === null || this.#seenWords(part, root)) return false;
    if (!isLabel(part)) {
      const whole = this.#sight.parentOf(part);
      return whole !== null && this.#sight.isOnScreen(whole);
    }
    const { control } = part;
    return (
      control !== null &&
      this.#sight.isOnScreen(control) &&
      textOf(part).trim() !== (control.getAttribute('placeholder') ?? '').trim()
    );
  }

  #isNearVisual(root: Element, own: string): boolean {
    let inner = root;
    let around = this.#sight.isOnScreen(root) ? root : this.#sight.parentOf(root);
    for (let step = 0; around !== null && step < MAX_STEPS; step += 1) {
      if (around !== inner && this.#hasVisualNextTo(inner, own)) return true;
      const isSeen = this.#sight.isOnScreen(around);
      if (isSeen && this.#seenWords(around, root)) return false;
      const isNamed = around.matches(NAMED);
      if (isSeen && ((isNamed && around !== root) || this.#sight.isPainted(around, isNamed))) return true;
      inner = around;
      around = this.#sight.parentOf(around);
    }
    return false;
  }

  /** A drawing right next to it, or anywhere next to it a visual of the same words. */
  #hasVisualNextTo(el: Element, own: string): boolean {
    return siblingsOf(el).some((other) => {
      if (!this.#sight.isOnScreen(other)) return false;
      const shown = signatureOf(textOf(other));
      if (shown !== '' && isHiddenFromReaders(other)) return shown === own || isMore(own, shown);
      return (
        shown === '' &&
        isNext(el, other) &&
        (isHiddenFromReaders(other) || this.#sight.isPainted(other, true))
      );
    });
  }

  /** Whether an element shows letters or digits besides those of one inside it. */
  #seenWords(el: Element, except: Element | null): boolean {
    const walker = el.ownerDocument.createTreeWalker(el, 4);
    for (let count = 0; count < MAX_TEXTS; count += 1) {
      const node = walker.nextNode();
      if (node === null) return false;
      const holder = node.parentElement;
      if (holder === null || except?.contains(node) === true || signatureOf(node.nodeValue ?? '') === '')
        continue;
      if ((tagBits(holder.localName) & TAG.skip) !== 0 || this.#clippedWithin(holder, el)) continue;
      if (this.#sight.isOnScreen(holder)) return true;
    }
    return true;
  }

  #clippedWithin(el: Element, top: Element): boolean {
    for (let up: Element | null = el; up !== null && up !== top; up = this.#sight.parentOf(up))
      if (this.#sight.isClipped(up)) return true;
    return false;
  }
}

/** `Price: $5` says more than `$5`. */
function isMore(spoken: string, shown: string): boolean {
  return spoken.includes(shown) && spoken.length - shown.length <= MAX_MORE_UNITS;
}

/** The siblings of an element, nearest first. */
function siblingsOf(el: Element): Element[] {
  const found: Element[] = [];
  let before = el.previousElementSibling;
  let after = el.nextElementSibling;
  for (let i = 0; i < MAX_SIBLINGS; i += 1) {
    if (before !== null) found.push(before);
    if (after !== null) found.push(after);
    before = before?.previousElementSibling ?? null;
    after = after?.nextElementSibling ?? null;
  }
  return found;
}

/** No words between two siblings. */
function isNext(el: Element, other: Element): boolean {
  const isAfter = (el.compareDocumentPosition(other) & 4) !== 0;
  for (
    let node: Node | null = isAfter ? el.nextSibling : el.previousSibling;
    node !== null && node !== other;
    node = isAfter ? node.nextSibling : node.previousSibling
  )
    if (signatureOf(node.textContent ?? '') !== '') return false;
  return true;
}

/** The text of an element, without the titles of drawings. */
function textOf(el: Element): string {
  return el.matches(GRAPHICS) ? '' : (el.textContent ?? '');
}
