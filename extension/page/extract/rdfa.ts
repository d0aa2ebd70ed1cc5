import { allIn, attrOf, isElement, parentOf } from '../dom.ts';
import { lastPart, type GraphNode, type GraphValue } from './graph.ts';
import { propertyValue } from './microdata.ts';
import type { Paths } from './paths.ts';
import type { Root, View } from './view.ts';

const MAX_DEPTH = 24;

/** Things that RDFa Lite (`vocab`, `typeof`, `property`, `resource`, `prefix`) describes in a document. */
export function readRdfa(root: Root | Element, view: View, paths: Paths): GraphNode[] {
  const tops = allIn(root, '[typeof]').filter(
    (el) => el.closest('[typeof]') === el && (!el.hasAttribute('property') || !hasThingAbove(el)),
  );
  return tops.map((el) => readThing(el, view, paths, 0));
}

const hasThingAbove = (el: Element): boolean => parentOf(el)?.closest('[typeof]') != null;

const wordsOf = (el: Element, attribute: string): string[] =>
  (attrOf(el, attribute) ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map(lastPart);

function readThing(el: Element, view: View, paths: Paths, depth: number): GraphNode {
  const id = attrOf(el, 'resource') ?? attrOf(el, 'about');
  const node: GraphNode = { types: wordsOf(el, 'typeof'), id, props: new Map(), where: paths.of(el) };
  if (depth > MAX_DEPTH) return node;
  for (const property of propertiesBelow(el)) {
    const value: GraphValue = property.hasAttribute('typeof')
      ? readThing(property, view, paths, depth + 1)
      : valueOf(property, view);
    if (value === '') continue;
    for (const key of wordsOf(property, 'property')) {
      const values = node.props.get(key);
      if (values === undefined) node.props.set(key, [value]);
      else values.push(value);
    }
  }
  return node;
}

function valueOf(el: Element, view: View): string {
  const resource = attrOf(el, 'content') === null ? attrOf(el, 'resource') : null;
  if (resource !== null) return view.absolute(resource) ?? resource;
  if (el.hasAttribute('datetime') && attrOf(el, 'content') === null)
    return attrOf(el, 'datetime')?.trim() ?? '';
  return propertyValue(el, view);
}

function* propertiesBelow(el: Element): Generator<Element> {
  for (let node = el.firstChild; node !== null; node = node.nextSibling) {
    if (!isElement(node)) continue;
    if (node.hasAttribute('property')) yield node;
    if (!node.hasAttribute('typeof')) yield* propertiesBelow(node);
  }
}
