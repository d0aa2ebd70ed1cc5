import { flatParent } from '../dom.ts';
import { GRAPHICS, type ScreenView } from './alternatives.ts';
import { EMPTY_CLIP_PATH, FAR_PX, MIN_FONT_PX, isEmptyClip } from './clip.ts';

/** Where things are in a document that is rendered. */
export const LAYOUT_SCREEN: ScreenView = {
  parentOf: flatParent,
  isOnScreen(el) {
    if (!el.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    const box = el.getBoundingClientRect();
    // A font of nothing leaves no height, and an icon in its place may have one.
    const isFlat = box.height <= 2 && Number.parseFloat(getComputedStyle(el).fontSize) >= MIN_FONT_PX;
    return box.width > 2 && !isFlat && isReachable(box, el);
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
  isPainted(el, isAlone) {
    const box = el.getBoundingClientRect();
    if (box.width <= 2) return false;
    if (el.matches(GRAPHICS) || paints(getComputedStyle(el), isAlone)) return true;
    if (['::before', '::after'].some((pseudo) => hasGeneratedBox(getComputedStyle(el, pseudo)))) return true;
    return [...el.querySelectorAll(`${GRAPHICS},i,[aria-hidden="true"]`)].some((inner) =>
      LAYOUT_SCREEN.isOnScreen(inner),
    );
  },
};

/** A picture; of an element that is a visual by itself also a colour or a border. */
function paints(style: CSSStyleDeclaration, isAlone: boolean): boolean {
  if (style.backgroundImage !== 'none' || style.maskImage !== 'none') return true;
  return (
    isAlone && (!/^rgba\(.*, 0\)$|^transparent$/.test(style.backgroundColor) || style.borderStyle !== 'none')
  );
}

const hasGeneratedBox = (style: CSSStyleDeclaration): boolean =>
  style.display !== 'none' && style.content !== 'none' && style.content !== 'normal' && style.content !== '';

/** A box of a pixel that clips; in the flow it has to be one in both directions. */
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
  const isRtl = box.right < 0 && getComputedStyle(el.ownerDocument.documentElement).direction === 'rtl';
  return (isRtl || box.right + (view?.scrollX ?? 0) > 0) && box.bottom + (view?.scrollY ?? 0) > 0;
}
