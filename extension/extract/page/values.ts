import {
  allIn,
  attrOf,
  isElement,
  isText,
  textIn,
  childCount,
  childrenOf,
  firstIn,
  imageAddresses,
  isAnchor,
  isArea,
  isCheckable,
  isImage,
  isInput,
  isMeter,
  isSelect,
  isTextarea,
  tagOf,
  closestOf,
  holds,
  isMatch,
} from '../../dom/elements.ts';
import { ownUrl } from '../../dom/media.ts';
import { isAddress, isLongerLink, isList, isNumber, valueField } from './match.ts';
import type { View } from './view.ts';
import { FORMER } from '../../../shared/libraries/values/coerce.ts';
import type { FieldPlan } from '../../../shared/libraries/values/plan.ts';
import type { JsonValue } from '../../../shared/base/json.ts';
import { isSecret, shownValue } from '../../dom/controls.ts';

/** A rank before a name: `1.`, `#3`. */
const RANK = /^(?:\d{1,4}[.)]|#\d{1,4})$/;
const TRAILER = /^(?:\(\d[\d,.]*\)|[#¶§])$/;
const BESIDE = /^(?:[\s\p{P}\p{S}\d]*|\s*(?:by\b|\().*)$/su;

/** The title in an element, without a rank before it or a count, site, author or badge next to its link. */
function titleText(el: Element, view: View): string {
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

/** The link with the title, if its element has other texts too. */
function titleLink(el: Element): Element | null {
  const links = allIn(el, 'a[href]').filter((link) => /\p{L}/u.test(textIn(link)));
  if (links.some(isLongerLink)) return null;
  const [link] = links.sort((a, b) => textIn(b).length - textIn(a).length);
  if (link === undefined || textIn(link) === textIn(el)) return null;
  const rest = textIn(el).length - textIn(link).length;
  const isMost = textIn(link).length > rest || /^.*\([^)]*\)\s*$/su.test(textIn(el));
  return isMost && isAllBeside(el, link) ? link : null;
}

function isAllBeside(el: Element, link: Element): boolean {
  return [...el.childNodes].every((node) => {
    if (node === link) return true;
    if (isElement(node)) return !holds(node, link) || isAllBeside(node, link);
    return !isText(node) || BESIDE.test(node.data);
  });
}

const MACHINE_NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
const NUMBER_ATTRIBUTES = ['data-value', 'data-sort-value', 'data-price', 'data-amount', 'data-rating'];
const CONTROLS = 'input:not([type="hidden" i]),select,textarea,meter,progress';

/** Text, an address, or a machine-readable date or number. */
export function readValue(el: Element, field: FieldPlan, view: View): JsonValue {
  if (isList(field)) return readList(el, valueField(field), view);
  return readScalar(el, field, view);
}

/** A list's items, else the comma-separated parts of a text. */
function readList(el: Element, item: FieldPlan, view: View): JsonValue {
  const parts = allIn(el, 'li');
  const links = parts.length > 0 ? parts : allIn(el, item.form === 'image' ? 'img' : 'a[href]');
  if (links.length > 1 || isAddress(item)) return readEach(links, item, view);
  const whole = readScalar(el, item, view);
  if (typeof whole !== 'string') return whole === null ? [] : [whole];
  const pieces = item.types[0] === 'string' ? whole.split(/\s*[,;|•·]\s*/) : [whole];
  return pieces.filter((piece) => piece !== '');
}

/** The values of several elements, without empty ones. */
export const readEach = (elements: readonly Element[], item: FieldPlan, view: View): JsonValue[] =>
  elements.map((el) => readScalar(el, item, view)).filter((value) => value !== null);

export function readScalar(el: Element, field: FieldPlan, view: View): JsonValue {
  // The most common case, and a table may have a million cells.
  if (isPlain(el) && !/^(?:url|image|rating)$/.test(field.form)) return view.text(el) || null;
  switch (field.form) {
    case 'url':
      return addressOf(el, view) ?? writtenAddress(el, view);
    case 'image':
      return imageOf(el, view) ?? addressOf(el, view);
    case 'html':
      return view.html(el) || null;
    case 'date':
      return (field.format === null ? null : machineDate(el)) ?? readWords(el, view);
    default:
      return readTyped(el, field, view);
  }
}

/** An address in plain text, without a link: `www.example.com`, `/about`. */
function writtenAddress(el: Element, view: View): string | null {
  const words = readWords(el, view);
  if (words !== null && /^\.{0,2}\/[^/\s]\S*$/.test(words)) return view.absolute(words);
  return words !== null && /^\S+[./]\S+$/.test(words) ? words : null;
}

/** The address of the first link of a scheme: `mailto:a@b.example?subject=x` → `a@b.example`. */
function linkedAs(scheme: 'mailto:' | 'tel:', el: Element): string | null {
  const selector = `a[href^="${scheme}" i]`;
  const link = isMatch(el, selector) ? el : firstIn(el, selector);
  const address = attrOf(link, 'href')?.slice(scheme.length).replace(/\?.*$/, '').trim() ?? '';
  try {
    return decodeURIComponent(address) || null;
  } catch {
    return address;
  }
}

const PHONE_DIGITS = 5;
/** After a word such as `Call`. */
const WRITTEN_PHONE = /\+?\(?\p{N}[\p{N}\s()./-]{4,}\p{N}.*$/u;

/** The number as written; the link's if the text is only "Call us". */
function phoneOf(el: Element, view: View): string | null {
  const words = readWords(el, view);
  const digits = words?.replace(/\P{N}/gu, '').length ?? 0;
  if (words === null || digits < PHONE_DIGITS) return linkedAs('tel:', el) ?? words;
  return /^\p{L}/u.test(words) ? (WRITTEN_PHONE.exec(words)?.[0] ?? words) : words;
}

function readTyped(el: Element, field: FieldPlan, view: View): JsonValue {
  if (field.form === 'email') return linkedAs('mailto:', el) ?? readWords(el, view);
  if (field.form === 'phone') return phoneOf(el, view);
  if (field.form === 'title') return (controlOf(el) === null && titleText(el, view)) || readWords(el, view);
  return field.synonyms.includes('byline') ? withoutBy(readWords(el, view)) : readByType(el, field, view);
}

/** `By Ada Byron`, `Post by Ada Byron » 3 May` and `#12 opened on May 3 by Ada Byron` name Ada Byron. */
const withoutBy = (words: string | null): string | null =>
  words
    ?.replace(
      /^.*\b(?:opened|posted|written|submitted|created|published|asked|started|added|shared|reviewed)\b.* by\s+(?=\S)/iu,
      '',
    )
    .replace(/^(?:\p{L}+\s){0,2}by\s+(?=\p{Lu})/u, '')
    .replace(/^(?:Post(?:ed)? )?[Bb]y\s+/, '')
    .replace(/\s+(?:[»·•|]|on (?=\p{Lu}\p{L}+ \p{N}))\s?.*$/u, '')
    .replace(/\s+says:?$/, '') ?? null;

function readByType(el: Element, field: FieldPlan, view: View): JsonValue {
  if (isNumber(field))
    return (
      machineNumber(el) ??
      (field.form === 'rating' ? ratingWords(el, field, view) : numberWords(el, field, view))
    );
  if (field.types[0] === 'boolean') return readChecked(el) ?? readWords(el, view);
  return readWords(el, view);
}

/** Only text, without words in attributes. */
const isPlain = (el: Element): boolean =>
  el.firstElementChild === null && (tagOf(el) === 'td' || tagOf(el) === 'span') && !el.hasAttributes();

const FOOTNOTES = /(?:\s?\[(?:\p{N}{1,3}|\p{L}|note \p{N}+)\])+$/u;

/** Text of an element, or its replacement if it has none. */
function readWords(el: Element, view: View): string | null {
  const control = controlOf(el);
  if (control !== null) return isSecret(control) ? null : shownValue(control) || null;
  const text = view.text(el);
  if (text !== '') return firstIn(el, 'sup') === null ? text : text.replace(FOOTNOTES, '') || text;
  const content = attrOf(el, 'content')?.trim();
  return content || findLabel(el) || null;
}

const findLabel = (el: Element): string =>
  ownName(el) || ownName(firstIn(el, '[aria-label],img[alt],[title]'));

const ownName = (el: Element | null): string =>
  ['aria-label', 'alt', 'title']
    .map((name) => attrOf(el, name))
    .find((text) => text !== null)
    ?.trim() ?? '';

/** The element itself, or the only control in it if it has no other content. */
function controlOf(el: Element): Element | null {
  if (isInput(el) || isSelect(el) || isTextarea(el) || isMeter(el)) return el;
  if (el.firstElementChild === null) return null;
  const [only, ...others] = allIn(el, CONTROLS);
  return only === undefined || others.length > 0 || textIn(el) !== textIn(only) ? null : only;
}

/** A rating may be drawn as stars, with its value in a label alone. */
function numberWords(el: Element, field: FieldPlan, view: View): string | null {
  const words = withCents(el, unstruck(el, readWords(el, view), field, view));
  if (words !== null && /\p{N}.*\s.*\p{N}/su.test(words)) return loneNumber(el, view) ?? words;
  if (words !== null && /\p{N}/u.test(words)) return words;
  const named = findLabel(el);
  return /\p{N}/u.test(named) ? named : words;
}

const SEVERAL = /\p{N}.*[^\p{N}.,'’].*\p{N}/su;

/** Of several numbers, those that are not struck through; for a former price, only these. */
function unstruck(el: Element, words: string | null, field: FieldPlan, view: View): string | null {
  const struck =
    words === null || !SEVERAL.test(words) ? [] : allIn(el, '*').filter((part) => view.isStruck(part));
  const [first] = struck;
  if (first === undefined) return words;
  return (FORMER.test(field.names.join(' ')) ? view.text(first) : view.text(el, struck)) || words;
}

/** `<sup>$</sup>24<sup>50</sup>` is 24.50: the two small digits at the end, before a currency, are cents. */
function withCents(el: Element, words: string | null): string | null {
  const last = childrenOf(el).findLast((part) => /\p{N}/u.test(textIn(part)));
  const isSmall =
    last !== undefined &&
    /^(?:sup|small)$|cent|frac|decimal/i.test(`${last.localName} ${last.className}`.trim());
  if (words === null || !isSmall || !/^\p{N}\p{N}\P{N}{0,4}$/u.test(textIn(last))) return words;
  return words.replace(
    /^(\D*\p{N}(?:[\p{N}.,]*\p{N})?)\s?(\p{N}\p{N})(\P{N}{0,5})$/u,
    (_all, whole: string, cents: string, rest: string) =>
      whole + (whole.includes('.') ? ',' : '.') + cents + rest,
  );
}

/** Among several numbers, the only one with an element of its own. */
export function loneNumber(el: Element, view: View): string | null {
  const [only, ...others] = allIn(el, '*').filter(
    (part) =>
      childCount(part) === 0 &&
      LONE_NUMBER.test(view.text(part)) &&
      view.isShown(part) &&
      !view.isStruck(part),
  );
  return only === undefined || others.length > 0 ? null : view.text(only);
}

const LONE_NUMBER = /^\p{Sc}?\s?\p{N}[\p{N}.,]*$/u;
export const STARS =
  /\d+(?:[.,]\d+)?\s*(?:(?:out of|of|von|sur|de|su)\s*\d|\/\s*(?:5|10|20|100)(?![\d.,]))|\d+(?:[.,]\d+)?\s*(?:stars?|★)|★/i;
/** How many people rated, not their rating. */
const COUNT = /^\(\s*[\p{N}.,]+\s?[kK]?\s*\)$|\p{N}\s+(?:\p{L}+\s)?(?:ratings|reviews|votes)/u;

function ratingWords(el: Element, field: FieldPlan, view: View): string | null {
  for (const part of [el, ...allIn(el, '*')]) {
    const own = childCount(part) <= 2 ? view.text(part) : '';
    const stars = [attrOf(part, 'aria-label'), attrOf(part, 'title'), own].find(
      (text) => text !== null && /\p{N}/u.test(text) && STARS.test(text),
    );
    const match = STARS.exec(stars ?? '');
    if (stars === undefined || stars === null || match === null) continue;
    const after = stars.slice(match.index + match[0].length);
    // A lone `★` is before its number; another number after the stars is a count.
    return match[0] !== '★' && /\p{N}/u.test(after) ? match[0] : match[0] + after;
  }
  const words = numberWords(el, field, view);
  return words !== null && COUNT.test(words) ? null : words;
}

function machineNumber(el: Element): number | null {
  const attributes = tagOf(el) === 'data' || tagOf(el) === 'meter' ? ['value'] : NUMBER_ATTRIBUTES;
  for (const name of attributes) {
    const value = attrOf(el, name)?.trim() ?? '';
    if (MACHINE_NUMBER.test(value)) return Number(value);
  }
  const only = childCount(el) === 1 ? el.firstElementChild : null;
  return only !== null && tagOf(only) === 'data' ? machineNumber(only) : null;
}

function machineDate(el: Element): string | null {
  const time = tagOf(el) === 'time' ? el : firstIn(el, 'time[datetime]');
  const declared = attrOf(time, 'datetime') ?? attrOf(el, 'data-date') ?? attrOf(el, 'content');
  return declared?.trim() || null;
}

function readChecked(el: Element): boolean | null {
  const control = isInput(el) ? el : firstIn(el, 'input');
  if (control !== null && isCheckable(control)) return control.checked;
  const declared = attrOf(el, 'aria-checked') ?? attrOf(firstIn(el, '[aria-checked]'), 'aria-checked');
  return declared === 'true' ? true : declared === 'false' ? false : null;
}

/** The address of an element: its own, its first link's, or that of the link around it. */
export function addressOf(el: Element, view: View): string | null {
  const link = isAnchor(el) || isArea(el) ? el : (firstIn(el, 'a[href]') ?? closestOf(el, 'a[href]'));
  const href = attrOf(link, 'href') ?? attrOf(el, 'href') ?? attrOf(el, 'data-href');
  return href === null || /^\s*(?:javascript:|#$)/i.test(href)
    ? null
    : view.absolute(ownUrl(href, link ?? el));
}

/** An image's address, even if it has yet to be loaded; of a picture, that of its `img` if it has one. */
export function imageOf(el: Element, view: View): string | null {
  const images = isImage(el) ? [el] : [firstIn(el, 'img'), firstIn(el, 'source[srcset]')];
  const listed = images.flatMap((image) => (image === null ? [] : imageAddresses(image)));
  const chosen = listed.find((address) => !address.startsWith('data:')) ?? listed[0];
  return chosen === undefined ? null : view.absolute(chosen);
}
