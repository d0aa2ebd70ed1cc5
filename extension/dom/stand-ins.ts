import { childrenOf, isLabel, isMatch, squash, TAG, tagBits, isInput, textsIn } from './elements.ts';
import { flatParent } from './trees.ts';
import { EMPTY_CLIP_PATH, MIN_FONT_PX, isEmptyClip } from './hidden-styles.ts';
import { FAR_PX } from './level.ts';
import { meets } from './box-area.ts';
import { mayBeShown } from './drawn.ts';
import { isUnreadable, pageFlow } from './geometry.ts';
import type { Level } from './level.ts';

/** Longer text describes no visual. */
const MAX_UNITS = 100;
/** Letters that a clipped text may have in addition to the visual next to it. */
const MAX_MORE_UNITS = 40;
const MAX_STEPS = 4;
/** Siblings examined on each side. */
const MAX_SIBLINGS = 4;
/** Parts of a control that are searched for something drawn. */
const MAX_PARTS = 60;
/** Texts searched for something visible. */
const MAX_TEXTS = 60;

const NAMED =
  'a[href],button,summary,th,[role="button"],[role="link"],[role="tab"],[role="menuitem"],[role="checkbox"],' +
  '[role="radio"],[role="switch"],[role="option"],[role="columnheader"]';
const GRAPHICS = 'svg,img,canvas,picture,video';

export interface ScreenView {
  /** Of the flattened tree; null at its top. */
  parentOf(el: Element): Element | null;
  /** Whether a person sees the element's box. */
  isOnScreen(el: Element): boolean;
  /** Whether style hides the element's text in a way that leaves it to screen readers. */
  isClipped(el: Element): boolean;
  /** @param except a part of it that does not count */
  isPainted(el: Element, isAlone: boolean, except: Element): boolean;
}

/** Only letters and digits: `$12.99` and `$` `12` `99` are the same. */
const signatureOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

const isHiddenFromReaders = (el: Element): boolean => el.getAttribute('aria-hidden') === 'true';

/**
 * Text hidden from sighted users counts if it describes something they see: the visual next to it, the image around it,
 * a control without another name. Any other clipped text is omitted, since it could talk to an agent behind a person's
 * back.
 */
export class Alternatives {
  constructor(private readonly sight: ScreenView) {}

  standsIn(el: Element): boolean {
    const root = this.#clippedRoot(el);
    if (root === null) return false;
    const text = squash(textOutsideGraphics(root));
    if (text === '' || text.length > MAX_UNITS) return false;
    return this.#isPartName(root) || this.#isNearVisual(root, signatureOf(text));
  }

  /** Whether a text next to a visual has the same words, so that the visual is omitted. */
  isRepeatedNearby(visual: Element): boolean {
    const shown = textOutsideGraphics(visual);
    if (shown.trim() === '' || shown.length > 2 * MAX_UNITS) return false;
    const words = signatureOf(shown);
    return siblingsOf(visual).some((other) => {
      if (isHiddenFromReaders(other)) return false;
      const spoken = signatureOf(textOutsideGraphics(other));
      if (spoken === '') return false;
      const isClipped = !this.#isTextOnScreen(other);
      if (spoken === words) return !isClipped || this.#standsInside(other);
      return isClipped && (words === '' || isMore(spoken, words)) && this.#standsInside(other);
    });
  }

  /** The outermost clipped ancestor of the element with the text. */
  #clippedRoot(el: Element): Element | null {
    let at: Element | null = el;
    for (let step = 0; at !== null && step < MAX_STEPS; step += 1) {
      if (this.sight.isClipped(at)) return at;
      at = this.sight.parentOf(at);
    }
    return null;
  }

  /** Whether all text of an element with clipped text describes something. */
  #standsInside(el: Element): boolean {
    if (this.sight.isClipped(el)) return this.standsIn(el);
    const inner = childrenOf(el).filter((child) => signatureOf(textOutsideGraphics(child)) !== '');
    return inner.length > 0 && inner.every((child) => this.#standsInside(child));
  }

  #isTextOnScreen(el: Element): boolean {
    return this.sight.isOnScreen(el) && !this.sight.isClipped(el) && this.#seenWords(el, null);
  }

  /** The label of a field, caption of a table or legend of a group, if its whole text is clipped. */
  #isPartName(root: Element): boolean {
    const part = root.closest('caption,legend,label');
    if (part === null || this.#seenWords(part, root)) return false;
    if (!isLabel(part)) {
      const whole = this.sight.parentOf(part);
      return whole !== null && this.sight.isOnScreen(whole);
    }
    const { control } = part;
    return (
      control !== null &&
      this.sight.isOnScreen(control) &&
      textOutsideGraphics(part).trim() !== (control.getAttribute('placeholder') ?? '').trim()
    );
  }

  #isNearVisual(root: Element, own: string): boolean {
    let inner = root;
    let around = this.sight.isOnScreen(root) ? root : this.sight.parentOf(root);
    for (let step = 0; around !== null && step < MAX_STEPS; step += 1) {
      if (around !== inner && this.#hasVisualNextTo(inner, own)) return true;
      const isSeen = this.sight.isOnScreen(around);
      if (isSeen && this.#seenWords(around, root)) return false;
      const isNamed = around.matches(NAMED);
      if (isSeen && this.sight.isPainted(around, isNamed, root)) return true;
      inner = around;
      around = this.sight.parentOf(around);
    }
    return false;
  }

  /** An SVG directly next to it, or a visual with the same words anywhere nearby. */
  #hasVisualNextTo(el: Element, own: string): boolean {
    return siblingsOf(el).some((other) => {
      if (!this.sight.isOnScreen(other)) return false;
      const shown = signatureOf(textOutsideGraphics(other));
      if (shown !== '' && isHiddenFromReaders(other)) return shown === own || isMore(own, shown);
      return (
        shown === '' &&
        isNext(el, other) &&
        (isHiddenFromReaders(other) || this.sight.isPainted(other, true, el))
      );
    });
  }

  #seenWords(el: Element, except: Element | null): boolean {
    let left = MAX_TEXTS;
    for (const node of textsIn(el)) {
      if (left === 0) return true;
      left -= 1;
      const holder = node.parentElement;
      if (holder === null || except?.contains(node) === true || signatureOf(node.data) === '') continue;
      if ((tagBits(holder.localName) & TAG.skip) !== 0 || this.#clippedWithin(holder, el)) continue;
      if (this.sight.isOnScreen(holder)) return true;
    }
    return false;
  }

  #clippedWithin(el: Element, top: Element): boolean {
    for (let up: Element | null = el; up !== null && up !== top; up = this.sight.parentOf(up))
      if (this.sight.isClipped(up)) return true;
    return false;
  }
}

