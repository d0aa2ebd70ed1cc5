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
