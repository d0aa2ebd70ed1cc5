import type { FieldPlan } from '../../../shared/libraries/values/plan.ts';
import type { FoundRecord } from '../../../shared/libraries/values/request.ts';
import {
  allIn,
  attrOf,
  firstIn,
  isInput,
  isSelect,
  isTextarea,
  tagOf,
  isImage,
  textIn,
  holds,
  isDocument,
} from '../../dom/elements.ts';
import { assignPairs, pairsWithin } from './pairs.ts';
import { asksFor, assignLinked, isList, leavesOf, valueField, type Leaf } from './match.ts';
import { isOffSubject, subjectOf } from './groups.ts';
import type { Root, View } from './view.ts';
import {
  type LeafValue,
  type RecordSet,
  isNestedList,
  readNested,
  recordOf,
  singleSet,
  type SearchTools,
} from './records.ts';
import { readEach, readValue } from './values.ts';
import { isSecret } from '../../dom/controls.ts';
import { isPlausible, MIN_SURE } from '../../../shared/libraries/values/coerce.ts';
import type { JsonValue } from '../../../shared/base/json.ts';
import { namedScore, weigh } from './evidence.ts';
import { isMoney, priceWorth } from './looks.ts';
import { setsWithin } from './repeated.ts';

interface Entry {
  readonly label: string;
  readonly values: readonly Element[];
}

/** A group of entries without a repeated label. */
interface Group {
  readonly el: Element;
  readonly entries: Entry[];
}

/** A longer label is prose. */
const LABEL_UNITS = 60;
const WRITTEN = 0.9;

/** Lists of labels and values: `dl`, labelled controls, rows of two parts, and lines such as "Label: value". */
export function readDefinitionLists(scope: Root | Element, tools: SearchTools): RecordSet[] {
  const { view } = tools;
  const groups = allIn(scope, 'dl').flatMap((dl) => definitionGroups(dl, view));
  const sets = groups.map((group) => setOf(group, tools, 1));
  const whole = isDocument(scope) ? scope.body : scope;
  if (whole !== null) sets.push(setOf(controlGroup(whole, view), tools, WRITTEN), writtenSet(whole, tools));
  return sets.filter((set) => set !== null);
}

/** Labels and values written as rows and lines, except those that a page lists next to its subject. */
function writtenSet(scope: ShadowRoot | Element, tools: SearchTools): RecordSet | null {
  const { fields, view } = tools;
  // Definition lists are read separately: a term may have several definitions.
  const pairs = pairsWithin(scope, view, isOffSubject(scope)).filter(({ kind }) => kind !== 'list');
  const assigned = assignPairs(leavesOf(fields), pairs, view);
  if (assigned.size === 0) return null;
  const values = [...assigned].map(([leaf, { pair, value, score }]) => ({
    leaf,
    value,
    selector: tools.paths.of(pair.at),
    confidence: score,
  }));
  return singleSet(recordOf('definition_lists', elementOf(scope), values, tools));
}

function setOf({ el, entries }: Group, tools: SearchTools, sure: number): RecordSet | null {
  const { fields, view, paths } = tools;
  const labels = entries.map(({ label }) => [label]);
  const assigned = [...assignLinked(leavesOf(fields), labels)];
  if (assigned.length === 0) return null;
  const named = assigned.map(([{ path }, { index }]) => `${path.join('.')}=${entries[index]?.label}`);
  return {
    strategy: 'definition_lists',
    where: paths.of(el),
    size: 1,
    key: named.join('|'),
    records: function* (): Generator<FoundRecord> {
      const values = assigned.flatMap(([leaf, { index, score }]): LeafValue[] => {
        const [at, ...more] = entries[index]?.values ?? [];
        if (at === undefined) return [];
        const isMany = isList(leaf.field) && more.length > 0;
        const value = isMany
          ? readEach([at, ...more], valueField(leaf.field), view)
          : readValue(at, leaf.field, view);
        return value === null ? [] : [{ leaf, value, selector: paths.of(at), confidence: score * sure }];
      });
      yield recordOf('definition_lists', el, values, tools);
    },
  };
}

/** The groups of a list: a repeated label begins the next one. */
function definitionGroups(dl: Element, view: View): Group[] {
  const groups: Group[] = [];
  let entries: Entry[] = [];
  let labels: string[] = [];
  let values: Element[] = [];
  const flush = (): void => {
    if (values.length === 0) return;
    for (const label of labels) entries.push({ label, values });
    [labels, values] = [[], []];
  };
  for (const el of termsOf(dl)) {
    if (!view.isShown(el)) continue;
    if (tagOf(el) === 'dd') values.push(el);
    else {
      flush();
      const label = labelText(view.text(el));
      if (entries.some((entry) => entry.label === label)) {
        groups.push({ el: dl, entries });
        entries = [];
      }
      labels.push(label);
    }
  }
  flush();
  if (entries.length > 0) groups.push({ el: dl, entries });
  return groups;
}

