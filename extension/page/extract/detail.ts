import { LEAST_SURE } from '../../../shared/extract/confidence.ts';
import type { FieldPlan } from '../../../shared/extract/plan.ts';
import type { FoundRecord } from '../../../shared/extract/request.ts';
import { isPlausible } from '../../../shared/extract/coerce.ts';
import type { JsonValue } from '../../../shared/json.ts';
import { allIn, firstIn, isImage, tagOf, textIn } from '../dom.ts';
import { isOffSubject, subjectOf } from './groups.ts';
import { namedScore, weigh } from './evidence.ts';
import { isMoney, priceWorth } from './looks.ts';
import { isList, leavesOf, valueField, type Leaf } from './match.ts';
import { isNestedList, readNested, assemble, type LeafValue, type RecordSet } from './records.ts';
import type { Paths, Root, View } from './view.ts';
import { setsWithin } from './repeated.ts';
import { readValue } from './values.ts';

interface DetailTools {
  readonly view: View;
  readonly paths: Paths;
  readonly fields: readonly FieldPlan[];
}

const MOST_ELEMENTS = 4_000;
const TITLE = 0.9;
const FIRST_PRICE = 0.55;
const BARE_PRICE = /^(?:from:? )?[A-Z]{0,3}\s?\p{Sc}?\s?\p{N}[\p{N}.,]*\s?\p{Sc}?$/iu;
/** Kinds of field that an element of the page's head can be by what it is. */
const BY_KIND = new Set(['money', 'date', 'rating', 'email', 'phone', 'image', 'prose', 'stock']);

/**
 * The one thing that a page is about, as it is laid out for people: its heading, what an author named, and
 * what follows the heading before the next one. What the page lists next to it is of other things.
 */
export function readDetail(scope: Root | Element, { view, paths, fields }: DetailTools): RecordSet[] {
  const whole = 'body' in scope ? scope.body : 'localName' in scope ? scope : null;
  if (whole === null) return [];
  const subject = subjectOf(whole) ?? firstHeading(whole);
  const skip = isOffSubject(whole);
  const own = allIn(whole, '*')
    .slice(0, MOST_ELEMENTS)
    .filter((el) => !skip(el) && (view.isShown(el) || isImage(el)));
  const head = headOf(own, subject);
  const near = subject === null ? [] : head.slice(head.indexOf(subject));
  const leaves = leavesOf(fields);
  const values = leaves.flatMap((leaf): LeafValue[] => {
    if (isNestedList(leaf.field)) {
      const inner = { view, paths, fields, onHidden: () => undefined };
      return [readNested(leaf, (asked) => setsWithin(whole, asked, inner)) ?? []].flat();
    }
    const named = namedValue(near, leaf, view, whole) ?? namedValue(own, leaf, view, whole);
    const looks = kindValue(head, subject, leaf, view, whole) ?? onlyOne(own, leaf, view, whole);
    const found = named === null || (looks?.score ?? 0) > named.score ? looks : named;
    return found === null
      ? []
      : [{ leaf, value: found.value, selector: paths.of(found.el), confidence: found.score }];
  });
  if (values.length === 0) return [];
  const record: FoundRecord = {
    strategy: 'detail',
    where: paths.of(whole),
    lang: view.lang,
    fields: assemble('detail', values),
  };
  return [{ strategy: 'detail', where: record.where, size: 1, key: null, worth: 1, records: () => [record] }];
}

const firstHeading = (whole: Element): Element | null => firstIn(whole, 'h2,h3,h4');

/** From the beginning to the next heading of the page after its subject. */
function headOf(own: readonly Element[], subject: Element | null): Element[] {
  const at = subject === null ? -1 : own.indexOf(subject);
  const next = own.findIndex((el, index) => index > at && /^h[1-3]$/.test(tagOf(el)));
  return own.slice(0, next < 0 ? own.length : next);
}

interface Found {
  readonly el: Element;
  readonly value: JsonValue;
  readonly score: number;
}

