import { isPlausible } from '../../../shared/extract/coerce.ts';
import type { FieldPlan } from '../../../shared/extract/plan.ts';
import type { JsonValue } from '../../../shared/json.ts';
import { isAnchor, isImage, squash } from '../dom.ts';
import { isList, scoreLabel, valueField } from './match.ts';
import { readScalar } from './values.ts';
import { stableClasses } from './groups.ts';
import type { View } from './view.ts';

/** How a value is taken from the element that was found. */
export type Take = 'whole' | 'after_label';

export interface Evidence {
  /** 0 to 1. */
  readonly score: number;
  readonly take: Take;
}

const NAMING = [
  'itemprop',
  'property',
  'data-field',
  'data-testid',
  'data-test',
  'data-qa',
  'data-label',
  'name',
  'id',
];
const LEAF_UNITS = 80;
const DATE_UNITS = 40;
const OLD = /\b(?:old|was|original|list|regular|strike|before|previous|msrp|rrp)\b/i;
const STARS = /\d(?:[.,]\d+)?\s*(?:out of|of|\/|von|sur|de|su)\s*\d|\d(?:[.,]\d+)?\s*(?:stars?|★)|★/i;
const HEADINGS = /^h[1-6]$/;

/** Weights of each kind of evidence: what an author named is surer than what an element is. */
const BY = { attribute: 0.9, label: 0.85, unit: 0.8, kind: 0.7, link: 0.55, number: 0.4 } as const;

/** What speaks for an element of a card being a field's, by names first, then by what it is. */
export function weigh(el: Element, field: FieldPlan, view: View): Evidence {
  const item = valueField(field);
  const none: Evidence = { score: 0, take: 'whole' };
  const labelled = labelWithin(el, field);
  const named = namedScore(el, field);
  const kind = Math.max(kindScore(el, item), unitScore(el, item, field));
  const score = Math.max(labelled, named, kind) * priceWorth(el, item);
  if (score === 0) return none;
  const take: Take = labelled > 0 && labelled >= named ? 'after_label' : 'whole';
  const value = take === 'after_label' ? afterLabel(el) : readScalar(el, item, view);
  const isFit = isPlausible(item, value, { lang: view.lang, isMachine: false });
  if (!isFit) return none;
  // A single element that says a field is surer than a container of many things.
  return { score: isList(field) ? score : score * sizeWorth(el, item), take };
}

function namedScore(el: Element, field: FieldPlan): number {
  let best = 0;
  for (const name of stableClasses(el)) best = Math.max(best, scoreLabel(field, name) * BY.attribute);
  for (const attribute of NAMING) {
    const label = el.getAttribute(attribute);
    if (label !== null && label.length < LEAF_UNITS)
      best = Math.max(best, scoreLabel(field, label) * BY.attribute);
  }
  const before = el.previousElementSibling;
  if (before !== null && before.childElementCount === 0) {
    const text = squash(before.textContent ?? '');
    const isLabel =
      /[:：]$/.test(text) ||
      before.classList.contains('label') ||
      before.localName === 'label' ||
      before.localName === 'dt';
    if (isLabel && text.length < LEAF_UNITS) best = Math.max(best, scoreLabel(field, text) * BY.label);
  }
  return best;
}

/** `Price: 5 €` in one element. */
function labelWithin(el: Element, field: FieldPlan): number {
  if (el.childElementCount > 2) return 0;
  const label = /^([^:：]{2,40})[:：]\s*\S/.exec(squash(el.textContent ?? '').slice(0, LEAF_UNITS))?.[1];
  return label === undefined ? 0 : scoreLabel(field, label) * BY.label;
}

export function afterLabel(el: Element): JsonValue {
  return squash(el.textContent ?? '').replace(/^[^:：]{2,40}[:：]\s*/, '') || null;
}

/** What the kind of an element tells. */
function kindScore(el: Element, field: FieldPlan): number {
  switch (field.form) {
    case 'title':
      return titleScore(el);
    case 'url':
      return linkScore(el);
    case 'image':
      return isImage(el) ? BY.kind : 0;
    case 'date':
      return dateScore(el, field);
    case 'prose':
      return el.localName === 'p' ? BY.link : 0;
    case 'money':
      return isMoney(el) ? BY.kind : 0;
    case 'rating':
      return STARS.test(ratingText(el)) ? BY.kind : 0;
    case 'email':
      return /^mailto:/i.test(el.getAttribute('href') ?? '') ? BY.kind : 0;
    default:
      return 0;
  }
}

function titleScore(el: Element): number {
  if (HEADINGS.test(el.localName)) return BY.kind;
  if (isAnchor(el)) return BY.link;
  return el.localName === 'strong' || el.localName === 'b' ? BY.link * 0.9 : 0;
}

function linkScore(el: Element): number {
  if (!isAnchor(el)) return 0;
  const isInHeading = HEADINGS.test(el.parentElement?.localName ?? '');
  return isInHeading || el.querySelector('h1,h2,h3,h4,h5,h6') !== null ? BY.kind : BY.link;
}

/** Any short text may be a date; the caller checks whether it is one. */
function dateScore(el: Element, { format }: FieldPlan): number {
  if (el.localName === 'time') return BY.kind;
  return format !== null && isLeaf(el) && leafText(el).length <= DATE_UNITS ? BY.link : 0;
}

const saysMoney = (el: Element): boolean => isLeaf(el) && /\p{Sc}\s*\d|\d\s*\p{Sc}/u.test(leafText(el));
/** The innermost element that says a price: the title next to it is not part of it. */
const isMoney = (el: Element): boolean => saysMoney(el) && ![...el.children].some(saysMoney);

const ratingText = (el: Element): string =>
  `${el.getAttribute('aria-label') ?? ''} ${isLeaf(el) ? leafText(el) : ''}`;

/** `123 reviews`, `3 beds`: the word next to a number names it; a lone number may be any. */
function unitScore(el: Element, item: FieldPlan, field: FieldPlan): number {
  if (item.types[0] !== 'number' && item.types[0] !== 'integer') return 0;
  if (!isLeaf(el)) return 0;
  const text = leafText(el);
  if (!/\p{N}/u.test(text) || text.length > LEAF_UNITS) return 0;
  const words = text.replace(/[\p{N}\p{P}\p{S}]+/gu, ' ').trim();
  const named = words === '' ? 0 : scoreLabel(field, words) * BY.unit;
  return Math.max(named, item.form === 'text' && words === '' ? BY.number : 0);
}

const isLeaf = (el: Element): boolean => el.childElementCount <= 2;
const leafText = (el: Element): string => squash(el.textContent ?? '').slice(0, LEAF_UNITS + 1);

/** What is struck through, or named as what it was, is not today's price. */
function priceWorth(el: Element, field: FieldPlan): number {
  if (field.form !== 'money' || OLD.test(field.names.join(' '))) return 1;
  if (el.closest('del,s,strike') !== null) return 0.3;
  return OLD.test([...el.classList].join(' ').replaceAll(/[-_]+/g, ' ')) ? 0.3 : 1;
}

/** Fields of one line are not said by whole sections. */
function sizeWorth(el: Element, field: FieldPlan): number {
  if (field.form === 'prose' || field.form === 'html' || field.form === 'url' || field.form === 'image')
    return 1;
  const below = el.childElementCount;
  return below <= 3 ? 1 : 1 / (below - 2);
}
