import type { ScreenView } from './alternatives.ts';
import { FAR_PX, MIN_FONT_PX } from './clip.ts';
import { pixels } from './declarations.ts';
import { declarationsOf, isClippedBy, isShownBySource } from './source-style.ts';

/** Class names that style sheets in use clip text by: they decide which of two halves is kept. */
const CLIPPING_CLASS =
  /(?:^|\s)(?:[a-z]{1,3}-)?(?:sr-only|offscreen|screen-?reader(?:-text|-only)?|(?:u-)?(?:visually-?hidden|hidden-?visually))(?=\s|$)/i;
const GRAPHICS = 'svg,img,canvas,picture,video,i';

/** Where things are in a document that was only parsed, as far as its source says. */
export const SOURCE_SCREEN: ScreenView = {
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
