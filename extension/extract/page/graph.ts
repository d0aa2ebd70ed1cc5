import { addTo, wordSet, lookUp } from '../../dom/elements.ts';
import { isPlausible } from '../../../shared/libraries/values/coerce.ts';
import { normaliseName } from '../../../shared/libraries/values/names.ts';
import type { FieldPlan } from '../../../shared/libraries/values/plan.ts';
import type { FoundRecord, Strategy } from '../../../shared/libraries/values/request.ts';
import type { JsonValue } from '../../../shared/base/json.ts';
import { asksFor, isAddress, isList, isNumber, scoreLabel, valueField } from './match.ts';
import { isMachine, valuesOf, type Fields, type RecordSet } from './records.ts';
import type { View } from './view.ts';

/** An item that a page describes for machines, in JSON-LD, microdata or RDFa. */
export interface GraphNode {
  /** Last parts of its types: `Product`. */
  readonly types: readonly string[];
  readonly id: string | null;
  readonly props: Map<string, GraphValue[]>;
  readonly where: string;
  /** Less than 1 for a source that mentions its properties in passing. */
  readonly sure?: number;
}

export type GraphValue = string | number | boolean | GraphNode;

const isNode = (value: GraphValue): value is GraphNode => typeof value === 'object';

/** `https://schema.org/Product`, `schema:Product` → `Product`. */
export const lastPart = (name: string): string => name.replace(/^.*[/#:]/, '');

/** How deep to look for properties of an item's parts. */
const DEPTH = 3;
const FARTHER = 0.92;
/** Too general to come from a nested item: an author's name is not the article's. */
const OWN_ONLY = wordSet('name title headline description text url link image id type date language');
/** Independent items: their properties do not belong to an item that mentions them. */
const OTHERS = wordSet(
  'review comment person question answer breadcrumblist searchaction website webpage organization product newsarticle article',
);

interface FoundNode {
  readonly values: readonly GraphValue[];
  readonly path: string;
  readonly score: number;
}

/** The property that fits a field best, nearest first. */
function findProperty(node: GraphNode, field: FieldPlan): FoundNode | null {
  let best: FoundNode | null = null;
  const visit = (at: GraphNode, path: string, depth: number, before: string): void => {
    for (const [key, values] of at.props) {
      const own = depth === 0 || !OWN_ONLY.has(normaliseName(key)) ? scoreLabel(field, key) : 0;
      const joined = before === '' ? 0 : scoreLabel(field, `${before} ${key}`);
      const score = Math.max(own, joined) * FARTHER ** depth;
      if (score > (best?.score ?? 0)) best = { values, path: path === '' ? key : `${path}.${key}`, score };
      if (depth + 1 >= DEPTH) continue;
      const inner = values.find(isNode);
      if (inner !== undefined && (depth === 0 || values.length === 1) && !isOther(inner))
        visit(inner, path === '' ? key : `${path}.${key}`, depth + 1, key);
    }
  };
  visit(node, '', 0, '');
  return best;
}

const isOther = ({ types }: GraphNode): boolean => types.some((type) => OTHERS.has(type.toLowerCase()));

function mapNode(node: GraphNode, fields: readonly FieldPlan[], strategy: Strategy, view: View): Fields {
  const mapped: Fields = {};
  for (const field of fields) {
    const found = findProperty(node, field);
    if (found === null) {
      const address = ownAddress(node, field, view);
      if (address !== null)
        mapped[field.name] = { value: address, strategy, selector: '@id', confidence: BY_ID };
      continue;
    }
    const value = toRaw(found.values, field, strategy, view);
    const confidence = found.score * (node.sure ?? 1);
    if (value !== null) mapped[field.name] = { value, strategy, selector: found.path, confidence };
  }
  return mapped;
}

const BY_ID = 0.6;

/** The id of an item without an address is one, unless it is a fragment of a page. */
function ownAddress({ id }: GraphNode, field: FieldPlan, view: View): string | null {
  const address = id === null || field.form !== 'url' || !asksFor(field, 'url') ? null : view.absolute(id);
  return address !== null && /^https?:[^#]+$/.test(address) ? address : null;
}

function toRaw(values: readonly GraphValue[], field: FieldPlan, strategy: Strategy, view: View): JsonValue {
  const item = valueField(field);
  const split = isList(field) && values.length === 1 ? splitKeywords(values[0], item) : values;
  const singles = split.map((value) => toSingle(value, item, strategy, view)).filter((each) => each !== null);
  if (isList(field)) return singles;
  const hints = { lang: view.lang, isMachine: isMachine(strategy) };
  return singles.find((value) => isPlausible(field, value, hints)) ?? singles[0] ?? null;
}

/** `keywords: "a, b"`: a list written as one text. */
function splitKeywords(value: GraphValue | undefined, item: FieldPlan): readonly GraphValue[] {
  if (value === undefined) return [];
  const isPlain = typeof value === 'string' && item.types[0] === 'string' && item.form === 'text';
  return isPlain && value.length < 2_000 && /,/.test(value) && !/[.!?]\s/.test(value)
    ? value.split(/\s*,\s*/)
    : [value];
}

function toSingle(value: GraphValue, field: FieldPlan, strategy: Strategy, view: View): JsonValue {
  if (field.types[0] === 'object') return isNode(value) ? toGroup(value, field, strategy, view) : null;
  const scalar = isNode(value) ? nodeAsScalar(value, scalarKind(field)) : value;
  if (typeof scalar !== 'string') return scalar;
  return isAddress(field) ? (view.absolute(scalar) ?? scalar) : scalar.trim() || null;
}

function toGroup(node: GraphNode, field: FieldPlan, strategy: Strategy, view: View): JsonValue {
  return field.fields.length === 0
    ? plainNode(node, 0)
    : valuesOf(mapNode(node, field.fields, strategy, view));
}

/** For a schema of an object without properties. */
function plainNode(node: GraphNode, depth: number): JsonValue {
  if (depth > DEPTH) return node.id;
  const plain = (value: GraphValue): JsonValue => (isNode(value) ? plainNode(value, depth + 1) : value);
  return Object.fromEntries(
    [...node.props].map(([key, values]) => [
      key,
      values.length === 1 ? plain(values[0] ?? '') : values.map(plain),
    ]),
  );
}

const STANDS_FOR: Readonly<Record<string, readonly string[]>> = {
  url: ['url', 'contentUrl', 'embedUrl', '@id'],
  image: ['contentUrl', 'url', 'thumbnailUrl', '@id'],
  number: ['value', 'ratingValue', 'price', 'amount', 'lowPrice', 'minValue', 'name'],
  text: ['name', 'headline', 'title', 'value', 'text', 'url'],
};
const ADDRESS = ['streetAddress', 'postalCode', 'addressLocality', 'addressRegion', 'addressCountry'];

/** One value for a whole item: a person's name, an image's address. */
function nodeAsScalar(node: GraphNode, kind: string): string | number | boolean | null {
  if (kind === 'text' && node.props.has('streetAddress')) return joinAddress(node);
  for (const key of lookUp(STANDS_FOR, kind) ?? []) {
    const value = key === '@id' ? node.id : node.props.get(key)?.[0];
    if (value === undefined || value === null) continue;
    if (!isNode(value)) return value;
    const inner = value.props.get('name')?.[0];
    if (inner !== undefined && !isNode(inner)) return inner;
  }
  return null;
}

function scalarKind(field: FieldPlan): string {
  if (isNumber(field)) return 'number';
  return isAddress(field) ? field.form : 'text';
}

function joinAddress(node: GraphNode): string {
  return ADDRESS.flatMap((key) => node.props.get(key) ?? [])
    .map((value) => (isNode(value) ? nodeAsScalar(value, 'text') : value))
    .filter((part) => part !== null && part !== '')
    .join(', ');
}

/** Pure containers of a list's items. */
const WRAPPERS = new Set(['ListItem', 'DataFeedItem']);

/** Every item of a page once, nested ones included. */
function allNodes(tops: readonly GraphNode[]): Set<GraphNode> {
  const seen = new Set<GraphNode>();
  const queue = [...tops];
  for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
    if (seen.has(node)) continue;
    seen.add(node);
    queue.unshift(...[...node.props.values()].flat().filter(isNode));
  }
  return seen;
}

/** One set per type, in the page's order. */
export function setsOfNodes(
  strategy: Strategy,
  tops: readonly GraphNode[],
  fields: readonly FieldPlan[],
  view: View,
): RecordSet[] {
  const groups = new Map<string, GraphNode[]>();
  for (const node of allNodes(tops))
    if (node.props.size > 0 && !isWrapper(node)) addTo(groups, node.types.join(' ') || 'Thing', node);
  return [...groups].map(([key, nodes]) => ({
    strategy,
    where: nodes[0]?.where ?? '',
    size: nodes.length,
    key,
    records: function* (): Generator<FoundRecord> {
      for (const node of nodes)
        yield { strategy, where: node.where, lang: view.lang, fields: mapNode(node, fields, strategy, view) };
    },
  }));
}

/** A list entry's item says more than its position. */
const isWrapper = ({ types, props }: GraphNode): boolean =>
  types.some((type) => WRAPPERS.has(type)) && props.get('item')?.some(isNode) === true;
