import { FORMER } from '../../../shared/libraries/values/coerce.ts';
import { MONEY, MONEY_AFTER } from '../../../shared/libraries/values/numbers.ts';
import { FORMERLY } from '../../../shared/libraries/values/prices.ts';
import type { FieldPlan } from '../../../shared/libraries/values/plan.ts';
import {
  allIn,
  attrOf,
  childCount,
  firstIn,
  parentOf,
  squash,
  isAnchor,
  isImage,
  textIn,
  closestOf,
  holds,
  isMatch,
} from '../../dom/elements.ts';
import { asksFor, HEADING } from './match.ts';

const WAS = new RegExp(`^${FORMERLY}`, 'iu');
/** A unit price: `$315 price/sqft`, `£3.40 per kg`. */
const PER = /(?:\/|\bper )\s?(?:sq|m²|m2|kg|g\b|100|l\b|litre|unit|item|oz|lb)/i;
/** Next to its unit price, a text says the price: `7,99 € (10,65 €/l)`. */
const isPerUnit = (text: string): boolean => PER.test(text) && !SAID_TWICE.test(text);
/** Says an amount of money. */
export const SAID = new RegExp(`${MONEY}\\s*\\d|\\d\\s*${MONEY_AFTER}`, 'u');
const SAID_TWICE = new RegExp(`(?:${SAID.source}).*(?:${SAID.source})`, 'su');
const WHOLE_PRICE = new RegExp(
  `^(?:[A-Z]{0,3}\\s?${MONEY}\\s?\\p{N}[\\p{N}.,\\s]{0,20}|\\p{N}[\\p{N}.,\\s]{0,20}${MONEY_AFTER})$`,
  'u',
);
const LEAF_UNITS = 80;

/** The text of an element, cut where it is too long for a short one. */
export const leafText = (el: Element): string =>
  squash((el.textContent ?? '').slice(0, LEAF_UNITS * 2)).slice(0, LEAF_UNITS + 1);
const saysMoney = (el: Element): boolean => childCount(el) <= 2 && SAID.test(leafText(el));
/** A price and nothing else, in any number of parts: `<b>$</b><b>549</b><sup>00</sup>`. */
const isWholePrice = (el: Element | null): boolean =>
  el !== null && childCount(el) < 5 && WHOLE_PRICE.test(leafText(el)) && firstIn(el, HEADING) === null;
const saysPrice = (el: Element): boolean => saysMoney(el) || isWholePrice(el);

/** The element of a whole price: neither including the title next to it, nor its dollars alone. */
export function isMoney(el: Element): boolean {
  if (WAS.test(leafText(el)) || !saysPrice(el) || isWholePrice(parentOf(el))) return false;
  return isWholePrice(el) || !allIn(el, '*').some(saysPrice);
}

export function priceWorth(el: Element, field: FieldPlan, record: Element): number {
  if (field.form !== 'money') return 1;
  const isOld = WAS.test(leafText(el)) || isStruck(el, record);
  if (FORMER.test(field.names.join(' '))) return isOld || isNamedOld(el) ? 1 : 0.5;
  if (isVisualCopy(el)) return 0;
  if (isOld || isPerUnit(leafText(el))) return 0.3;
  const isWords = field.types[0] !== 'string' && !saysPrice(el);
  // The only price of a card is today's, whatever its name.
  if (!isWords && !isNamedOld(el)) return 1;
  return saysOtherMoney(el, record) ? 0.3 : 1;
}

const isNamedOld = (el: Element): boolean =>
  FORMER.test([...el.classList].join(' ').replaceAll(/[-_]+/g, ' '));

function isStruck(el: Element, record: Element): boolean {
  const struck = closestOf(el, 'del,s,strike');
  return struck !== null && holds(record, struck);
}

const saysOtherMoney = (el: Element, record: Element): boolean =>
  allIn(record, '*').some((other) => isMoney(other) && !holds(other, el) && !holds(el, other));

/** `<span class="offscreen">$21.99</span><span aria-hidden="true">…` */
function isVisualCopy(el: Element): boolean {
  const before = closestOf(el, '[aria-hidden="true"]')?.previousElementSibling ?? null;
  return before !== null && saysMoney(before);
}

const MAX_UNITS = 40;
const COUNTED =
  /^\(?\s*\p{N}[\p{N}.,]*\s?[kKmM]?\+?\s*(?:\)|(?:\p{L}+\s){0,2}(?:ratings?|reviews?|votes?)\)?)$/u;

