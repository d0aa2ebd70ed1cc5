import type { Coverage } from '../../../shared/core/bridge/page.ts';
import { count } from '../../core/page/coverage.ts';
import { PageError } from '../../dom/doorway.ts';
import type { FieldPlan, ExtractRequest } from '../../../shared/libraries/values/plan.ts';
import type { FoundRecord, Strategy, TriedStrategy } from '../../../shared/libraries/values/request.ts';
import { isElement, allIn, attrOf, firstIn, addTo, lookUp, squash } from '../../dom/elements.ts';
import { chooseSet, mergeRecord, type Candidates } from './choose.ts';
import { findContexts, type Context, type View } from './view.ts';
import { readDefinitionLists, readDetail } from './detail.ts';
import { setsOfNodes, type GraphNode, type GraphValue } from './graph.ts';
import { readJsonLd, readMarkup } from './structured-data.ts';
import type { RecordSet } from './records.ts';
import { readRepeated, setOfCards } from './repeated.ts';
import { checkSelector, checkSelectors, readSelectors, select, type SelectorTools } from './selectors.ts';
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
  const canonical = attrOf(firstIn(document, 'link[rel~="canonical" i]'), 'href') ?? '';
  add('', 'url', view.absolute(canonical) ?? canonical);
  add('', 'language', view.lang ?? '');
  const title = squash(document.title);
  const titles = new Map<string, GraphValue[]>(title === '' ? [] : [['title', [title]]]);
  const nodes: GraphNode[] = [
    { types: ['meta'], id: null, props: mergeGroups(found), where: 'head' },
    // A document title often includes the site's name: a heading names the subject more reliably.
    { types: ['title'], id: null, props: titles, where: 'head', sure: 0.55 },
  ];
  return setsOfNodes('meta', nodes, fields, view);
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
  const { selectors, scope, fields, multiple } = request;
  if (scope !== null) checkSelector(document, scope, 'scope');
  if (selectors !== null) checkSelectors(document, selectors);
  const { all, frames, coverage } = findContexts(document, url, request.explain === true);
  const places = placesOf(all, request);
  if (scope !== null && places.length === 0)
    throw new PageError('selector_not_found', `scope: no element of ${url} matches ${scope}.`);
  const met: Met = { tried: [], broken: 0, hiddenRecords: 0, isTaking: false };
  const candidates = candidatesIn(places, request, met);
  const record = multiple ? null : mergeRecord(fields, candidates);
  const set = multiple ? chooseSet(fields, candidates) : null;
  return {
    records: set === null ? [record].filter((one) => one !== null) : taken(set, met),
    summary: () => ({
      coverage: [...coverage, ...brokenNote(met.broken)],
      tried: met.tried,
      hiddenRecords: met.hiddenRecords,
      frames,
    }),
  };
}

/** A part of the page to search; `cards` are the records named by the caller's scope. */
interface SearchArea extends Context {
  readonly part: Context['root'] | Element;
  readonly cards: readonly Element[] | null;
}

function placesOf(contexts: readonly Context[], { scope, multiple }: ExtractRequest): SearchArea[] {
  if (scope === null) return contexts.map((context) => ({ ...context, part: context.root, cards: null }));
  return contexts.flatMap((context): SearchArea[] => {
    const found = select(context.root, scope, context.view.document).filter(
      (match) => typeof match === 'object' && isElement(match),
    );
    const [first] = found;
    if (first === undefined) return [];
    return [{ ...context, part: first, cards: multiple && found.length > 1 ? found : null }];
  });
}

/** The progress of a search. */
interface Met {
  readonly tried: TriedStrategy[];
  broken: number;
  hiddenRecords: number;
  /** Hidden records count only when the chosen set skips them, not while sets are compared. */
  isTaking: boolean;
}

function* taken(set: RecordSet, met: Met): Generator<FoundRecord> {
  met.isTaking = true;
  yield* set.records();
}

function brokenNote(broken: number): Coverage[] {
  if (broken === 0) return [];
  const scripts = count(broken, 'JSON-LD script', 'JSON-LD scripts');
  return [{ kind: 'broken_json_ld', detail: `Skipped ${scripts} with invalid JSON.` }];
}

/** Tries one strategy after another until enough records are found. */
function* candidatesIn(
  places: readonly SearchArea[],
  request: ExtractRequest,
  met: Met,
): Generator<Candidates> {
  const { strategies, selectors, multiple } = request;
  const onHidden = (): void => void (met.hiddenRecords += Number(met.isTaking));
  const onBroken = (more: number): void => void (met.broken += more);
  for (const strategy of strategies) {
    if (strategy === 'selectors' && selectors === null) continue;
    const fields = fieldsFor(strategy, request);
    if (fields.length === 0) continue;
    const tools = { plans: selectors ?? {}, multiple, fields, onHidden, onBroken };
    const sets = places.flatMap((place) => READERS[strategy]({ ...place, ...tools }));
    const entry = { strategy, records: sets.reduce((sum, { size }) => sum + size, 0), coverage: 0 };
    const at = met.tried.push(entry) - 1;
    yield {
      sets,
      fields,
      onScore: (coverage) => (met.tried[at] = { ...entry, coverage: Math.round(coverage * 100) / 100 }),
    };
  }
}

function fieldsFor(strategy: Strategy, { fields, selectors, strategies }: ExtractRequest): FieldPlan[] {
  if (strategy === 'selectors' || selectors === null || !strategies.includes('selectors')) return fields;
  return fields.filter(({ name }) => lookUp(selectors, name) === undefined);
}

interface Search extends SearchArea, SelectorTools {
  /** Called with the number of broken scripts. */
  readonly onBroken: (count: number) => void;
}

type Reader = (search: Search) => RecordSet[];

const marked =
  (strategy: 'microdata' | 'rdfa'): Reader =>
  ({ part, view, paths, cards, fields }) =>
    cards === null ? setsOfNodes(strategy, readMarkup(strategy, part, view, paths), fields, view) : [];

/** The sets of records that each strategy finds in a place. */
const READERS: Readonly<Record<Strategy, Reader>> = {
  selectors: (search) => readSelectors(search.part, search.cards, search),
  json_ld: ({ part, view, paths, cards, fields, onBroken }) => {
    const { nodes, broken } = readJsonLd(part, paths);
    // Broken scripts are reported even if their data would not be used.
    onBroken(broken);
    return cards === null ? setsOfNodes('json_ld', nodes, fields, view) : [];
  },
  microdata: marked('microdata'),
  rdfa: marked('rdfa'),
  meta: ({ part, view, fields }) => (part === view.document ? readMeta(view, fields) : []),
  tables: (search) => readTables(search.part, search, search.cards),
  definition_lists: (search) => (search.cards === null ? readDefinitionLists(search.part, search) : []),
  detail: (search) => (search.multiple ? [] : readDetail(search.part, search)),
  repeated: (search) => {
    const { part, cards } = search;
    if (cards !== null) return setOfCards(cards, search);
    // A scope may contain a list, or be the only card.
    return [...readRepeated(part, search), ...(isElement(part) ? setOfCards([part], search) : [])];
  },
};
