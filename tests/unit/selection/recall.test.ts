import { expect, test } from 'vitest';
import { createKeywordSelector } from '../../../server/toolkit/selection/keyword.ts';
import { createToolSelector } from '../../../server/toolkit/selection/index.ts';
import {
  readMore,
  readQueries,
  readTools,
  recallAt,
  recordedModel,
} from '../../support/selection/labelled.ts';

const tools = readTools();
const queries = readQueries();

test('the labelled set has the size that its README says, and each label names a tool', () => {
  const labels = new Set(tools.map(({ label }) => label));
  expect(labels.size).toBe(448);
  expect(queries.flatMap(({ tools: wanted }) => wanted).filter((label) => !labels.has(label))).toEqual([]);
  expect(new Set(queries.map(({ query }) => query)).size).toBe(313);
  expect(queries.filter(({ set }) => set === 'dev')).toHaveLength(70);
});

test.each([
  { set: 'dev', count: 323, asked: 190 },
  { set: 'fresh', count: 163, asked: 85 },
  { set: 'unseen', count: 294, asked: 130 },
] as const)('so has the set $set, of other servers', ({ set, count, asked }) => {
  const more = readMore(set);
  const labels = new Set(more.tools.map(({ label }) => label));
  expect(labels.size).toBe(count);
  const wanted = more.queries.flatMap(({ tools: right }) => right);
  expect(wanted.filter((label) => !labels.has(label))).toEqual([]);
  expect(new Set(more.queries.map(({ query }) => query)).size).toBe(asked);
  expect(more.queries.every((query) => query.set === set)).toBe(true);
  const servers = new Set(tools.map(({ label }) => label.split('/')[0]));
  expect(more.tools.filter(({ label }) => servers.has(label.split('/')[0]))).toEqual([]);
});

test('the queries to tune with over the same tools name them, and repeat none', () => {
  const labels = new Set(tools.map(({ label }) => label));
  const more = readQueries('more-queries.json');
  expect(more).toHaveLength(94);
  expect(more.flatMap(({ tools: right }) => right).filter((label) => !labels.has(label))).toEqual([]);
  expect(more.every(({ set }) => set === 'dev')).toBe(true);
  const texts = [...queries, ...more].map(({ query }) => query);
  expect(new Set(texts).size).toBe(texts.length);
});

test('by words at least 87 of 100 held queries find their tools among the first ten', async () => {
  const selector = createKeywordSelector();
  const { signal } = new AbortController();
  const held = queries.filter(({ set }) => set === 'held');
  const recall = await recallAt(10, held, async (query) =>
    (await selector.select({ query, tools, signal })).tools.map(({ label }) => label),
  );
  expect(recall).toBeGreaterThanOrEqual(0.87);
});

test.each([
  { set: 'held', of: tools, asked: queries.filter(({ set }) => set === 'held'), least: 0.95 },
  { set: 'fresh', of: readMore('fresh').tools, asked: readMore('fresh').queries, least: 0.9 },
] as const)('with a model at least $least of the $set queries do', async ({ set, of, asked, least }) => {
  const selector = createToolSelector({ strategy: 'hybrid', rank: recordedModel(set) });
  const { signal } = new AbortController();
  const notes: string[] = [];
  const recall = await recallAt(10, asked, async (query) => {
    const found = await selector.select({ query, tools: of, signal });
    notes.push(...found.notes);
    return found.tools.map(({ label }) => label);
  });
  expect(recall).toBeGreaterThanOrEqual(least);
  // An answer was recorded for each query, and each name in it was shown.
  expect(notes.filter((note) => /failed|unknown|no list/.test(note))).toEqual([]);
});
