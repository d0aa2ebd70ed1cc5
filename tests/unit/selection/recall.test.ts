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

const servers = new Set(tools.map(({ label }) => label.split('/')[0]));

test.each([
  { set: 'held', of: tools, asked: queries, sizes: [448, 313] },
  { set: 'more', of: tools, asked: readQueries('more-queries.json'), sizes: [448, 94] },
  ...(['dev', 'fresh', 'unseen'] as const).map((set) => {
    const more = readMore(set);
    const sizes = { dev: [323, 190], fresh: [163, 85], unseen: [294, 130] }[set];
    return { set, of: more.tools, asked: more.queries, sizes };
  }),
])(
  'the set $set has its size, repeats no query, and each label names a tool',
  ({ set, of, asked, sizes }) => {
    const labels = new Set(of.map(({ label }) => label));
    expect([labels.size, new Set(asked.map(({ query }) => query)).size]).toEqual(sizes);
    expect(asked.flatMap((query) => query.tools).filter((label) => !labels.has(label))).toEqual([]);
    if (of === tools) return;
    // Of other servers.
    expect(asked.every((query) => query.set === set)).toBe(true);
    expect(of.filter(({ label }) => servers.has(label.split('/')[0]))).toEqual([]);
  },
);

test('the queries to tune with over the same tools are none of the others', () => {
  const more = readQueries('more-queries.json');
  expect(more.every(({ set }) => set === 'dev')).toBe(true);
  const texts = [...queries, ...more].map(({ query }) => query);
  expect(new Set(texts).size).toBe(texts.length);
  expect(queries.filter(({ set }) => set === 'dev')).toHaveLength(70);
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