/** The element that an author named so, if it is the only one or all of them say the same. */
function namedValue(own: readonly Element[], leaf: Leaf, view: View, whole: Element): Found | null {
  const { field } = leaf;
  const item = valueField(field);
  const scored = own
    .map((el) => ({ el, score: namedScore(el, field, whole) }))
    .filter(({ score }) => score >= LEAST_SURE)
    .map(({ el, score }) => ({ el, score: score * priceWorth(el, item, whole) }))
    .filter(({ score }) => score >= LEAST_SURE)
    .sort((a, b) => b.score - a.score);
  for (const score of new Set(scored.map((one) => one.score))) {
    const equal = scored.filter((one) => one.score === score).map(({ el }) => el);
    const inner = equal.filter((el) => !equal.some((other) => other !== el && el.contains(other)));
    const found =
      isList(field) && inner.length > 1 ? all(inner, score, item, view) : only(inner, score, leaf, view);
    if (found !== null) return found;
  }
  return null;
}

function all(elements: readonly Element[], score: number, item: FieldPlan, view: View): Found | null {
  const value = elements.map((el) => readValue(el, item, view)).filter((part) => part !== null);
  const [el] = elements;
  return el === undefined || value.length === 0 ? null : { el, value, score };
}

/** All elements have to say the same: where they differ nothing tells which is meant. */
function only(elements: readonly Element[], score: number, { field }: Leaf, view: View): Found | null {
  const fitting = elements.flatMap((el): Found[] => {
    const value = readValue(el, field, view);
    const isFit = isPlausible(field, value, view.hints);
    return isFit ? [{ el, value, score }] : [];
  });
  const [first] = fitting;
  if (first === undefined) return null;
  return fitting.every(({ value }) => JSON.stringify(value) === JSON.stringify(first.value)) ? first : null;
}

const UNDER_HEADING = 0.5;

/** The only paragraph, telephone number or address for mail of a page, wherever it is. */
function onlyOne(own: readonly Element[], leaf: Leaf, view: View, whole: Element): Found | null {
  const { field } = leaf;
  if (field.form === 'phone' || field.form === 'email')
    return only(
      own.filter((el) => weigh(el, field, view, whole).score >= LEAST_SURE),
      UNDER_HEADING,
      leaf,
      view,
    );
  if (field.form !== 'prose') return null;
  const all = own.filter((el) => tagOf(el) === 'p' && weigh(el, field, view, whole).score >= LEAST_SURE);
  const [el] = all;
  const value = el === undefined || all.length > 1 ? null : readValue(el, field, view);
  return el === undefined || value === null ? null : { el, value, score: UNDER_HEADING };
}

/** What the head of the page says by what it is. */
function kindValue(
  head: readonly Element[],
  subject: Element | null,
  leaf: Leaf,
  view: View,
  whole: Element,
): Found | null {
  const { field } = leaf;
  if (field.form === 'title') {
    const value = subject === null ? null : readValue(subject, field, view);
    return subject === null || value === null ? null : { el: subject, value, score: TITLE };
  }
  if (isList(field) || !(BY_KIND.has(field.form) || field.form === 'text')) return null;
  const after = subject === null ? head : head.slice(field.form === 'image' ? 0 : head.indexOf(subject) + 1);
  if (field.form === 'money') return priceOf(after, leaf, view, whole) ?? priceOf(head, leaf, view, whole);
  const scored = after
    .map((el) => ({ el, ...weigh(el, field, view, whole) }))
    .filter(({ score, by }) => by === 'kind' && score >= LEAST_SURE);
  const most = Math.max(0, ...scored.map(({ score }) => score));
  const best = scored.filter(({ score }) => score === most).map(({ el }) => el);
  const inner = best.filter((el) => !best.some((other) => other !== el && el.contains(other)));
  const candidates = field.form === 'prose' || field.form === 'image' ? inner.slice(0, 1) : inner;
  return only(candidates, most, leaf, view);
}

/** The price among some elements; of several, the first one is that of the subject, but it is less sure. */
function priceOf(among: readonly Element[], leaf: Leaf, view: View, whole: Element): Found | null {
  const { field } = leaf;
  const scored = among
    .filter(isMoney)
    .map((el) => ({ el, ...weigh(el, field, view, whole) }))
    .filter(({ score }) => score >= LEAST_SURE);
  const prices = scored.map(({ el }) => el);
  const bare = prices.filter((el) => BARE_PRICE.test(textIn(el)));
  const isPrice = field.synonyms.includes('price amount') || field.names.includes('price amount');
  const least = Math.min(1, ...scored.map(({ score }) => score));
  return (
    only(prices, least, leaf, view) ?? (isPrice ? only(bare.slice(0, 1), FIRST_PRICE, leaf, view) : null)
  );
}
