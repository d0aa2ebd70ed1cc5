import { isRendered } from '../../dom/visible.ts';
import { isLabel, isShadowRoot, squash, treeOf } from '../../dom/elements.ts';
import { flatParent, lineageOf, elementsIn } from '../../dom/trees.ts';
import { ACTIONABLE } from '../../find/page/find/contexts.ts';
import type { Point } from '../../core/ports/page-answers.ts';

/** Opens a list of values. A button that is all that a label contains is a select that a library draws. */
export const LIST_OPENERS =
  '[aria-haspopup=listbox],label:not(:has(input,textarea,select)) button[aria-haspopup]';

/** Controls that are not native ones. */
export const DRAWN_FIELDS =
  '[contenteditable]:not([contenteditable=false i]),[role=textbox],[role=combobox],[role=checkbox],[role=switch],' +
  `[role=radio],[role=slider],[role=spinbutton],${LIST_OPENERS}`;
export const FIELDS = `input:not([type=hidden i]),textarea,select,${DRAWN_FIELDS}`;

/** The largest element around a control that contains no other control: its label and chips lie in it. */
export function surroundingsOf(control: Element): Element {
  let around = control;
  for (let up = flatParent(control); up !== null && up.localName !== 'body'; up = flatParent(up)) {
    // Outside of its own shadow tree, others have theirs.
    const isOwn = up.getRootNode() === control.getRootNode();
    const others = (isOwn ? [...up.querySelectorAll(FIELDS)] : elementsIn(up, FIELDS)).some(
      (el) => !el.contains(control) && !control.contains(el) && !isHiddenFrom(el),
    );
    if (others || up.localName === 'form') break;
    around = up;
  }
  return around;
}

/** Libraries keep the element that they replace, and duplicates for forms. */
const isHiddenFrom = (el: Element): boolean => el.getAttribute('aria-hidden') === 'true' || !isRendered(el);

/** Other controls, and elements that block input on purpose. */
const OTHERS = `${ACTIONABLE},iframe,progress,[aria-busy=true],[tabindex],[role]:not([role=presentation],[role=none],[role=img])`;

/** Whether a label is of another control. */
export const labelsOther = (el: Element, own: Element): boolean =>
  isLabel(el) && el.control !== null && el.control !== own;

const holdsOther = (outer: Element, own: Element): boolean =>
  [outer, ...drawnIn(outer, '*')].some((el) => el.matches(OTHERS) || labelsOther(el, own));

/** The cover of an element: the outermost ancestor of the hit that does not contain it, and the box around both. */
export function coverOf(hit: Element, el: Element): readonly [top: Element, box: Element | null] {
  const around = new Set(lineageOf(el));
  const top = lineageOf(hit).findLast((up) => !around.has(up)) ?? hit;
  return [top, flatParent(top)];
}

/** A box is at most this much higher than twice its field: room for a line above and below. */
const ROOM_PX = 48;

/**
 * Whether what lies over a field is its decoration, which a person presses for the field: placeholder, value, caption.
 * It shares a small box with the field, and holds no other control and nothing that turns without end.
 */
export function isDecoration(over: Element, field: Element): boolean {
  const [top, box] = coverOf(over, field);
  if (box === null || isDrawnIn(field, top) || !isDrawnIn(box, surroundingsOf(field))) return false;
  const height = (el: Element): number => el.getBoundingClientRect().height;
  const most = height(field) * 2 + ROOM_PX;
  const isEndless = ({ effect }: Animation): boolean => effect?.getComputedTiming().endTime === Infinity;
  return (
    Math.max(height(top), height(box)) <= most &&
    !holdsOther(top, field) &&
    !top.getAnimations({ subtree: true }).some(isEndless)
  );
}

/**
 * Accepts a hit on something that has appeared over an element since the pointer came, if it is not larger and holds no
 * control: pages draw some things only under the pointer.
 */
export function watchOver(el: Element, { x, y }: Point): (hit: Element) => boolean {
  const before = new Set(treeOf(el).elementsFromPoint(x, y));
  return (hit) => {
    const [top] = coverOf(hit, el);
    const [over, own] = [top.getBoundingClientRect(), el.getBoundingClientRect()];
    const isWithin =
      over.left > own.left - 1 &&
      over.top > own.top - 1 &&
      over.right < own.right + 1 &&
      over.bottom < own.bottom + 1;
    return !before.has(top) && isWithin && !isDrawnIn(el, top) && !holdsOther(top, el);
  };
}

/** Whether an element is drawn inside another one, also by a slot of a shadow tree. */
export const isDrawnIn = (el: Element, outer: Element): boolean => lineageOf(el).includes(outer);

export function drawnIn(outer: Element, selector: string): readonly Element[] {
  if (!isShadowRoot(outer.getRootNode())) return elementsIn(outer, selector);
  return elementsIn(outer.ownerDocument, selector).filter((el) => el !== outer && isDrawnIn(el, outer));
}

/** Smaller than a person can aim at. */
const AIMED_PX = 8;

/**
 * The element that a person presses to open a control: itself, or its box if it is drawn as a point or not at all.
 * @param leastPx smaller is a point
 */
export function openerOf(control: Element, leastPx = AIMED_PX): Element {
  const around = surroundingsOf(control);
  const isSmall = (el: Element): boolean => {
    const { width, height } = el.getBoundingClientRect();
    return width < leastPx || height < leastPx;
  };
  let opener = control;
  for (let up: Element | null = control; up !== null; up = flatParent(up)) {
    // A smaller box around it clips it.
    if (isSmall(up) && (up === control || getComputedStyle(up).overflow !== 'visible'))
      opener = flatParent(up) ?? control;
    if (up === around) break;
  }
  return isSmall(opener) ? around : opener;
}

/** The text of an element without that of its children. */
export const ownText = (el: Element): string =>
  squash([...el.childNodes].map((node) => (node.nodeType === 3 ? node.nodeValue : '')).join(''));

/** A layer begins this close to its opener and is larger than a label. */
const NEXT_PX = [4, 16, 28];
const LAYER_PX = 40;

/** The layer directly below or above an element. */
export function layerNextTo(el: Element): Element | null {
  const { left, right, top, bottom } = el.getBoundingClientRect();
  for (const y of NEXT_PX.flatMap((by) => [bottom + by, top - by]))
    for (const x of [left + 8, (left + right) / 2]) {
      let up = el.ownerDocument.elementFromPoint(x, y);
      for (; up !== null && !isDrawnIn(el, up); up = flatParent(up))
        if (isLayer(up) && up.getBoundingClientRect().height >= LAYER_PX) return up;
    }
  return null;
}

export const isLayer = (el: Element): boolean => /^(?:absolute|fixed)$/.test(getComputedStyle(el).position);
