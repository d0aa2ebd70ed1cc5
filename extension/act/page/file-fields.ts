import { isInput } from '../../dom/elements.ts';

const isFileField = (el: Element | null): el is HTMLInputElement =>
  el !== null && isInput(el) && el.type === 'file';

/** The file field of an element: itself, its label's field, or the only field in it. */
export function fileField(el: Element): HTMLInputElement | null {
  if (isFileField(el)) return el;
  const label = el.closest('label');
  if (label !== null && isFileField(label.control)) return label.control;
  const inside = el.querySelectorAll('input[type="file" i]');
  const [only = null] = inside;
  return inside.length === 1 && isFileField(only) ? only : null;
}

const ACCEPT_UNITS = 2_000;

/** The files that an element's field takes. A folder's files have no path in it if a script makes them. */
export function fileNeedsOf(el: Element) {
  const field = fileField(el);
  if (field === null) return undefined;
  const { accept, multiple: isMultiple, webkitdirectory: isFolder } = field;
  return { accept: accept.slice(0, ACCEPT_UNITS), isMultiple, isFolder };
}
