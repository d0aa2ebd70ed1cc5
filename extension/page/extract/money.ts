import type { FieldPlan } from '../../../shared/extract/plan.ts';
import { allIn, childCount, firstIn, parentOf, squash } from '../dom.ts';
import { HEADING } from './links.ts';

const OLD = /\b(?:old|was|original|list price|regular|strike|striked|through|before|previous|msrp|rrp)\b/i;
const WAS = /^(?:was|rrp|msrp|instead of|statt|uvp|(?:list|original|regular|old) price|before)\b/i;
/** A price of another unit than the thing: `$315 price/sqft`, `£3.40 per kg`. */
const PER = /(?:\/|\bper )\s?(?:sq|m²|m2|kg|g\b|100|l\b|litre|unit|item|oz|lb)/i;
const SAID = /\p{Sc}\s*\d|\d\s*\p{Sc}/u;
const WHOLE_PRICE = /^(?:[A-Z]{0,3}\s?\p{Sc}\s?\p{N}[\p{N}.,\s]{0,20}|\p{N}[\p{N}.,\s]{0,20}\p{Sc})$/u;
const LEAF_UNITS = 80;

/** The text of an element, which is cut where it is too long for a short one. */
export const leafText = (el: Element): string =>
  squash((el.textContent ?? '').slice(0, LEAF_UNITS * 2)).slice(0, LEAF_UNITS + 1);
const saysMoney = (el: Element): boolean => childCount(el) <= 2 && SAID.test(leafText(el));
/** A price and nothing else, of any number of parts: `<b>$</b><b>549</b><sup>00</sup>`. */
const isWholePrice = (el: Element | null): boolean =>
  el !== null && childCount(el) < 5 && WHOLE_PRICE.test(leafText(el)) && firstIn(el, HEADING) === null;
const saysPrice = (el: Element): boolean => saysMoney(el) || isWholePrice(el);

/** The element that says a price, with all of its parts: neither the title next to it nor its dollars alone. */
export function isMoney(el: Element): boolean {
  if (WAS.test(leafText(el)) || !saysPrice(el) || isWholePrice(parentOf(el))) return false;
  return isWholePrice(el) || !allIn(el, '*').some(saysPrice);
}

/** What is struck through, or named as what it was, is not today's price. */
export function priceWorth(el: Element, field: FieldPlan, record: Element): number {
  if (field.form !== 'money') return 1;
  const isOld = WAS.test(leafText(el)) || isStruck(el, record);
  if (OLD.test(field.names.join(' '))) return isOld || isNamedOld(el) ? 1 : 0.5;
  if (isVisualCopy(el)) return 0;
  if (isOld || PER.test(leafText(el))) return 0.3;
  const isWords = field.types[0] !== 'string' && !saysPrice(el);
  // The only price of a card is today's, whatever it is called.
  if (!isWords && !isNamedOld(el)) return 1;
  return saysOtherMoney(el, record) ? 0.3 : 1;
}

const isNamedOld = (el: Element): boolean => OLD.test([...el.classList].join(' ').replaceAll(/[-_]+/g, ' '));

function isStruck(el: Element, record: Element): boolean {
  const struck = el.closest('del,s,strike');
  return struck !== null && record.contains(struck);
}

const saysOtherMoney = (el: Element, record: Element): boolean =>
  allIn(record, '*').some((other) => isMoney(other) && !other.contains(el) && !el.contains(other));

/** What is drawn next to a text for everyone else: `<span class="offscreen">$21.99</span><span aria-hidden="true">…` */
function isVisualCopy(el: Element): boolean {
  const before = el.closest('[aria-hidden="true"]')?.previousElementSibling ?? null;
  return before !== null && saysMoney(before);
}
