import { expect, test } from 'vitest';
import { wideGraph } from '../../../fixtures/crawl-graph.ts';
import { GraphSource, SITE } from './graph-source.ts';
import { MemoryDisk } from './memory-run.ts';
import { paths, runCrawl, withKills, type Item } from './run-crawl.ts';

const sound = (items: readonly Item[]): object[] =>
  items
    .map(({ url, depth, status, title, markdown, links }) => ({ url, depth, status, title, markdown, links }))
    .sort((one, other) => (one.url < other.url ? -1 : 1));

test.each([1, 20])('killed each %i commits, a crawl finds what an undisturbed one does', async (every) => {
  const wide = wideGraph(60, 4);
  const undisturbed = await runCrawl(new GraphSource(wide));
  const resumed = await withKills(() => new GraphSource(wide), every);
  expect(resumed.kills).toBeGreaterThan(0);
  expect(sound(resumed.items)).toEqual(sound(undisturbed.items));
  expect(resumed.outcome).toEqual(undisturbed.outcome);
  expect([...resumed.disk.entries.keys()].filter((key) => key.startsWith('["q"'))).toEqual([]);
});

test('a crawl that was stopped resumes, reads no page again, and stops at its bound', async () => {
  const wide = wideGraph(80);
  const disk = new MemoryDisk();
  const stop = new AbortController();
  const first = new GraphSource(wide, {
    page: () => {
      if (first.asked.length > 30) stop.abort(new Error('stopped'));
      return Promise.resolve(null);
    },
  });
  const stopped = await runCrawl(first, {}, { disk, signal: stop.signal });
  expect(stopped.outcome.state).toMatchObject({ pages: disk.items.length });
  expect(first.released).toBe(1);
  const before = new Set(paths(disk.items as unknown as Item[]));
  const second = new GraphSource(wide);
  const max_pages = before.size + 10;
  expect((await runCrawl(second, { max_pages }, { disk })).items).toHaveLength(max_pages);
  expect(second.asked.filter((href) => before.has(href.replace(SITE, '')))).toEqual([]);
});

const crash = { error: { code: 'page_crashed', message: 'It crashed.' } };
/** The pages at these paths crash, also each time that they are asked for. */
const crashing = (...paths: readonly string[]) => ({
  page: (href: string) => Promise.resolve(paths.includes(href.replace(SITE, '')) ? crash : null),
});

test.each<[string, readonly string[], Readonly<Record<string, number>>]>([
  ['a leaf', ['/docs/part-59'], {}],
  ['a page with others below', ['/docs/part-3', '/docs/part-9'], {}],
  ['the first page', ['/'], {}],
  ['a page of a bounded crawl', ['/docs/part-3'], { max_pages: 20 }],
])('a crawl fails for pages that crash, here %s, and a resumed one reads them', async (_name, bad, args) => {
  const tree = wideGraph(60, 4);
  const disk = new MemoryDisk();
  const { outcome, items } = await runCrawl(new GraphSource(tree, crashing(...bad)), args, { disk });
  expect(outcome.failure).toMatchObject({ code: 'page_crashed' });
  expect(outcome.coverage.join()).toContain(`${SITE}${bad[0]}`);
  expect(paths(items).filter((path) => bad.includes(path))).toEqual([]);
  const again = new GraphSource(tree);
  const resumed = await runCrawl(again, args, { disk });
  expect(resumed.outcome.failure).toBe(undefined);
  expect(again.asked).toEqual(expect.arrayContaining(bad.map((path) => `${SITE}${path}`)));
  const undisturbed = await runCrawl(new GraphSource(tree), args);
  expect(resumed.items).toHaveLength(undisturbed.items.length);
  expect(new Set(paths(resumed.items)).size).toBe(undisturbed.items.length);
  if (args['max_pages'] === undefined) expect(paths(resumed.items)).toEqual(paths(undisturbed.items));
});

test('a machine on which each page crashes is not asked for thousands', async () => {
  const wide = wideGraph(400, 399);
  const disk = new MemoryDisk();
  const source = new GraphSource(wide, {
    page: (href) => Promise.resolve(href === `${SITE}/` ? null : crash),
  });
  const { outcome } = await runCrawl(source, { concurrency: 4 }, { disk });
  expect(outcome.failure).toMatchObject({ code: 'page_crashed' });
  expect(source.asked.length).toBeLessThan(70);
  expect((await runCrawl(new GraphSource(wide), {}, { disk })).items).toHaveLength(400);
});

test('a robots.txt that crashes its reader leaves the pages of its host to a resumed crawl', async () => {
  const wide = wideGraph(30, 4);
  const disk = new MemoryDisk();
  const resources = { [`${SITE}/robots.txt`]: crash };
  const { outcome, items } = await runCrawl(new GraphSource(wide, { resources }), {}, { disk });
  expect(outcome.failure).toMatchObject({ code: 'page_crashed' });
  expect(items).toEqual([]);
  expect((await runCrawl(new GraphSource(wide), {}, { disk })).items).toHaveLength(30);
});
