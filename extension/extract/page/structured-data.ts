import { lastPart, type GraphNode, type GraphValue } from './graph.ts';
import type { Paths, Root, View } from './view.ts';
import { isObject, type JsonObject } from '../../../shared/base/json.ts';
import { allIn, attrOf, childrenOf, isImage, lookUp, tagOf, addTo, holds } from '../../dom/elements.ts';
import { parseLeniently, unescaped } from '../../dom/lenient-json.ts';
import { imageOf } from './values.ts';

/** Deeper structures are cut off: real descriptions are not that deep. */
const MAX_DEPTH = 24;
const MAX_NODES = 200_000;

interface JsonLd {
  readonly nodes: readonly GraphNode[];
  /** Scripts that are not JSON even after the usual repairs. */
  readonly broken: number;
}

/** Every item in a document's JSON-LD scripts, with references resolved. */
export function readJsonLd(root: Root | Element, paths: Paths): JsonLd {
  const builder = new Builder();
  let broken = 0;
  for (const script of allIn(root, 'script[type]')) {
    if (!/^\s*application\/ld\+json\s*(?:;|$)/i.test(attrOf(script, 'type') ?? '')) continue;
    const parsed = parseLeniently(script.textContent ?? '');
    if (parsed === undefined) broken += 1;
    else builder.add(parsed, paths.of(script));
  }
  return { nodes: builder.finish(), broken };
}

class Builder {
  readonly #tops: GraphNode[] = [];
  readonly #byId = new Map<string, GraphNode>();
  readonly #references: { readonly values: GraphValue[]; readonly at: number; readonly id: string }[] = [];
  #count = 0;

  add(value: unknown, where: string): void {
    if (Array.isArray(value)) {
      value.forEach((item, index) => this.add(item, `${where}[${index}]`));
      return;
    }
    if (!isObject(value)) return;
    const graph = value['@graph'];
    if (Array.isArray(graph) || isObject(graph)) this.add(graph, `${where} @graph`);
    const node = this.#node(value, where, 0);
    if (node !== null && node.props.size > 0) this.#tops.push(node);
  }

  /** Replaces references with the items they name. */
  finish(): readonly GraphNode[] {
    for (const { values, at, id } of this.#references) {
      const node = this.#byId.get(id);
      if (node !== undefined) values[at] = node;
    }
    return this.#tops;
  }

  #node(raw: JsonObject, where: string, depth: number): GraphNode | null {
    this.#count += 1;
    if (depth > MAX_DEPTH || this.#count > MAX_NODES) return null;
    const { '@type': type, '@id': id } = raw;
    const types = [type]
      .flat()
      .filter((name) => typeof name === 'string')
      .map(lastPart);
    const node: GraphNode = { types, id: typeof id === 'string' ? id : null, props: new Map(), where };
    for (const [key, value] of Object.entries(raw)) {
      if (key.startsWith('@')) continue;
      const values = this.#values(value, where, depth + 1);
      if (values.length > 0) node.props.set(lastPart(key), values);
    }
    // References mean the fullest description of an id.
    if (node.id !== null && (this.#byId.get(node.id)?.props.size ?? 0) < node.props.size)
      this.#byId.set(node.id, node);
    return node;
  }

  #values(value: unknown, where: string, depth: number): GraphValue[] {
    const values: GraphValue[] = [];
    const list = isObject(value) && Array.isArray(value['@list']) ? value['@list'] : value;
    for (const item of [list].flat()) this.#push(values, item, where, depth);
    return values;
  }

  #push(values: GraphValue[], item: unknown, where: string, depth: number): void {
    const literal = isObject(item) ? item['@value'] : item;
    if (typeof literal === 'string' || typeof literal === 'number' || typeof literal === 'boolean') {
      values.push(typeof literal === 'string' ? unescaped(literal) : literal);
      return;
    }
    if (Array.isArray(item)) {
      if (depth < MAX_DEPTH) for (const inner of item) this.#push(values, inner, where, depth + 1);
      return;
    }
    if (!isObject(item)) return;
    const node = this.#node(item, where, depth);
    if (node === null) return;
    if (node.id !== null && node.props.size === 0)
      this.#references.push({ values, at: values.length, id: node.id });
    values.push(node);
  }
}

const URL_ATTRIBUTES: Readonly<Record<string, string>> = {
  ...{ a: 'href', area: 'href', link: 'href', object: 'data' },
  ...{ audio: 'src', video: 'src', source: 'src', embed: 'src', iframe: 'src', track: 'src' },
};

/**
 * A property's value as defined by HTML microdata, and by RDFa Lite except for its own attributes: `content`, an
 * address, a machine-readable date or number, else the text.
 */
