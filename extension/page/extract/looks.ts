import type { FieldPlan } from '../../../shared/extract/plan.ts';
import { squash } from '../dom.ts';

const MOST_UNITS = 40;
const COUNTED =
  /^\(?\s*\p{N}[\p{N}.,]*\s?[kKmM]?\+?\s*(?:\)|(?:\p{L}+\s){0,2}(?:ratings?|reviews?|votes?)\)?)$/u;

/** How short texts look that are a field's by their form alone, by what the field is called. */
const LOOKS: readonly (readonly [string, RegExp])[] = [
  ['rank', /^(?:#\s?\d{1,4}|\d{1,4}\.)$/],
  ['year', /^\(?(?:1[5-9]|20)\d\d\)?$/],
  ['review count', COUNTED],
];

/** Whether the form of a text alone says that it is a field's: `#12` is a rank, and `(118)` a count of reviews. */
export function looksLike(el: Element, { names, synonyms }: FieldPlan): boolean {
  if (el.childElementCount > 1) return false;
  const text = squash((el.textContent ?? '').slice(0, MOST_UNITS * 2));
  if (text === '' || text.length > MOST_UNITS) return false;
  return LOOKS.some(([name, form]) => (names.includes(name) || synonyms.includes(name)) && form.test(text));
}

/** `4.7` before `(212)` or `212 reviews` is a rating. */
export function isBeforeCount(el: Element): boolean {
  if (el.childElementCount > 0 || !/^(?:10|\d)(?:[.,]\d{1,2})?$/.test(squash(el.textContent ?? '')))
    return false;
  for (let at: Element | null = el, depth = 0; at !== null && depth < 3; at = at.parentElement, depth += 1) {
    let next = at.nextElementSibling;
    while (next !== null && squash(next.textContent ?? '') === '') next = next.nextElementSibling;
    if (next !== null) return COUNTED.test(squash((next.textContent ?? '').slice(0, MOST_UNITS * 2)));
  }
  return false;
}
