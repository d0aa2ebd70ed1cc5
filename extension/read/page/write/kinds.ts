import { headingLevel, lookUp } from '../../../dom/elements.ts';
import { GRIDS } from '../../../dom/numbered-rows.ts';
import { isMath } from './formula.ts';

const ROLE_TAGS: Readonly<Record<string, string>> = {
  list: 'ul',
  listitem: 'li',
  table: 'table',
  grid: 'table',
  treegrid: 'table',
  row: 'tr',
  cell: 'td',
  gridcell: 'td',
  columnheader: 'th',
  rowheader: 'th',
  button: 'button',
  separator: 'hr',
  blockquote: 'blockquote',
  code: 'code',
  deletion: 'del',
  emphasis: 'em',
  strong: 'strong',
};

/** Elements that keep their meaning whatever their role. */
const FIXED = new Set(['input', 'select', 'textarea', 'a', 'img', 'pre']);

/** Kinds that are shown as an image. */
export const PICTURES = new Set(['img', 'canvas', 'video', 'audio']);

/** Kinds for outdated content, such as an old price. */
export const DELETED = new Set(['del', 's', 'strike']);

/** Kinds that become deletions when their text is struck through. */
export const PLAIN_KINDS = new Set('span b strong em i small big font bdi data u div p'.split(' '));

/** The HTML element that an element acts as, by its ARIA role. */
export function effectiveTag(el: Element, tag: string, isAttributed = el.hasAttributes()): string {
  if (isMath(el, tag)) return 'math';
  if (!isAttributed) return tag;
  const role = el.getAttribute('role');
  if (role === null || FIXED.has(tag)) return tag;
  if (role === 'heading') return `h${Math.min(6, headingLevel(el))}`;
  if (role === 'presentation' || role === 'none') return tag === 'svg' ? tag : 'span';
  const mapped = lookUp(ROLE_TAGS, role);
  if (mapped === 'table' || mapped === 'ul') return hasParts(el, mapped) ? mapped : tag;
  return mapped ?? tag;
}

/** Rows of its own, not those of a table in an item. */
function hasParts(el: Element, mapped: string): boolean {
  if (mapped === 'ul') return el.querySelector('li,[role="listitem"]') !== null;
  return [...el.querySelectorAll('tr,[role="row"]')].some((row) => row.closest(GRIDS) === el);
}