const STREET =
  /(?:^|[\s,])\d{1,5}[A-Za-z]?(?:[-–]\d+)?\s(?:\p{Lu}[\p{L}.'’]*\s){0,4}(?:Street|St|Road|Rd|Lane|Ln|Avenue|Ave|Way|Drive|Dr|Court|Ct|Place|Pl|Square|Sq|Boulevard|Blvd|Quay|Hill|Park|View|Parkway)\b(?! Feet)|\p{L}(?:str\.?|straße|strasse|weg|platz|allee|gasse)\s\d+|\b[A-Z]{2}\s\d{5}\b|\b[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}\b/u;
/** One line of an address that continues on the next is not the address. */
const isWholeAddress = (el: Element): boolean =>
  ![el.previousElementSibling, el.nextElementSibling].some(
    (other) => other !== null && childCount(other) === 0 && STREET.test(textIn(other)),
  );
const TIME = /^(?:[01]?\d|2[0-3])[:.][0-5]\d(?:\s?[ap]\.?m\.?)?$/i;

/** Only capitals and digits: `8114D`. */
const CODE = /^(?=.*\d)(?=.*[A-Z])[A-Z\d]+(?:-[A-Z\d]+)*$/;

const LOOKS: readonly (readonly [name: string, form: RegExp, maxUnits?: number])[] = [
  ['rank', /^(?:#\s?\d{1,4}|\d{1,4}\.)$/],
  ['year', /^\(?(?:1[5-9]|20)\d\d\)?$/],
  ['review count', COUNTED],
  ['address', STREET, 100],
  ['duration', /^(?:\d+:)?\d{1,2}:\d\d$/],
  ['price level', /^(\p{Sc})\1{0,4}$/u],
  ['stop', /^(?:non-?stop|direct|\d stops?)$/i],
  ['model', CODE],
  ['sku', CODE],
  ['departure', TIME],
  ['arrival', TIME],
];

/** Whether the form of a text alone identifies a field: `#12` is a rank, `(118)` a count of reviews. */
export function looksLike(el: Element, field: FieldPlan, record: Element): boolean {
  if (childCount(el) > 2) return false;
  const text = squash((el.textContent ?? '').slice(0, MAX_UNITS * 4));
  if (text === '') return false;
  return LOOKS.some(
    ([name, form, most = MAX_UNITS]) =>
      text.length <= most && asksFor(field, name) && form.test(text) && isInTurn(name, el, record),
  );
}

function isInTurn(name: string, el: Element, record: Element): boolean {
  if (name === 'address') return isWholeAddress(el);
  if (name !== 'departure' && name !== 'arrival') return true;
  const times = allIn(record, '*').filter((one) => childCount(one) === 0 && TIME.test(textIn(one)));
  return times.length === 2 && times.indexOf(el) === (name === 'departure' ? 0 : 1);
}

/** `4.7` before `(212)` or `212 reviews` is a rating. */
export function isBeforeCount(el: Element): boolean {
  if (childCount(el) > 0 || !/^(?:10|\d)(?:[.,]\d{1,2})?$/.test(textIn(el))) return false;
  for (let at: Element | null = el, depth = 0; at !== null && depth < 3; at = parentOf(at), depth += 1) {
    let next = at.nextElementSibling;
    while (next !== null && textIn(next) === '') next = next.nextElementSibling;
    if (next !== null) return COUNTED.test(squash((next.textContent ?? '').slice(0, MAX_UNITS * 2)));
  }
  return false;
}

/** The only link of a record to a site other than its main link's: the source of a news item. */
export function isForeignLink(el: Element, field: FieldPlan, record: Element): boolean {
  if (!isAnchor(el) || closestOf(el, HEADING) !== null || !asksFor(field, 'source')) return false;
  const others = allIn(record, 'a[href]').filter((one) => one !== el && textIn(one) !== '');
  const isShort = textIn(el) !== '' && textIn(el).length <= MAX_UNITS;
  return isShort && others.length > 0 && others.every((one) => isAnchor(one) && one.host !== el.host);
}

/**
 * A name that links to the same page as the picture next to it, in a record that links elsewhere:
 * `<a><img></a><a>Ada</a>`.
 */
export function isNextToPagePortrait(el: Element, field: FieldPlan, record: Element): boolean {
  const href = attrOf(el, 'href');
  if (!asksFor(field, 'author') || !isAnchor(el) || href === null) return false;
  if (textIn(el) === '' || textIn(el).length > MAX_UNITS) return false;
  const links = allIn(record, 'a[href]');
  const isTwin = links.some(
    (one) => one !== el && attrOf(one, 'href') === href && textIn(one) === '' && firstIn(one, 'img') !== null,
  );
  const title = firstIn(record, 'h1 a,h2 a,h3 a,h4 a,h5 a,h6 a,a h1,a h2,a h3,a h4')?.closest('a');
  return isTwin && title != null && attrOf(title, 'href') !== href;
}

const PORTRAIT = /avatar|portrait|headshot|profile|userpic/i;

/** A link names a person only next to a picture whose name suggests a portrait. */
function mayBePerson(el: Element, before: Element): boolean {
  if (childCount(el) > 1 || isMatch(el, 'button,time,h1,h2,h3,h4,a *,:has(img,a)')) return false;
  return !isAnchor(el) || PORTRAIT.test(`${before.className} ${attrOf(before, 'src') ?? ''}`);
}

/** A short text after a picture without words, or after its own initial: `<img><b>Ada</b>`. */
export function isPerson(el: Element, field: FieldPlan): boolean {
  const before = el.previousElementSibling ?? parentOf(el)?.previousElementSibling;
  if (!asksFor(field, 'author') || before == null || !mayBePerson(el, before)) return false;
  const text = squash((el.textContent ?? '').slice(0, MAX_UNITS * 2));
  if (text.length > MAX_UNITS || !/^\p{L}/u.test(text)) return false;
  const words = textIn(before);
  if (words === '') return isImage(before) || firstIn(before, 'img') !== null;
  return words.length === 1 && text.length > 1 && text.startsWith(words);
}