function* termsOf(dl: Element): Generator<Element> {
  for (const el of dl.children) {
    if (/^d[td]$/.test(tagOf(el))) yield el;
    else if (tagOf(el) === 'div') yield* termsOf(el);
  }
}

const labelText = (text: string): string => text.replace(/\s*[:：]\s*$/, '');

/** Controls by label. Secrets are never read. */
function controlGroup(scope: ShadowRoot | Element, view: View): Group {
  const entries: Entry[] = [];
  for (const label of allIn(scope, 'label')) {
    const control = controlOf(label, view);
    if (control === null || !isControl(control) || isSecret(control) || !view.isShown(control)) continue;
    const text = labelText(view.text(label));
    if (text !== '' && text.length <= LABEL_UNITS) entries.push({ label: text, values: [control] });
  }
  return { el: elementOf(scope), entries };
}

function controlOf(label: Element, view: View): Element | null {
  const id = attrOf(label, 'for');
  const isInDocument = 'getElementById' in label.getRootNode();
  const named = id !== null && isInDocument ? view.document.getElementById(id) : null;
  return named ?? firstIn(label, 'input,select,textarea,output');
}

const isControl = (el: Element): boolean =>
  isInput(el) || isSelect(el) || isTextarea(el) || tagOf(el) === 'output';

const elementOf = (scope: ShadowRoot | Element): Element => ('localName' in scope ? scope : scope.host);

const MAX_ELEMENTS = 4_000;
const TITLE = 0.9;
const FIRST_PRICE = 0.55;
const BARE_PRICE = /^(?:from:? )?[A-Z]{0,3}\s?\p{Sc}?\s?\p{N}[\p{N}.,]*\s?\p{Sc}?$/iu;
/** Kinds of fields that an element of the page's head can fill by its own kind. */
const BY_KIND = new Set(['money', 'date', 'rating', 'email', 'phone', 'image', 'prose', 'stock']);

/**
 * The page's one subject, as laid out for people: its heading, marked-up parts, and everything between that heading and
 * the next one. The page lists other subjects next to it.
 */
export function readDetail(scope: Root | Element, tools: SearchTools): RecordSet[] {
  const { view, paths, fields } = tools;
  const whole = isDocument(scope) ? scope.body : 'localName' in scope ? scope : null;
  if (whole === null) return [];
  const subject = subjectOf(whole) ?? firstIn(whole, 'h2,h3,h4');
  const skip = isOffSubject(whole);
  const own = allIn(whole, '*')
    .slice(0, MAX_ELEMENTS)
    .filter((el) => !skip(el) && (view.isShown(el) || isImage(el)));
  const head = findHead(own, subject);
  const near = subject === null ? [] : head.slice(head.indexOf(subject));
  const leaves = leavesOf(fields);
  const values = leaves.flatMap((leaf): LeafValue[] => {
    if (isNestedList(leaf.field)) return readNested(leaf, (asked) => setsWithin(whole, asked, tools));
    const named = namedValue(near, leaf, view, whole) ?? namedValue(own, leaf, view, whole);
    const looks = kindValue(head, subject, leaf, view, whole) ?? onlyOne(own, leaf, view, whole);
    const found = named === null || (looks?.score ?? 0) > named.score ? looks : named;
    if (found === null) return [];
    return [{ leaf, value: found.value, selector: paths.of(found.el), confidence: found.score }];
  });
  return values.length === 0 ? [] : [singleSet(recordOf('detail', whole, values, tools))];
}

/** From the beginning to the next heading after the subject. */
function findHead(own: readonly Element[], subject: Element | null): Element[] {
  const at = subject === null ? -1 : own.indexOf(subject);
  const next = own.findIndex((el, index) => index > at && /^h[1-3]$/.test(tagOf(el)));
  return own.slice(0, next < 0 ? own.length : next);
}

interface FoundDetail {
  readonly el: Element;
  readonly value: JsonValue;
  readonly score: number;
}

