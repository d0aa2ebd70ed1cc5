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

test('after a kill it is found again by the pages that link to it', async () => {
  const disk = new MemoryDisk();
  // Seed, front page, plain page: both secret pages are still to come.
  for (const killAfter of [2, 3]) {
    await expect(runCrawl(new GraphSource(graph), { concurrency: 1 }, { disk, killAfter })).rejects.toThrow();
    expect(onDisk(disk)).not.toContain(TOKEN);
  }
  const second = new GraphSource(graph);
  const { items } = await runCrawl(second, { concurrency: 1 }, { disk });
  expect(items.map(({ title }) => title).sort()).toEqual(
    ['Behind the token.', 'Further behind it.', 'Page /', 'Page /plain'].sort(),
  );
  expect(second.asked).toContain(`${SITE}/deeper?token=${TOKEN}`);
});

test('when no page links to it any longer, its item says so', async () => {
  const disk = new MemoryDisk();
  await expect(runCrawl(new GraphSource(graph), {}, { disk, killAfter: 2 })).rejects.toThrow();
  const changed: Graph = { ...graph, nodes: { ...graph.nodes, '/': { kind: 'page', links: [] } } };
  const { items } = await runCrawl(new GraphSource(changed), {}, { disk });
  expect(items.find(({ error }) => error !== undefined)).toMatchObject({ error: { code: 'page_changed' } });
});

test('a secret address of a sitemap is found again by the sitemap', async () => {
  const sitemap = `${SITE}/sitemap.xml`;
  const text = `<urlset><url><loc>${SITE}/secret?token=${TOKEN}</loc></url></urlset>`;
  const source = (): GraphSource => new GraphSource(graph, { resources: { [sitemap]: { text } } });
  const disk = new MemoryDisk();
  await expect(runCrawl(source(), { sitemap, max_depth: 0 }, { disk, killAfter: 1 })).rejects.toThrow();
  expect(onDisk(disk)).not.toContain(TOKEN);
  const { items } = await runCrawl(source(), { sitemap, max_depth: 0 }, { disk });
  expect(items.map(({ title }) => title)).toEqual(['Behind the token.']);
});
