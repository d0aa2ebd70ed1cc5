import { expect, test } from 'vitest';
import type { Graph } from '../../../fixtures/crawl-graph.ts';
import { GraphSource, SITE } from './graph-source.ts';
import { MemoryDisk } from './memory-run.ts';
import { runCrawl } from './run-crawl.ts';

const TOKEN = 'ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8';
const graph: Graph = {
  nodes: {
    '/': { kind: 'page', links: ['/plain', `/secret?token=${TOKEN}`] },
    '/plain': { kind: 'page', links: [] },
    '/secret': { kind: 'page', links: [`/deeper?token=${TOKEN}`], text: 'Behind the token.' },
    '/deeper': { kind: 'page', links: [], text: 'Further behind it.' },
  },
  robots: null,
  sitemaps: {},
};

const onDisk = (disk: MemoryDisk): string => JSON.stringify([...disk.entries]);

test('an address with a secret is read, and is never in the frontier', async () => {
  const source = new GraphSource(graph);
  const { items, disk } = await runCrawl(source);
  expect(items).toHaveLength(4);
  expect(source.asked).toContain(`${SITE}/secret?token=${TOKEN}`);
  expect(onDisk(disk)).not.toContain(TOKEN);
});

test('after a kill its item says that it is not known any more, and the other pages are read', async () => {
  const disk = new MemoryDisk();
  await expect(runCrawl(new GraphSource(graph), {}, { disk, killAfter: 2 })).rejects.toThrow();
  expect(onDisk(disk)).not.toContain(TOKEN);
  const { items } = await runCrawl(new GraphSource(graph), {}, { disk });
  expect(items.find(({ error }) => error !== undefined)).toMatchObject({ error: { code: 'page_changed' } });
  expect(items.map(({ title }) => title)).toEqual(expect.arrayContaining(['Page /', 'Page /plain']));
});

test('a start is known from the arguments, however often the crawl is resumed', async () => {
  const disk = new MemoryDisk();
  const args = { url: `${SITE}/secret?token=${TOKEN}`, max_depth: 0 };
  await expect(runCrawl(new GraphSource(graph), args, { disk, killAfter: 1 })).rejects.toThrow();
  const { items } = await runCrawl(new GraphSource(graph), args, { disk });
  expect(items.map(({ title }) => title)).toEqual(['Behind the token.']);
});
