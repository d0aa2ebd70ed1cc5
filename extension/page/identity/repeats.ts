/** Elements that are one of several by what they are. */
const TAGS = new Set(['li', 'tr', 'article', 'dd', 'option']);
const ROLES = new Set(['row', 'listitem', 'article', 'option', 'treeitem', 'comment']);
/** Cells and the like: what is in their row says what they are of. */
const PARTS = new Set(['cell', 'gridcell', 'rowheader', 'columnheader', 'presentation', 'none']);
/** Elements that hold a part of a page, where they look like their neighbours. */
const HOLDERS = new Set([
  'div',
  'section',
  'dl',
  'fieldset',
  'figure',
  'details',
  'form',
  'p',
  'tbody',
  'ul',
  'a',
]);

/**
 * Whether an element is a row, list item, card or the like: one of several of a kind, by its role or its
 * looks.
 */
export function repeats(el: Element): boolean {
  const tag = el.localName;
  const role = el.hasAttributes() ? el.getAttribute('role') : null;
  if (role !== null && ROLES.has(role)) return true;
  if (TAGS.has(tag)) return true;
  if (role !== null && PARTS.has(role)) return false;
  if (!HOLDERS.has(tag) && !tag.includes('-')) return false;
  return looksAlike(el, el.nextElementSibling) || looksAlike(el, el.previousElementSibling);
}

/** The same kind of element, and the same class of it, or, without one, the same beginning. */
function looksAlike(el: Element, other: Element | null): boolean {
  if (other === null || other.localName !== el.localName) return false;
  const own = firstClass(el);
  if (own !== firstClass(other)) return false;
  if (own !== '' || el.localName.includes('-')) return true;
  return (
    el.firstElementChild !== null && el.firstElementChild.localName === other.firstElementChild?.localName
  );
}

/** Names of states are added behind it. */
function firstClass(el: Element): string {
  const names = el.getAttribute('class') ?? '';
  const end = names.indexOf(' ');
  return end < 0 ? names : names.slice(0, end);
}
