import { cut } from '../../../shared/cut.ts';
import { roleOf } from '../aria/role.ts';
import { nameOf } from '../aria/name.ts';
import { flatParent, isLabel, shadowRootOf } from '../dom.ts';
import type { Point } from './protocol.ts';
import { isDrawnIn, surroundingsOf } from './surroundings.ts';

/** The innermost element at a point of a document's viewport, in shadow trees too. */
export function elementAt(document: Document, { x, y }: Point): Element | null {
  let root: Document | ShadowRoot = document;
  let hit: Element | null = null;
  for (;;) {
    const found: Element | null = root.elementFromPoint(x, y);
    if (found === null || found === hit) return hit;
    hit = found;
    const inner = shadowRootOf(found, true);
    if (inner === null) return hit;
    root = inner;
  }
}

/**
 * Whether input that arrives at `hit` is input to `el`: it lies in it, or in a label of it, or is what its
 * label is for.
 */
export function reaches(hit: Element | null, el: Element): boolean {
  for (let up = hit; up !== null; up = flatParent(up)) {
    if (up === el || (isLabel(el) && el.control === up)) return true;
    if (isLabel(up) && up.control === el) return true;
  }
  return hit !== null && isTransparentIn(el, hit);
}

/** What input is meant for when something drawn within it lets input through. */
const TAKES_INPUT = 'a[href],button,label,summary,input,select,textarea,[role],[tabindex],[onclick]';

const FIELDS = 'input,textarea,select,[role=combobox],[role=textbox],[role=searchbox]';

/** Whether an element lets input through to the control that it is drawn in: a picture in a button. */
function isTransparentIn(el: Element, hit: Element): boolean {
  const { pointerEvents, opacity, zIndex } = getComputedStyle(el);
  // A field may also be drawn behind its box, or not at all.
  const isBehind = el.matches(FIELDS) && (opacity === '0' || Number(zIndex) < 0);
  if (pointerEvents !== 'none' && !isBehind) return false;
  const own = el.closest(TAKES_INPUT);
  // A field may leave the press to the box that is drawn around it alone.
  const control = own === el && el.matches(FIELDS) ? surroundingsOf(el) : own;
  if (control === null || control === el) return false;
  if (isBehind) return isDrawnIn(hit, control) && !isInButton(hit, control);
  for (let up = flatParent(el); up !== null; up = flatParent(up))
    if (up === hit) return isDrawnIn(hit, control);
  return false;
}

/** Whether something in a box has a use of its own, such as taking a value back. */
function isInButton(hit: Element, box: Element): boolean {
  for (let up: Element | null = hit; up !== null && up !== box; up = flatParent(up))
    if (up.matches('button,a[href],[role=button],label')) return true;
  return false;
}

const NAME_UNITS = 60;

/** `button Save`: how messages and receipts name an element. */
export function describeElement(el: Element): string {
  const role = roleOf(el, el.localName);
  const name = cut(nameOf(el, role), NAME_UNITS);
  const own = role === '' || role === 'generic' || role === 'none' ? tagName(el) : role;
  return `${own}${name === '' ? '' : ` ${name}`}`.toWellFormed();
}

function tagName(el: Element): string {
  const mark = el.id === '' ? (el.classList.item(0) ?? '') : '';
  const more = el.id === '' ? (mark === '' ? '' : `.${mark}`) : `#${el.id}`;
  return `<${el.localName}${cut(more, NAME_UNITS)}>`;
}

/** What covers an element: the outermost thing around what was hit that does not contain it. */
export function describeCover(hit: Element | null, el: Element): string {
  if (hit === null) return 'nothing that takes input';
  const around = new Set<Element>();
  for (let up: Element | null = el; up !== null; up = flatParent(up)) around.add(up);
  let cover = hit;
  for (let up = flatParent(hit); up !== null && !around.has(up); up = flatParent(up)) cover = up;
  const [inner, outer] = [describeElement(hit), describeElement(cover)];
  return inner === outer ? inner : `${inner} in ${outer}`;
}
