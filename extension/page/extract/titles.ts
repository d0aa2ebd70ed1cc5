import { allIn, attrOf, isElement, isText, textIn } from '../dom.ts';
import { isLongerLink } from './links.ts';
import type { View } from './view.ts';

/** A place in a list before a name: `1.`, `#3`. */
const RANK = /^(?:\d{1,4}[.)]|#\d{1,4})$/;
/** How many there are, a mark that links to the heading itself. */
const TRAILER = /^(?:\(\d[\d,.]*\)|[#¶§])$/;
/** What may be written next to the link that is a title, without an element of its own. */
const BESIDE = /^(?:[\s\p{P}\p{S}\d]*|\s*(?:by\b|\().*)$/su;

/** The title in an element: without a rank before it, and without a count, site, author or badge next to its link. */
export function titleText(el: Element, view: View): string {
  const link = titleLink(el);
  if (link !== null && view.isShown(link)) return view.text(link);
  const text = view.text(el);
  const [first, last] = [el.firstElementChild, el.lastElementChild].map((one) =>
    one === null ? '' : view.text(one),
  );
  let title = text;
  if (first !== undefined && RANK.test(first) && title.startsWith(first)) title = title.slice(first.length);
  if (last !== undefined && TRAILER.test(last) && title.endsWith(last)) title = title.slice(0, -last.length);
  return title.trim() || text;
}

/** The link that says the title, where the rest of its element says something else. */
function titleLink(el: Element): Element | null {
  const links = allIn(el, 'a[href]').filter((link) => /\p{L}/u.test(textIn(link)));
  if (links.length === 0 || links.some(isLongerLink)) return null;
  const [link] = [...links].sort((a, b) => textIn(b).length - textIn(a).length);
  if (link === undefined || textIn(link) === textIn(el)) return null;
  const rest = textIn(el).length - textIn(link).length;
  const isMost = textIn(link).length > rest || /^.*\([^)]*\)\s*$/su.test(textIn(el));
  return isMost && isAllBeside(el, link) ? link : null;
}

/** Whether everything around a link is in elements of its own, or in words that part it. */
function isAllBeside(el: Element, link: Element): boolean {
  return [...el.childNodes].every((node) => {
    if (node === link) return true;
    if (isElement(node)) return !node.contains(link) || isAllBeside(node, link);
    return !isText(node) || BESIDE.test(node.data);
  });
}

const ECHOES = '[aria-label],[title],img[alt],.sr-only,.visually-hidden';

/** What a record says of itself to a screen reader: `View details for …`, the name of its picture. */
export const spokenNames = (record: Element): string[] =>
  [record, ...allIn(record, ECHOES)].flatMap((el) => [
    attrOf(el, 'aria-label') ?? '',
    attrOf(el, 'title') ?? '',
    attrOf(el, 'alt') ?? '',
    el.matches('.sr-only,.visually-hidden') ? textIn(el) : '',
  ]);