/** `Price: $5` adds words to `$5`. */
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

/** Whether no words lie between two siblings. */
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

/** The text of an element, without the titles of SVGs. */
function textOutsideGraphics(el: Element): string {
  return el.matches(GRAPHICS) ? '' : (el.textContent ?? '');
}

export const LAYOUT_SCREEN: ScreenView = {
  parentOf: flatParent,
  isOnScreen(el) {
    if (!mayBeShown(el)) {
      const around = flatParent(el);
      const { display, visibility } = getComputedStyle(el);
      if (display !== 'contents' || visibility !== 'visible' || around === null) return false;
      return LAYOUT_SCREEN.isOnScreen(around);
    }
    const box = el.getBoundingClientRect();
    const { fontSize, clipPath } = getComputedStyle(el);
    // A font size of zero leaves no height, though an icon in its place may have one.
    const isFlat = box.height <= 2 && Number.parseFloat(fontSize) >= MIN_FONT_PX;
    return box.width > 2 && !isFlat && isReachable(box, el) && !EMPTY_CLIP_PATH.test(clipPath);
  },
  isClipped(el) {
    const style = getComputedStyle(el);
    if (style.display === 'none' || style.visibility !== 'visible' || style.opacity === '0') return false;
    if (Number.parseFloat(style.fontSize) < MIN_FONT_PX || Number.parseFloat(style.textIndent) <= FAR_PX)
      return true;
    if (EMPTY_CLIP_PATH.test(style.clipPath)) return true;
    if (style.position !== 'absolute' && style.position !== 'fixed') return isDotted(el, style, true);
    return isEmptyClip(style.clip) || isDotted(el, style, false) || isMovedAway(el);
  },
  isPainted(el, isAlone, except) {
    const box = el.getBoundingClientRect();
    if (box.width <= 2) return false;
    if (isDrawn(el, isAlone) || (isAlone && isStretched(el))) return true;
    return [...el.querySelectorAll('*')]
      .slice(0, MAX_PARTS)
      .some(
        (inner) =>
          !except.contains(inner) &&
          LAYOUT_SCREEN.isOnScreen(inner) &&
          (inner.matches(`${GRAPHICS},i,[aria-hidden="true"]`) || (isAlone && isDrawn(inner, true))),
      );
  },
};

/** An image; for an element that is a visual by itself also a colour or border. */
function paints(style: CSSStyleDeclaration, isAlone: boolean): boolean {
  if (style.backgroundImage !== 'none' || style.maskImage !== 'none') return true;
  return (
    isAlone && (!/^rgba\(.*, 0\)$|^transparent$/.test(style.backgroundColor) || style.borderStyle !== 'none')
  );
}

const isDrawn = (el: Element, isAlone: boolean): boolean =>
  el.matches(GRAPHICS) ||
  paints(getComputedStyle(el), isAlone) ||
  ['::before', '::after'].some((pseudo) => hasGeneratedBox(getComputedStyle(el, pseudo)));

/** Whether a control lies over what it is for: a link over a card. */
const isStretched = (el: Element): boolean => /^(?:absolute|fixed)$/.test(getComputedStyle(el).position);

const hasGeneratedBox = (style: CSSStyleDeclaration): boolean =>
  style.display !== 'none' &&
  !['none', 'normal', ''].includes(style.content) &&
  (style.content !== '""' || paints(style, true));

