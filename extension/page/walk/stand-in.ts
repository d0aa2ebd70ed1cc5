import { flatParent, isInput } from '../dom.ts';

const CONTROLS =
  'input:not([type="hidden" i]),select,textarea,' +
  ['slider', 'spinbutton', 'textbox', 'combobox', 'checkbox', 'switch', 'radio']
    .map((role) => `[role="${role}"]`)
    .join();
/** Levels above a control that may be drawn in its place. */
const LEVELS = 4;
/** A smaller box shows nothing. */
const LEAST_PX = 4;
/** They show more than one control. */
const WHOLE = new Set(['html', 'body', 'main', 'form', 'table']);

/** Rendered, opaque and not shrunk to a point. */
export function isShown(el: Element): boolean {
  if (!el.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  const box = el.getBoundingClientRect();
  return box.width > 1 && box.height > 1;
}

/** Whether a person uses a control through its label: a hidden check box behind a drawn one. */
export function isShownByLabel(el: Element, isSeen: (label: Element) => boolean = isShown): boolean {
  if (!isInput(el) || !/^(?:checkbox|radio|file)$/.test(el.type)) return false;
  return [...(el.labels ?? [])].some(isSeen);
}

/**
 * Whether a page draws a control by other means, and has made its own transparent or clipped it away: it takes the keyboard, and
 * what is around it is drawn for it alone.
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
  if (!el.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  const { width, height, right, bottom } = el.getBoundingClientRect();
  return width > LEAST_PX && height > LEAST_PX && right + scrollX > 0 && bottom + scrollY > 0;
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

/** Whether anything else in it can be seen where the control is, or at all if the control has no size. */
function showsAround(outer: Element, el: Element, box: DOMRect): boolean {
  const isSmall = box.width <= LEAST_PX || box.height <= LEAST_PX;
  return [...outer.children].some((child) => {
    if (child.contains(el) || !isSeen(child)) return false;
    const other = child.getBoundingClientRect();
    const isApart =
      other.right <= box.left ||
      other.left >= box.right ||
      other.bottom <= box.top ||
      other.top >= box.bottom;
    return isSmall || !isApart;
  });
}