function propertyValue(el: Element, view: View): string | number {
  const content = attrOf(el, 'content');
  if (content !== null) return written(content);
  if (isImage(el)) return imageOf(el, view) ?? '';
  const attribute = lookUp(URL_ATTRIBUTES, tagOf(el));
  const address = attribute === undefined ? null : attrOf(el, attribute);
  if (address !== null) return view.absolute(address) ?? address;
  if (tagOf(el) === 'time') return attrOf(el, 'datetime')?.trim() ?? view.text(el);
  const value = tagOf(el) === 'data' || tagOf(el) === 'meter' ? attrOf(el, 'value') : null;
  return value === null ? view.text(el) : written(value);
}

/** A number written for programs has a decimal point in any language: a page in German would read 48137 in `48.137`. */
function written(value: string): string | number {
  const text = value.trim();
  return text.includes('.') && String(Number(text)) === text ? Number(text) : text;
}

interface Dialect {
  /** Items that are not another item's property: nested ones come with them. */
  readonly tops: string;
  readonly thing: string;
  readonly types: string;
  readonly property: string;
  readonly id: readonly string[];
  readonly valueOf: (el: Element, view: View) => string | number;
}

const MICRODATA: Dialect = {
  tops: '[itemscope]:not([itemprop])',
  thing: 'itemscope',
  types: 'itemtype',
  property: 'itemprop',
  id: ['itemid'],
  valueOf: propertyValue,
};
/** RDFa Lite: `vocab`, `typeof`, `property`, `resource`, `prefix`. */
const RDFA: Dialect = {
  tops: '[typeof]:not([typeof] [property])',
  thing: 'typeof',
  types: 'typeof',
  property: 'property',
  id: ['resource', 'about'],
  valueOf: (el, view) => {
    if (attrOf(el, 'content') !== null) return propertyValue(el, view);
    const resource = attrOf(el, 'resource');
    if (resource !== null) return view.absolute(resource) ?? resource;
    return attrOf(el, 'datetime')?.trim() ?? propertyValue(el, view);
  },
};

/** The items that elements mark up by their attributes. */
export function readMarkup(
  strategy: 'microdata' | 'rdfa',
  root: Root | Element,
  view: View,
  paths: Paths,
): GraphNode[] {
  const dialect = strategy === 'microdata' ? MICRODATA : RDFA;
  return allIn(root, dialect.tops).map((el) => readThing(el, { dialect, view, paths, open: new Set() }));
}

interface Reader {
  readonly dialect: Dialect;
  readonly view: View;
  readonly paths: Paths;
  /** Items being read, each inside the one before: an `itemref` may lead back into one. */
  readonly open: Set<Element>;
}

function readThing(el: Element, reader: Reader): GraphNode {
  const { dialect, view, paths, open } = reader;
  const id = dialect.id.map((name) => attrOf(el, name)).find((value) => value !== null) ?? null;
  const node: GraphNode = { types: namesIn(el, dialect.types), id, props: new Map(), where: paths.of(el) };
  if (open.has(el) || open.size > MAX_DEPTH) return node;
  open.add(el);
  for (const property of propertiesOf(el, reader)) {
    const value: GraphValue = property.hasAttribute(dialect.thing)
      ? readThing(property, reader)
      : dialect.valueOf(property, view);
    if (value === '') continue;
    for (const key of namesIn(property, dialect.property)) addTo(node.props, key, value);
  }
  open.delete(el);
  return node;
}

const splitAttribute = (el: Element, attribute: string): string[] =>
  (attrOf(el, attribute) ?? '').split(/\s+/).filter((word) => word !== '');

const namesIn = (el: Element, attribute: string): string[] => splitAttribute(el, attribute).map(lastPart);

/** Properties of one item: below it and below its `itemref` targets, not below nested items. */
function* propertiesOf(thing: Element, { dialect, view }: Reader): Generator<Element> {
  yield* propertiesBelow(thing, dialect);
  if (dialect !== MICRODATA) return;
  for (const id of splitAttribute(thing, 'itemref')) {
    const other = view.document.getElementById(id);
    if (other === null || holds(other, thing)) continue;
    if (other.hasAttribute('itemprop')) yield other;
    if (!other.hasAttribute('itemscope')) yield* propertiesBelow(other, dialect);
  }
}

function* propertiesBelow(el: Element, dialect: Dialect): Generator<Element> {
  for (const child of childrenOf(el)) {
    if (child.hasAttribute(dialect.property)) yield child;
    if (!child.hasAttribute(dialect.thing)) yield* propertiesBelow(child, dialect);
  }
}
