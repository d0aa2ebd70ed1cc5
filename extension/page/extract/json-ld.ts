import { lastPart, type GraphNode, type GraphValue } from './graph.ts';
import type { Paths } from './paths.ts';
import type { Root } from './view.ts';
import { isObject } from '../../../shared/json.ts';
import { allIn, attrOf } from '../dom.ts';

/** Deeper structures are cut off: real descriptions are not that deep. */
const MAX_DEPTH = 24;
const MAX_NODES = 200_000;

export interface JsonLd {
  readonly nodes: readonly GraphNode[];
  /** Scripts that are not JSON, even after what is commonly wrong was mended. */
  readonly broken: number;
}

type Raw = Readonly<Record<string, unknown>>;
/** Every thing that the JSON-LD scripts of a document describe; references to ids are followed. */
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

/** JSON, or JSON as templates and editors break it: comments around it, commas at the end, raw line breaks. */
export function parseLeniently(text: string): unknown {
  const bare = text
    .trim()
    .replace(/^(?:<!--|\/\/\s*<!\[CDATA\[|<!\[CDATA\[|\/\*\s*<!\[CDATA\[\s*\*\/)/, '')
    .replace(/(?:\/\/\s*)?(?:-->|\]\]>)\s*(?:\*\/)?\s*$/, '')
    .replace(/;\s*$/, '')
    .trim();
  for (const mend of [(said: string) => said, mendJson]) {
    try {
      return JSON.parse(mend(bare));
    } catch {
      // The next way of reading it.
    }
  }
  return undefined;
}

/** Works on the text outside and inside of strings apart, so that no value is changed. */
function mendJson(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[^])*"|,(?=\s*[}\]])|\/\*[^]*?\*\/|(?<![:"])\/\/[^\n]*/g, (part) => {
    if (!part.startsWith('"')) return '';
    return part.replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\t/g, '\\t').replace(/\\'/g, "'");
  });
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

  /** Puts the things in place of what only names their ids. */
  finish(): readonly GraphNode[] {
    for (const { values, at, id } of this.#references) {
      const node = this.#byId.get(id);
      if (node !== undefined) values[at] = node;
    }
    return this.#tops;
  }

  #node(raw: Raw, where: string, depth: number): GraphNode | null {
    this.#count += 1;
    if (depth > MAX_DEPTH || this.#count > MAX_NODES) return null;
    const { '@type': type, '@id': id } = raw;
    const types = (Array.isArray(type) ? type : [type])
      .filter((name) => typeof name === 'string')
      .map(lastPart);
    const node: GraphNode = { types, id: typeof id === 'string' ? id : null, props: new Map(), where };
    for (const [key, value] of Object.entries(raw)) {
      if (key.startsWith('@')) continue;
      const values = this.#values(value, where, depth + 1);
      if (values.length > 0) node.props.set(lastPart(key), values);
    }
    // The fullest description of an id is the one that references mean.
    if (node.id !== null && (this.#byId.get(node.id)?.props.size ?? 0) < node.props.size)
      this.#byId.set(node.id, node);
    return node;
  }

  #values(value: unknown, where: string, depth: number): GraphValue[] {
    const values: GraphValue[] = [];
    const list: unknown = isObject(value) && Array.isArray(value['@list']) ? value['@list'] : value;
    for (const item of Array.isArray(list) ? list : [list]) this.#push(values, item, where, depth);
    return values;
  }

  #push(values: GraphValue[], item: unknown, where: string, depth: number): void {
    if (typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean') {
      values.push(item);
      return;
    }
    if (Array.isArray(item)) {
      if (depth < MAX_DEPTH) for (const inner of item) this.#push(values, inner, where, depth + 1);
      return;
    }
    if (!isObject(item)) return;
    const literal = item['@value'];
    if (typeof literal === 'string' || typeof literal === 'number' || typeof literal === 'boolean') {
      values.push(literal);
      return;
    }
    const node = this.#node(item, where, depth);
    if (node === null) return;
    if (node.id !== null && node.props.size === 0)
      this.#references.push({ values, at: values.length, id: node.id });
    values.push(node);
  }
}
