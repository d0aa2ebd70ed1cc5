import type { Coverage } from '../../../shared/bridge/page.ts';
import { PageError } from '../doorway.ts';
import type { FieldPlan, ExtractRequest } from '../../../shared/extract/plan.ts';
import type { FoundRecord, Strategy, TriedStrategy } from '../../../shared/extract/request.ts';
import { isElement, allIn, attrOf, firstIn, addTo, lookUp, squash } from '../dom.ts';
import { chooseSet, mergeRecord, type Candidates } from './choose.ts';
import { findContexts, type Context, type View } from './view.ts';
import { readDefinitionLists, readDetail } from './detail.ts';
import { setsOfNodes, type GraphNode, type GraphValue } from './graph.ts';
import { readJsonLd, readMarkup } from './structured-data.ts';
import type { RecordSet, SearchTools } from './records.ts';
import { readRepeated, setOfCards } from './repeated.ts';
import { checkSelector, checkSelectors, readSelectors, select } from './selectors.ts';
import { readTables } from './tables.ts';
import type { ExtractSummary } from './protocol.ts';

/** Prefixes of `<meta>` names, the most reliable first. */
const PREFIXES = [
  ...'og product article book profile video music twitter dc dcterms citation'.split(' '),
  '',
];
const SKIPPED = /^(?:viewport|charset|referrer|theme color|robots|googlebot|generator|csrf|msapplication)/;

/**
 * The document head as one record: Open Graph, Twitter, article and citation names, plain `<meta name>`, title,
 * canonical address and language.
 */
function readMeta(view: View, fields: readonly FieldPlan[]): RecordSet[] {
  const { document } = view;
  const found = new Map<string, Map<string, GraphValue[]>>(PREFIXES.map((prefix) => [prefix, new Map()]));
  const add = (prefix: string, key: string, value: string): void => {
    const group = found.get(prefix) ?? found.get('');
    if (group === undefined || value === '' || SKIPPED.test(key)) return;
    addTo(group, key, value);
  };
  for (const el of allIn(document, 'meta[content]')) {
    const name = attrOf(el, 'property') ?? attrOf(el, 'name') ?? attrOf(el, 'itemprop') ?? '';
    if (el.closest('[itemscope],[typeof]') !== null) continue;
    const { prefix, key } = splitName(name);
    add(prefix, key, attrOf(el, 'content')?.trim() ?? '');
  }
  const canonical = firstIn(document, 'link[rel~="canonical" i]')?.getAttribute('href') ?? '';
  add('', 'url', view.absolute(canonical) ?? canonical);
  add('', 'language', view.lang ?? '');
  const node: GraphNode = { types: ['meta'], id: null, props: mergeGroups(found), where: 'head' };
  return setsOfNodes('meta', [node, ...titleNodes(view)], fields, view);
}

/** A document title often includes the site's name: a heading names the subject more reliably. */
function titleNodes({ document }: View): GraphNode[] {
  const title = squash(document.title);
  if (title === '') return [];
  return [{ types: ['title'], id: null, props: new Map([['title', [title]]]), where: 'head', sure: 0.55 }];
}

/** `og:image:width` → og, `image width`; `citation_author` → citation, `author`. */
function splitName(name: string): { prefix: string; key: string } {
  const [, prefix = '', rest = ''] = /^([a-z]+)[:._](.+)$/i.exec(name.trim()) ?? [];
  if (rest !== '' && PREFIXES.includes(prefix.toLowerCase()))
    return { prefix: prefix.toLowerCase(), key: rest.replaceAll(/[:._-]/g, ' ') };
  return { prefix: '', key: name.trim().replaceAll(/[:._-]/g, ' ') };
}

/** The first prefix with a value wins; `product:price:amount` is also a price. */
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

export interface Extraction {
  /** Created lazily: a table of any length needs the memory of one row. */
  readonly records: Iterable<FoundRecord>;
  /** Call after the last record. */
  readonly summary: () => ExtractSummary;
}

/**
 * Finds records in a live page or a document that was only parsed, without layout and scripts. Read-only; no page
 * content makes it throw.
 * @param url the document's address, the base of its relative addresses
 * @throws PageError `selector_invalid` naming the field, `selector_not_found` for a scope without a match
 */
export function extract(document: Document, request: ExtractRequest, url: string): Extraction {
  const { selectors, scope } = request;
  if (scope !== null) checkSelector(document, scope, 'scope');
  if (selectors !== null) checkSelectors(document, selectors);
  const { all, frames, coverage } = findContexts(document, url, request.explain === true);
  const places = placesOf(all, request);
  if (scope !== null && places.length === 0)
    throw new PageError('selector_not_found', `scope: no element of ${url} matches ${scope}.`);
  const search = new Search(places, request);
  return {
    records: search.run(),
    summary: () => ({
      coverage: [...coverage, ...search.coverage()],
      tried: search.tried,
      hiddenRecords: search.hiddenRecords,
      frames,
    }),
  };
}

