import MiniSearch from 'minisearch';
import { createToolSelector, createKeywordSelector } from '../../server/find-tools/index.ts';
import { isStopWord, splitWords, stemOf } from '../../server/find-tools/tool-index.ts';
import {
  type Find,
  type LabelledTool,
  readMore,
  readQueries,
  readTools,
  recallAt,
  recordedModel,
} from '../../tests/support/selection/labelled.ts';

const tools = readTools();
const queries = readQueries();
const { signal } = new AbortController();

/** BM25 as MiniSearch has it: names, titles and descriptions, words as they are. */
function plain(all: readonly LabelledTool[]): Find {
  const index = new MiniSearch({
    idField: 'label',
    fields: ['name', 'title', 'description'],
    tokenize: (text) => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''),
  });
  index.addAll(all);
  return async (query) => index.search(query).map(({ id }) => String(id));
}

/** The same with its options: stems, prefixes, typos, and field weights. */
function tuned(all: readonly LabelledTool[]): Find {
  const index = new MiniSearch({
    idField: 'label',
    fields: ['name', 'title', 'description'],
    tokenize: (text) => [...splitWords(text)],
    processTerm: (word) => (isStopWord(word) ? null : stemOf(word)),
    searchOptions: { boost: { name: 4, title: 2 }, prefix: true, fuzzy: 0.2 },
  });
  index.addAll(all);
  return async (query) => index.search(query).map(({ id }) => String(id));
}

function keyword(all: readonly LabelledTool[]): Find {
  const selector = createKeywordSelector();
  return async (query) =>
    (await selector.select({ query, tools: all, signal })).tools.map(({ label }) => label);
}

const inSet = (set: string): typeof queries => queries.filter((query) => query.set === set);
const sets = [
  { name: 'others', ...readMore('dev') },
  { name: 'dev', queries: inSet('dev'), tools },
  { name: 'more', queries: readQueries('more-queries.json'), tools },
  { name: 'held', queries: inSet('held'), tools },
  { name: 'fresh', ...readMore('fresh') },
  { name: 'unseen', ...readMore('unseen') },
];

/** By words and by the model whose answers were recorded, for these two sets only. */
function hybrid(all: readonly LabelledTool[], set: string): Find | null {
  if (set !== 'held' && set !== 'fresh') return null;
  const selector = createToolSelector({ strategy: 'hybrid', rank: recordedModel(set) });
  return async (query) =>
    (await selector.select({ query, tools: all, signal })).tools.map(({ label }) => label);
}

/** Recall at 5 and at 10 of each set; null for a set that a selector cannot be measured with. */
async function recallsOf(
  make: (all: readonly LabelledTool[], set: string) => Find | null,
): Promise<readonly (number | null)[]> {
  const recalls: (number | null)[] = [];
  for (const set of sets) {
    const find = make(set.tools, set.name);
    for (const count of [5, 10])
      recalls.push(find === null ? null : await recallAt(count, set.queries, find));
  }
  return recalls;
}

/** Milliseconds of CPU for the first choice, which makes the index, and of time for the others, by their median. */
async function speedOf(find: Find): Promise<{ readonly firstCpuMs: number; readonly medianMs: number }> {
  const before = process.cpuUsage();
  await find('the first query');
  const { user, system } = process.cpuUsage(before);
  const times: number[] = [];
  for (const { query } of queries) {
    const start = performance.now();
    await find(query);
    times.push(performance.now() - start);
  }
  const medianMs = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  return { firstCpuMs: (user + system) / 1_000, medianMs };
}

const speed = await speedOf(keyword(tools));
const rows = [
  { name: 'MiniSearch (BM25)', recalls: await recallsOf(plain) },
  { name: 'MiniSearch, with stems, prefixes, slips and weights', recalls: await recallsOf(tuned) },
  { name: 'Spillway, `keyword`', recalls: await recallsOf(keyword) },
  { name: 'Spillway, `hybrid`, with a large model', recalls: await recallsOf(hybrid) },
];
const counts = sets.map((set) => set.queries.length);
process.stdout.write(
  `${JSON.stringify({ tools: tools.length, sets: sets.map(({ name }) => name), counts, rows, speed })}\n`,
);
