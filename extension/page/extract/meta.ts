import type { FieldPlan } from '../../../shared/extract/plan.ts';
import { allIn, attrOf, firstIn } from '../dom.ts';
import type { GraphNode, GraphValue } from './graph.ts';
import { setsOfNodes } from './graph.ts';
import type { RecordSet } from './records.ts';
import type { View } from './view.ts';

/** Prefixes of names in `<meta>`, the most careful authors first. */
const PREFIXES = [
  'og',
  'product',
  'article',
  'book',
  'profile',
  'video',
  'music',
  'twitter',
  'dc',
  'dcterms',
  'citation',
  '',
];
const SKIPPED = /^(?:viewport|charset|referrer|theme color|robots|googlebot|generator|csrf|msapplication)/;

/**
 * What the head of a document says of it: Open Graph, Twitter, article and citation names, plain
 * `<meta name>`, the title, the canonical address and the language. One record.
 */
export function readMeta(view: View, fields: readonly FieldPlan[]): RecordSet[] {
  const { document } = view;
  const found = new Map<string, Map<string, GraphValue[]>>(PREFIXES.map((prefix) => [prefix, new Map()]));
  const add = (prefix: string, key: string, value: string): void => {
    const group = found.get(prefix) ?? found.get('');
    if (group === undefined || value === '' || SKIPPED.test(key)) return;
    const values = group.get(key);
    if (values === undefined) group.set(key, [value]);
    else values.push(value);
  };
  for (const el of allIn(document, 'meta[content]')) {
    const name = attrOf(el, 'property') ?? attrOf(el, 'name') ?? attrOf(el, 'itemprop') ?? '';
    if (el.closest('[itemscope],[typeof]') !== null) continue;
    const { prefix, key } = splitName(name);
    add(prefix, key, attrOf(el, 'content')?.trim() ?? '');
  }
  addDocument(view, add);
  const node: GraphNode = { types: ['meta'], id: null, props: mergeGroups(found), where: 'head' };
  const title = titleNode(view);
  return setsOfNodes('meta', [node, ...(title === null ? [] : [title])], fields, view);
}

/** The title of a document often names its site as well: a heading says more surely what it is about. */
function titleNode({ document }: View): GraphNode | null {
  const title = document.title.replace(/\s+/g, ' ').trim();
  return title === ''
    ? null
    : { types: ['title'], id: null, props: new Map([['title', [title]]]), where: 'head', sure: 0.55 };
}

function addDocument(view: View, add: (prefix: string, key: string, value: string) => void): void {
  const { document, lang } = view;
  const canonical = firstIn(document, 'link[rel~="canonical" i]')?.getAttribute('href') ?? '';
  if (canonical !== '') add('', 'url', view.absolute(canonical) ?? canonical);
  if (lang !== null) add('', 'language', lang);
}

/** `og:image:width` → og, `image width`; `citation_author` → citation, `author`. */
function splitName(name: string): { prefix: string; key: string } {
  const [, prefix = '', rest = ''] = /^([a-z]+)[:._](.+)$/i.exec(name.trim()) ?? [];
  if (rest !== '' && PREFIXES.includes(prefix.toLowerCase()))
    return { prefix: prefix.toLowerCase(), key: rest.replaceAll(/[:._-]/g, ' ') };
  return { prefix: '', key: name.trim().replaceAll(/[:._-]/g, ' ') };
}

/** The first prefix that says something wins; `product:price:amount` is also a price. */
function mergeGroups(
  found: ReadonlyMap<string, ReadonlyMap<string, GraphValue[]>>,
): Map<string, GraphValue[]> {
  const props = new Map<string, GraphValue[]>();
  for (const group of found.values())
    for (const [key, values] of group) {
      const plain = key.replace(/ (?:amount|url|secure url)$/, '');
      if (!props.has(key)) props.set(key, values);
      if (plain !== key && !props.has(plain)) props.set(plain, values);
    }
  return props;
}
