import MiniSearch from 'minisearch';
import { createKeywordSelector } from '../../../server/toolkit/selection/keyword.ts';
import { type Find, readQueries, readTools, recallAt } from './labelled.ts';

const tools = readTools();
const queries = readQueries();
const { signal } = new AbortController();

/** BM25 as MiniSearch has it: names, titles and descriptions, words as they are. */
function plain(): Find {
  const index = new MiniSearch({
    idField: 'label',
    fields: ['name', 'title', 'description'],
    tokenize: (text) => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''),
  });
  index.addAll(tools);
  return async (query) => index.search(query).map(({ id }) => String(id));
}

function keyword(): Find {
  const selector = createKeywordSelector();
  return async (query) => (await selector.select({ query, tools, signal })).tools.map(({ label }) => label);
}

const inSet = (set: string): typeof queries => queries.filter((query) => query.set === set);

async function recallsOf(find: Find): Promise<readonly number[]> {
  const recalls: number[] = [];
  for (const set of ['dev', 'held'])
    for (const count of [5, 10]) recalls.push(await recallAt(count, inSet(set), find));
  return recalls;
}

const rows = [
  { name: 'plain BM25', recalls: await recallsOf(plain()) },
  { name: 'Spillway, `keyword`', recalls: await recallsOf(keyword()) },
];
const counts = { dev: inSet('dev').length, held: inSet('held').length };
process.stdout.write(`${JSON.stringify({ tools: tools.length, queries: counts, rows })}\n`);