/** The element that an author named so, if it is the only one or all of them agree. */
function namedValue(own: readonly Element[], leaf: Leaf, view: View, whole: Element): FoundDetail | null {
  const { field } = leaf;
  const item = valueField(field);
  const scored = own
    .map((el) => ({ el, score: namedScore(el, field, whole) }))
    .filter(({ score }) => score >= MIN_SURE)
    .map(({ el, score }) => ({ el, score: score * priceWorth(el, item, whole) }))
    .filter(({ score }) => score >= MIN_SURE)
    .sort((a, b) => b.score - a.score);
  for (const score of new Set(scored.map((one) => one.score))) {
    const equal = scored.filter((one) => one.score === score).map(({ el }) => el);
    const inner = innermost(equal);
    const found =
      isList(field) && inner.length > 1 ? all(inner, score, item, view) : only(inner, score, leaf, view);
    if (found !== null) return found;
  }
  return null;
}

const innermost = (elements: readonly Element[]): Element[] =>
  elements.filter((el) => !elements.some((other) => other !== el && holds(el, other)));

function all(elements: readonly Element[], score: number, item: FieldPlan, view: View): FoundDetail | null {
  const value = elements.map((el) => readValue(el, item, view)).filter((part) => part !== null);
  const [el] = elements;
  return el === undefined || value.length === 0 ? null : { el, value, score };
}

/** All elements have to agree; if they differ, none is certain. */
function only(elements: readonly Element[], score: number, { field }: Leaf, view: View): FoundDetail | null {
  const fitting = elements
    .map((el) => ({ el, value: readValue(el, field, view), score }))
    .filter(({ value }) => isPlausible(field, value, view.hints));
  return new Set(fitting.map(({ value }) => JSON.stringify(value))).size === 1 ? (fitting[0] ?? null) : null;
}

const UNDER_HEADING = 0.5;

/** The page's only paragraph, phone number or e-mail address, wherever it is. */
function onlyOne(own: readonly Element[], leaf: Leaf, view: View, whole: Element): FoundDetail | null {
  const { field } = leaf;
  const isProse = field.form === 'prose';
  if (!isProse && field.form !== 'phone' && field.form !== 'email') return null;
  const asked = isProse ? own.filter((el) => tagOf(el) === 'p') : own;
  const sure = sureOf(asked, field, view, whole).map(({ el }) => el);
  if (!isProse) return only(sure, UNDER_HEADING, leaf, view);
  const [el, ...others] = sure;
  const value = el === undefined || others.length > 0 ? null : readValue(el, field, view);
  return el === undefined || value === null ? null : { el, value, score: UNDER_HEADING };
}

/** Elements with enough evidence that they are the field's. */
const sureOf = (elements: readonly Element[], field: FieldPlan, view: View, whole: Element) =>
  elements.map((el) => ({ el, ...weigh(el, field, view, whole) })).filter(({ score }) => score >= MIN_SURE);

function kindValue(
  head: readonly Element[],
  subject: Element | null,
  leaf: Leaf,
  view: View,
  whole: Element,
): FoundDetail | null {
  const { field } = leaf;
  if (field.form === 'title') {
    const value = subject === null ? null : readValue(subject, field, view);
    return subject === null || value === null ? null : { el: subject, value, score: TITLE };
  }
  if (isList(field) || !(BY_KIND.has(field.form) || field.form === 'text')) return null;
  const after = subject === null ? head : head.slice(field.form === 'image' ? 0 : head.indexOf(subject) + 1);
  if (field.form === 'money') return priceOf(after, leaf, view, whole) ?? priceOf(head, leaf, view, whole);
  const scored = sureOf(after, field, view, whole).filter(({ by }) => by === 'kind');
  const most = Math.max(0, ...scored.map(({ score }) => score));
  const inner = innermost(scored.filter(({ score }) => score === most).map(({ el }) => el));
  const candidates = field.form === 'prose' || field.form === 'image' ? inner.slice(0, 1) : inner;
  return only(candidates, most, leaf, view);
}

/** The price among some elements; of several, the first belongs to the subject, with less certainty. */
function priceOf(among: readonly Element[], leaf: Leaf, view: View, whole: Element): FoundDetail | null {
  const { field } = leaf;
  const scored = sureOf(among.filter(isMoney), field, view, whole);
  const prices = scored.map(({ el }) => el);
  const bare = prices.filter((el) => BARE_PRICE.test(textIn(el)));
  const isPrice = asksFor(field, 'price amount');
  const least = Math.min(1, ...scored.map(({ score }) => score));
  return (
    only(prices, least, leaf, view) ?? (isPrice ? only(bare.slice(0, 1), FIRST_PRICE, leaf, view) : null)
  );
}