/** A part of the page to search; `cards` are the records named by the caller's scope. */
interface Place extends Context {
  readonly part: Context['root'] | Element;
  readonly cards: readonly Element[] | null;
}

function placesOf(contexts: readonly Context[], { scope, multiple }: ExtractRequest): Place[] {
  if (scope === null) return contexts.map((context) => ({ ...context, part: context.root, cards: null }));
  return contexts.flatMap((context): Place[] => {
    const found = select(context.root, scope, context.view.document).filter(
      (match) => typeof match === 'object' && isElement(match),
    );
    const [first] = found;
    if (first === undefined) return [];
    return [{ ...context, part: first, cards: multiple && found.length > 1 ? found : null }];
  });
}

class Search {
  readonly tried: TriedStrategy[] = [];
  readonly #places: readonly Place[];
  readonly #request: ExtractRequest;
  #broken = 0;
  #isTaking = false;
  hiddenRecords = 0;

  constructor(places: readonly Place[], request: ExtractRequest) {
    this.#places = places;
    this.#request = request;
  }

  run(): Iterable<FoundRecord> {
    const { fields, multiple } = this.#request;
    if (!multiple) {
      const record = mergeRecord(fields, this.#candidates());
      return record === null ? [] : [record];
    }
    const set = chooseSet(fields, this.#candidates());
    return set === null ? [] : this.#take(set);
  }

  coverage(): Coverage[] {
    if (this.#broken === 0) return [];
    const scripts = this.#broken === 1 ? '1 JSON-LD script' : `${this.#broken} JSON-LD scripts`;
    return [{ kind: 'broken_json_ld', detail: `Skipped ${scripts} with invalid JSON.` }];
  }

  /** Hidden records count only when the chosen set skips them, not while sets are compared. */
  *#take(set: RecordSet): Generator<FoundRecord> {
    this.#isTaking = true;
    yield* set.records();
  }

  readonly #onHidden = (): void => {
    if (this.#isTaking) this.hiddenRecords += 1;
  };

  /** Tries one strategy after another until enough records are found. */
  *#candidates(): Generator<Candidates> {
    const { strategies, selectors } = this.#request;
    for (const strategy of strategies) {
      if (strategy === 'selectors' && selectors === null) continue;
      const fields = this.#fieldsFor(strategy);
      if (fields.length === 0) continue;
      const sets = this.#places.flatMap((place) => this.#read(strategy, place, fields));
      const entry = { strategy, records: sets.reduce((sum, { size }) => sum + size, 0), coverage: 0 };
      const at = this.tried.push(entry) - 1;
      yield {
        sets,
        fields,
        onScore: (coverage) => (this.tried[at] = { ...entry, coverage: Math.round(coverage * 100) / 100 }),
      };
    }
  }

  #fieldsFor(strategy: Strategy): readonly FieldPlan[] {
    const { fields, selectors, strategies } = this.#request;
    if (strategy === 'selectors' || selectors === null || !strategies.includes('selectors')) return fields;
    return fields.filter(({ name }) => lookUp(selectors, name) === undefined);
  }

  #read(strategy: Strategy, place: Place, fields: readonly FieldPlan[]): RecordSet[] {
    const { part, view, paths, cards } = place;
    const tools = { view, paths, fields, onHidden: this.#onHidden };
    switch (strategy) {
      case 'selectors':
        return readSelectors(part, cards, {
          ...tools,
          plans: this.#request.selectors ?? {},
          multiple: this.#request.multiple,
        });
      case 'json_ld':
      case 'microdata':
      case 'rdfa':
        return setsOfNodes(strategy, this.#nodesOf(strategy, place), fields, view);
      case 'meta':
        return part === view.document ? readMeta(view, fields) : [];
      case 'tables':
        return readTables(part, tools, cards);
      case 'definition_lists':
        return cards === null ? readDefinitionLists(part, tools) : [];
      case 'detail':
        return this.#request.multiple ? [] : readDetail(part, tools);
      case 'repeated':
        return cards === null ? readScope(part, tools) : setOfCards(cards, tools);
    }
  }

  #nodesOf(
    strategy: 'json_ld' | 'microdata' | 'rdfa',
    { part, view, paths, cards }: Place,
  ): readonly GraphNode[] {
    if (strategy !== 'json_ld') return cards === null ? readMarkup(strategy, part, view, paths) : [];
    const { nodes, broken } = readJsonLd(part, paths);
    // Broken scripts are reported even if their data would not be used.
    this.#broken += broken;
    return cards === null ? nodes : [];
  }
}

/** A scope may contain a list, or be the only card. */
const readScope = (part: Place['part'], tools: SearchTools): RecordSet[] => [
  ...readRepeated(part, tools),
  ...(isElement(part) ? setOfCards([part], tools) : []),
];
