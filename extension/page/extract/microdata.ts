import { allIn, attrOf, isElement, lookUp, tagOf } from '../dom.ts';
import { lastPart, type GraphNode, type GraphValue } from './graph.ts';
import type { Paths } from './paths.ts';
import type { Root, View } from './view.ts';

const URL_ATTRIBUTES: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  link: 'href',
  img: 'src',
  audio: 'src',
  video: 'src',
  source: 'src',
  embed: 'src',
  iframe: 'src',
  track: 'src',
  object: 'data',
};
const MAX_DEPTH = 24;

/**
 * The value of a property as HTML's microdata defines it, and RDFa Lite but for its own attributes:
 * `content`, an address, a machine's date or number, else the text.
 */
export function propertyValue(el: Element, view: View): string {
  const content = attrOf(el, 'content');
  if (content !== null) return content.trim();
  const attribute = lookUp(URL_ATTRIBUTES, tagOf(el));
  const address = attribute === undefined ? null : attrOf(el, attribute);
  if (address !== null) return view.absolute(address) ?? address;
  if (tagOf(el) === 'time') return attrOf(el, 'datetime')?.trim() ?? view.text(el);
  if (tagOf(el) === 'data' || tagOf(el) === 'meter') return attrOf(el, 'value')?.trim() ?? view.text(el);
  return view.text(el);
}

/** Items of a document that are not a property of another (those within come with them). */
export function readMicrodata(root: Root | Element, view: View, paths: Paths): GraphNode[] {
  const tops = allIn(root, '[itemscope]:not([itemprop])');
  const visited = new Set<Element>();
  return tops.map((el) => readItem(el, { view, paths, visited, depth: 0 }));
}

interface Reader {
  readonly view: View;
  readonly paths: Paths;
  /** Items being read: an `itemref` may lead back into one. */
  readonly visited: Set<Element>;
  readonly depth: number;
}

function readItem(el: Element, reader: Reader): GraphNode {
  const types = (attrOf(el, 'itemtype') ?? '')
    .split(/\s+/)
    .filter((type) => type !== '')
    .map(lastPart);
  const node: GraphNode = {
    types,
    id: attrOf(el, 'itemid'),
    props: new Map(),
    where: reader.paths.of(el),
  };
  if (reader.visited.has(el) || reader.depth > MAX_DEPTH) return node;
  reader.visited.add(el);
  for (const property of propertiesOf(el, reader.view.document)) {
    const value: GraphValue = property.hasAttribute('itemscope')
      ? readItem(property, { ...reader, depth: reader.depth + 1 })
      : propertyValue(property, reader.view);
    if (value === '') continue;
    for (const name of (attrOf(property, 'itemprop') ?? '').split(/\s+/)) {
      if (name === '') continue;
      const key = lastPart(name);
      const values = node.props.get(key);
      if (values === undefined) node.props.set(key, [value]);
      else values.push(value);
    }
  }
  reader.visited.delete(el);
  return node;
}

/** Properties of one item: below it and below what `itemref` names, not below items within. */
function* propertiesOf(item: Element, document: Document): Generator<Element> {
  yield* propertiesBelow(item);
  for (const id of (attrOf(item, 'itemref') ?? '').split(/\s+/)) {
    const other = id === '' ? null : document.getElementById(id);
    if (other === null || other.contains(item)) continue;
    if (other.hasAttribute('itemprop')) yield other;
    if (!other.hasAttribute('itemscope')) yield* propertiesBelow(other);
  }
}

function* propertiesBelow(el: Element): Generator<Element> {
  for (let node = el.firstChild; node !== null; node = node.nextSibling) {
    if (!isElement(node)) continue;
    if (node.hasAttribute('itemprop')) yield node;
    if (!node.hasAttribute('itemscope')) yield* propertiesBelow(node);
  }
}
