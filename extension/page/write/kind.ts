import { lookUp } from '../dom.ts';
import { isMath } from './math.ts';

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

/** Elements whose own meaning no role takes away here. */
const FIXED = new Set(['input', 'select', 'textarea', 'a', 'img', 'pre']);

/** Kinds that are shown as a picture. */
export const PICTURES = new Set(['img', 'canvas', 'video', 'audio']);

/** Kinds of what no longer holds, such as a price before. */
export const DELETED = new Set(['del', 's', 'strike']);

/** Kinds without a meaning that a line through their text would not replace. */
export const PLAIN_KINDS = new Set('span b strong em i small big font bdi data u div p'.split(' '));

/** Kinds that show a value. */
export const CONTROLS = new Set(['input', 'select', 'textarea', 'meter', 'progress']);

/** The HTML element that an element is in effect, its ARIA role counted. */
export function effectiveTag(el: Element, tag: string): string {
  if (isMath(el, tag)) return 'math';
  if (!el.hasAttributes()) return tag;
  const role = el.getAttribute('role');
  if (role === null || FIXED.has(tag)) return tag;
  if (role === 'heading') {
    const level = Number(el.getAttribute('aria-level') ?? '2');
    return `h${Math.min(6, Math.max(1, Number.isInteger(level) ? level : 2))}`;
  }
  if (role === 'presentation' || role === 'none') return tag === 'svg' ? tag : 'span';
  const mapped = lookUp(ROLE_TAGS, role);
  if (mapped === 'table' || mapped === 'ul') return hasParts(el, mapped) ? mapped : tag;
  return mapped ?? tag;
}

function hasParts(el: Element, mapped: string): boolean {
  return el.querySelector(mapped === 'table' ? 'tr,[role="row"]' : 'li,[role="listitem"]') !== null;
}
