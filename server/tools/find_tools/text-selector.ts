import MiniSearch from 'minisearch';
import { isObject, type JsonValue } from '../../../shared/json.ts';
import type { ToolDefinition } from '../../core/registry/definition.ts';
import type { ToolSelector } from '../../core/registry/selector.ts';
import { toTerm } from '../../toolkit/stop-words.ts';

/** What one tool is found by. */
interface Entry {
  readonly id: number;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly keywords: string;
  readonly parameters: string;
  readonly category: string;
}

/** Other servers' tools may say anything, at any length. */
const TEXT_LENGTH = 1_000;
const PARAMETERS_MAX = 64;
const PARAMETER_LENGTH = 300;

/** A selector over the text of tools: BM25+ with prefixes and slips of the pen, names first (MiniSearch). */
export function createTextSelector(): ToolSelector {
  let indexed: readonly ToolDefinition[] = [];
  let index = buildIndex(indexed);
  return {
    select({ query, tools, limit, signal }) {
      signal.throwIfAborted();
      if (!isSame(indexed, tools)) {
        index = buildIndex(tools);
        indexed = tools;
      }
      const matches = index.search(query).flatMap(({ id, score }) => {
        const definition = tools[Number(id)];
        return definition === undefined ? [] : [{ definition, score }];
      });
      return Promise.resolve(matches.slice(0, limit));
    },
  };
}

const isSame = (some: readonly ToolDefinition[], others: readonly ToolDefinition[]): boolean =>
  some.length === others.length && some.every((definition, index) => definition === others[index]);

function buildIndex(tools: readonly ToolDefinition[]): MiniSearch<Entry> {
  const index = new MiniSearch<Entry>({
    fields: ['name', 'title', 'description', 'keywords', 'parameters', 'category'],
    processTerm: toTerm,
    searchOptions: {
      boost: { name: 4, title: 3, keywords: 3, category: 2, parameters: 0.5 },
      // Requests begin with their verb, which says more than its object: "stop the crawl".
      boostTerm: (_term, at) => (at === 0 ? 3 : 1),
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      // An exact match ranks above a similar word.
      weights: { fuzzy: 0.2, prefix: 0.5 },
    },
  });
  index.addAll(tools.map(toEntry));
  return index;
}

function toEntry({ manifest, presentation }: ToolDefinition, id: number): Entry {
  const { properties } = presentation.inputSchema;
  return {
    id,
    name: manifest.name,
    title: presentation.title,
    // What it is not for would find it for just that.
    description: presentation.description.replace(manifest.description.avoid, '').slice(0, TEXT_LENGTH),
    keywords: manifest.keywords,
    parameters: parametersOf(properties),
    category: manifest.category,
  };
}

function parametersOf(properties: unknown): string {
  if (!isObject(properties)) return '';
  return Object.entries(properties).slice(0, PARAMETERS_MAX).map(wordsOf).join(' ');
}

function wordsOf([name, schema]: [string, JsonValue | undefined]): string {
  const description = isObject(schema) ? schema['description'] : undefined;
  return (typeof description === 'string' ? `${name} ${description}` : name).slice(0, PARAMETER_LENGTH);
}

/** Schemas of other servers may hold anything. */