/** A clipping box of one pixel: in the flow in both directions. */
function isDotted(el: Element, style: CSSStyleDeclaration, isInFlow: boolean): boolean {
  if (style.overflow !== 'hidden' && style.overflow !== 'clip') return false;
  const { width, height } = el.getBoundingClientRect();
  return isInFlow ? width <= 1 && height <= 1 : width <= 1 || height <= 1;
}

function isMovedAway(el: Element): boolean {
  const { right, bottom } = el.getBoundingClientRect();
  const view = el.ownerDocument.defaultView;
  return right + (view?.scrollX ?? 0) < FAR_PX / 2 || bottom + (view?.scrollY ?? 0) < FAR_PX / 2;
}

/** Not before the beginning of the document. */
function isReachable(box: DOMRect, el: Element): boolean {
  const view = el.ownerDocument.defaultView;
  const isLeft = box.right < 0 && pageFlow(el.ownerDocument).isLeft;
  return (isLeft || box.right + (view?.scrollX ?? 0) > 0) && box.bottom + (view?.scrollY ?? 0) > 0;
}

const CONTROLS =
  'input:not([type="hidden" i]),select,textarea,' +
  ['slider', 'spinbutton', 'textbox', 'combobox', 'checkbox', 'switch', 'radio']
    .map((role) => `[role="${role}"]`)
    .join();
/** Ancestors of a control that may be drawn in its place. */
const LEVELS = 4;
/** A smaller box shows nothing. */
const MIN_PX = 4;
const WHOLE = new Set(['html', 'body', 'main', 'form', 'table']);

/** Rendered, opaque and not shrunk to a point. */
export const isShown = (el: Element): boolean => mayBeShown(el) && !isUnreadable(el.getBoundingClientRect());

/** Whether people use a control through its label: a hidden check box behind a drawn one. */
export function isShownByLabel(el: Element, isSeen: (label: Element) => boolean = isShown): boolean {
  if (!isInput(el) || !/^(?:checkbox|radio|file)$/.test(el.type)) return false;
  return [...(el.labels ?? [])].some(isSeen);
}

/**
 * Whether a page replaces a control and makes its own transparent or clips it away: the control takes the keyboard, and
 * everything around it is drawn for it alone.
 */
export function isDrawnOtherwise(el: Element): boolean {
  if (isShownByLabel(el)) return true;
  if (!el.matches(CONTROLS) || !takesKeys(el)) return false;
  const box = el.getBoundingClientRect();
  for (let up = flatParent(el), level = 0; up !== null && level < LEVELS; up = flatParent(up), level += 1) {
    if (WHOLE.has(up.localName) || holdsOthers(up, el)) return false;
    if (isSeen(up) && (isPainted(up) || showsAround(up, el, box))) return true;
  }
  return false;
}

/**
 * Whether a control that is hidden is used through its label or a replacement, or a hidden element contains one on top:
 * its own content is then invisible.
 */
export function isUsable(el: Element, level: Level): boolean {
  if (isShownByLabel(el)) return true;
  level.isStoodIn = isDrawnOtherwise(el) || el.querySelector(TOP_LAYER) !== null;
  return level.isStoodIn;
}

/** On top of the page, whatever fades or clips the elements around it. */
export const TOP_LAYER = ':modal,:popover-open,:fullscreen';

/** Frees a modal dialog or an open popover from the opacity around it. */
export function raise(el: Element, level: Level): void {
  if ((!level.isStoodIn && level.opacity === 1) || !isMatch(el, TOP_LAYER)) return;
  level.isStoodIn = false;
  level.opacity = 1;
}

function takesKeys(el: Element): boolean {
  if (!('tabIndex' in el) || Number(el.tabIndex) < 0 || el.closest('[aria-hidden="true"],[inert]') !== null)
    return false;
  return (
    el.checkVisibility({ visibilityProperty: true }) && !(isInput(el) && el.type === 'file' && el.hidden)
  );
}

const holdsOthers = (outer: Element, el: Element): boolean =>
  [...outer.querySelectorAll(CONTROLS)].some(
    (other) => other !== el && !other.contains(el) && takesKeys(other),
  );

function isSeen(el: Element): boolean {
  if (!mayBeShown(el)) return false;
  const { width, height, right, bottom } = el.getBoundingClientRect();
  return width > MIN_PX && height > MIN_PX && right + scrollX > 0 && bottom + scrollY > 0;
}

function isPainted(el: Element): boolean {
  const { backgroundColor, backgroundImage, borderStyle, boxShadow } = getComputedStyle(el);
  const isClear = /^(?:transparent|rgba\(.*, 0\))$/.test(backgroundColor);
  return (
    !isClear ||
    backgroundImage !== 'none' ||
    boxShadow !== 'none' ||
    /solid|inset|outset|ridge|groove/.test(borderStyle)
  );
}

/** Whether anything else in it is visible at the control's place, or at all if the control has no size. */
function showsAround(outer: Element, el: Element, box: DOMRect): boolean {
  const isSmall = box.width <= MIN_PX || box.height <= MIN_PX;
  return childrenOf(outer).some((child) => {
    if (child.contains(el) || !isSeen(child)) return false;
    return isSmall || meets(child.getBoundingClientRect(), box);
  });
}
