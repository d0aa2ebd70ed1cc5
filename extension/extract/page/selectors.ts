import { cut } from '../../../shared/base/cut.ts';
import { PageError } from '../../dom/doorway.ts';
import type { FieldPlan, SelectorPlan } from '../../../shared/libraries/values/plan.ts';
import type { FoundRecord } from '../../../shared/libraries/values/request.ts';
import type { JsonValue } from '../../../shared/base/json.ts';
import { allIn, attrOf, isElement, lookUp, parentOf, isMatch } from '../../dom/elements.ts';
import { isAddress, isList, valueField } from './match.ts';
import type { Root, View } from './view.ts';
import { isTooDeep } from '../../dom/select.ts';
import { isSecret } from '../../dom/controls.ts';
import { valuesOf, type Fields, type RecordSet, type SearchTools } from './records.ts';
import { readCard } from './repeated.ts';
import { readRows } from './tables.ts';
import { readScalar, readValue } from './values.ts';
import { learnWrapper } from './wrapper.ts';

type Plans = Readonly<Record<string, SelectorPlan>>;

/** `//…`, `./…`, `../…`, `/…` and `(…)` are XPath: no CSS selector begins that way. */
const isXPath = (selector: string): boolean => /^\s*(?:\(|\.{0,2}\/)/.test(selector);

/**
 * Rejects invalid selectors before anything is read.
 * @throws PageError `selector_invalid`, naming the field
 */
export function checkSelectors(document: Document, plans: Plans, path = 'selectors'): void {
  for (const [name, { selector, fields }] of Object.entries(plans)) {
    if (selector !== null) checkSelector(document, selector, `${path}.${name}`);
    if (fields !== null) checkSelectors(document, fields, `${path}.${name}.fields`);
  }
}

/** @throws PageError `selector_invalid` */
export function checkSelector(document: Document, selector: string, field: string): void {
  const kind = isXPath(selector) ? 'XPath' : 'CSS selector';
  try {
    if (isTooDeep(selector)) throw new Error();
    if (isXPath(selector)) document.createExpression(selector, null);
    else document.createDocumentFragment().querySelector(selector);
  } catch {
    throw new PageError('selector_invalid', `${field}: ${cut(selector, 200)} is not a valid ${kind}.`);
  }
}

/** A node found by a selector, or a value computed by an XPath. */
type Match = Node | string | number | boolean;

/** All matches in document order; an XPath that begins with `//` searches only the context. */
export function select(context: Root | Element, selector: string, document: Document): Match[] {
  if (!isXPath(selector)) {
    // A bare `:scope` is the context, which no search below it finds; nor does it find a record that is a match itself.
    const inner = allIn(context, selector);
    const isOwn =
      isElement(context) &&
      (/(?:^|,)\s*:scope\s*(?:,|$)/.test(selector) || (inner.length === 0 && isMatch(context, selector)));
    return [...(isOwn ? [context] : []), ...inner];
  }
  const within = isElement(context) ? selector.replace(/^\s*(\(*)\s*\/\//, '$1.//') : selector;
  const result = document.evaluate(within, context, null, XPathResult.ANY_TYPE, null);
  switch (result.resultType) {
    case XPathResult.NUMBER_TYPE:
      return [result.numberValue];
    case XPathResult.STRING_TYPE:
      return result.stringValue === '' ? [] : [result.stringValue];
    case XPathResult.BOOLEAN_TYPE:
      return [result.booleanValue];
    default: {
      const nodes: Node[] = [];
      for (let node = result.iterateNext(); node !== null; node = result.iterateNext()) nodes.push(node);
      return nodes;
    }
  }
}

export interface SelectorTools extends SearchTools {
  readonly plans: Plans;
  readonly multiple: boolean;
}

/** Records by explicit selectors: in the given elements, in whatever repeats around the matches, or in the whole. */
export function readSelectors(
  scope: Root | Element,
  records: readonly Element[] | null,
  tools: SelectorTools,
): RecordSet[] {
  const roots = records ?? (tools.multiple ? recordsAround(scope, tools) : [scope]);
  const read = roots.map((root) => ({ root, fields: readFields(root, tools) }));
  const found = read.filter(({ fields }) => Object.keys(fields).length > 0);
  if (found.length === 0) return [];
  const rest = tools.fields.filter(({ name }) => lookUp(tools.plans, name) === undefined);
  const cards = found.map(({ root }) => root).filter(isElement);
  const isLearnt = rest.length > 0 && tools.multiple && cards.length === found.length;
  const wrapper = isLearnt ? learnWrapper(cards, rest, tools.view) : [];
  const rows = isLearnt ? readRows(cards, { ...tools, fields: rest }) : null;
  return [
    {
      strategy: 'selectors',
      where: '',
      size: found.length,
      key: 'selectors',
      records: function* (): Generator<FoundRecord> {
        for (const { root, fields } of found) {
          // A header identifies a cell more reliably than its looks do.
          const more =
            isLearnt && isElement(root)
              ? { ...readCard(root, wrapper, { ...tools, fields: rest }).fields, ...rows?.get(root) }
              : {};
          const where = isElement(root) ? tools.paths.of(root) : ':root';
          yield { strategy: 'selectors', where, lang: tools.view.lang, fields: { ...more, ...fields } };
        }
      },
    },
  ];
}

/**
 * Without a scope, a record surrounds one match of the most frequent selector: the largest element around it without
 * another match.
 */
function recordsAround(scope: Root | Element, { plans, view }: SelectorTools): (Root | Element)[] {
  let most: Element[] = [];
  for (const { selector, multiple } of Object.values(plans)) {
    if (selector === null || multiple || /^\s*:scope\b/.test(selector)) continue;
    const matches = select(scope, selector, view.document)
      .map(elementOf)
      .filter((el) => el !== null);
    const distinct = [...new Set(matches)];
    if (distinct.length > most.length) most = distinct;
  }
  if (most.length < 2) return most.length === 1 ? [scope] : [];
  const counts = new Map<Element, number>();
  for (const el of most)
    for (let at: Element | null = el; at !== null; at = parentOf(at))
      counts.set(at, (counts.get(at) ?? 0) + 1);
  return most.map((el) => {
    let root = el;
    for (let up = parentOf(el); up !== null && counts.get(up) === 1 && up !== scope; up = parentOf(up))
      root = up;
    return root;
  });
}

const isAttribute = (node: Node): node is Attr => node.nodeType === 2;

function elementOf(match: Match): Element | null {
  if (typeof match !== 'object') return null;
  if (isElement(match)) return match;
  return isAttribute(match) ? match.ownerElement : parentOf(match);
}

function readFields(
  root: Root | Element,
  { plans, fields, view }: Pick<SelectorTools, 'plans' | 'fields' | 'view'>,
): Fields {
  const found: Fields = {};
  for (const [name, plan] of Object.entries(plans)) {
    const field = fields.find((candidate) => candidate.name === name);
    const value = field === undefined ? null : readPlan(root, plan, field, view);
    const selector = plan.selector ?? ':scope';
    if (value !== null) found[name] = { value, strategy: 'selectors', selector, confidence: 1 };
  }
  return found;
}

function readPlan(root: Root | Element, plan: SelectorPlan, field: FieldPlan, view: View): JsonValue {
  const matches = plan.selector === null ? [root] : select(root, plan.selector, view.document);
  const many = plan.multiple || isList(field);
  const item = many ? valueField(field) : field;
  const values = (many ? matches : matches.slice(0, 1))
    .map((match) => extractValue(match, plan, item, view))
    .filter((value) => value !== null);
  if (!many) return values[0] ?? null;
  const [only] = matches;
  // One element may contain the whole list.
  if (
    matches.length === 1 &&
    plan.attr === null &&
    plan.fields === null &&
    typeof only === 'object' &&
    isElement(only) &&
    isList(field)
  )
    return readValue(only, field, view);
  return values.length === 0 ? null : values;
}

function extractValue(match: Match, plan: SelectorPlan, field: FieldPlan, view: View): JsonValue {
  if (typeof match !== 'object') return typeof match === 'number' && !Number.isFinite(match) ? null : match;
  if (plan.fields !== null) {
    const tools = { plans: plan.fields, fields: field.fields, view };
    return isElement(match) ? valuesOf(readFields(match, tools)) : null;
  }
  if (!isElement(match))
    return isSecretAttribute(match) ? null : addressed(match.nodeValue ?? '', field, view);
  if (plan.attr === null) return readScalar(match, field, view);
  if (plan.attr === 'value' && isSecret(match)) return null;
  const text = attrOf(match, plan.attr);
  return text === null ? null : addressed(text, field, view);
}

/** `//input/@value` would read a control's value. */
function isSecretAttribute(node: Node): boolean {
  const owner = elementOf(node);
  return owner !== null && node.nodeName === 'value' && isSecret(owner);
}

function addressed(text: string, field: FieldPlan, view: View): string {
  return (isAddress(field) ? view.absolute(text) : null) ?? text.trim();
}
