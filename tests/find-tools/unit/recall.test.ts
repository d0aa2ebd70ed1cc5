import { expect, test } from 'vitest';
import { createKeywordSelector, createToolSelector } from '../../../server/find-tools/index.ts';
import {
  readMore,
  readQueries,
  readTools,
  recallAt,
  recordedModel,
} from '../../support/selection/labelled.ts';

const tools = readTools();
const queries = readQueries();

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
