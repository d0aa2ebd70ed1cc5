import { expect, test } from 'vitest';
import { readCrawlGraph, wideGraph } from '../../../fixtures/crawl-graph.ts';
import { expectedCrawl, isTrap } from '../../../fixtures/crawl-graph-expected.ts';
import { GraphSource, SITE } from './graph-source.ts';
import { pathOf, paths, runCrawl, type Item } from './run-crawl.ts';

const graph = readCrawlGraph();
const byPath = (items: readonly Item[]) => new Map(items.map((item) => [pathOf(item), item] as const));

/** Items except those of traps, with their depths. */
function found(items: readonly Item[]): Record<string, number> {
  const outside = items.filter((item) => !isTrap(graph, pathOf(item)) || item.depth <= 1);
  return Object.fromEntries(outside.map((item) => [pathOf(item), item.depth]).sort());
}

test('finds every page of the graph once, at its depth, and ends in spite of the traps', async () => {
  const source = new GraphSource(graph);
  const { items, outcome, scope } = await runCrawl(source, { max_depth: 50 });
  expect(found(items)).toEqual(Object.fromEntries(expectedCrawl(graph).depths));
  expect(paths(items)).toEqual([...new Set(paths(items))]);
  expect(items.length).toBeLessThan(150);
  expect(outcome.state).toMatchObject({ pages: items.length, queued: 0, disallowed: 1 });
  for (const kind of [/endless \d/, /Endless space site.test\/calendar/, /repeating_path \d/])
    expect(outcome.coverage.join(' ')).toMatch(kind);
  expect(scope.latest).toMatchObject({ done: items.length, queued: 0 });
  expect(source.released).toBe(1);
});

test('max_pages stops breadth-first: no page of a level is missing while a deeper one is there', async () => {
  const { items, outcome } = await runCrawl(new GraphSource(wideGraph(300)), { max_pages: 57 });
  expect(items).toHaveLength(57);
  const order = Array.from({ length: 57 }, (_, at) => (at === 0 ? '/' : `/docs/part-${at}`));
  expect(paths(items)).toEqual(order.sort());
  expect(outcome.coverage).toContainEqual(
    expect.stringMatching(/^Stopped at max_pages 57; discovered addresses that were not read: \d+/),
  );
});

test('items of main content have no links, which are followed', async () => {
  const { items } = await runCrawl(new GraphSource(wideGraph(2)), { main_content_only: true });
  expect(items).toHaveLength(2);
  expect(items.filter((item) => 'links' in item)).toEqual([]);
});

test('an item has what was read, whole, and names both addresses of a redirect', async () => {
  const items = byPath((await runCrawl(new GraphSource(graph))).items);
  const item = items.get('/guide/part-1');
  expect(item).toMatchObject({
    ...{ url: `${SITE}/guide/part-1`, final_url: `${SITE}/guide/part-1`, depth: 2, status: 200 },
    title: 'Page /guide/part-1',
    links: [`${SITE}/guide/`, `${SITE}/guide/part-2`, `${SITE}/guide/part-1/details`],
    content_hash: expect.stringMatching(/^[\da-f]{64}$/),
    fetched_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    timing: { fetch_ms: 1, parse_ms: 1, size_bytes: 100 },
  });
  expect(item?.markdown).toContain('# Page /guide/part-1');
  expect(item).not.toHaveProperty('error');
  const moved = items.get('/old-home');
  expect(moved).toMatchObject({ final_url: `${SITE}/new-home`, status: 200 });
  expect(moved).toHaveProperty('redirects', [
    { url: `${SITE}/old-home`, status: 301 },
    { url: `${SITE}/moved`, status: 308 },
  ]);
  expect(items.has('/new-home')).toBe(false);
  expect(items.has('/new-home/inside')).toBe(true);
});

test('failures are of their items: status, robots, files, patience', async () => {
  const items = byPath((await runCrawl(new GraphSource(graph))).items);
  expect(items.get('/missing')).toMatchObject({ status: 404 });
  expect(items.get('/broken')).toMatchObject({ status: 500 });
  expect(items.get('/private/plans')).toMatchObject({ status: null, error: { code: 'robots_disallowed' } });
  expect(items.get('/files/manual.pdf')).toMatchObject({ status: 200, error: { code: 'not_a_page' } });
  expect(items.get('/busy')).toMatchObject({ status: 200, depth: 1 });
  expect(items.get('/members/')).toMatchObject({ status: 403 });
});

test('respect_robots: false reads what robots.txt and nofollow keep from others', async () => {
  const source = new GraphSource(graph);
  expect(paths((await runCrawl(source, { respect_robots: false })).items)).toEqual(
    expect.arrayContaining(['/private/plans', '/private/budget', '/hints/hidden', '/sponsored']),
  );
  expect(source.asked).not.toContain(`${SITE}/robots.txt`);
});

test('a start that redirects to another origin takes the crawl with it, a link does not', async () => {
  const nodes = { '/': { kind: 'page', links: ['/a', '/out'] }, '/a': { kind: 'page', links: [] } } as const;
  const source = new GraphSource(
    { nodes, robots: null, sitemaps: {} },
    {
      page: async (href) =>
        href === 'http://old.test/'
          ? { final_url: 'http://new.test/', redirects: [{ url: href, status: 301 }] }
          : null,
    },
  );
  const { items, disk } = await runCrawl(source, { urls: ['http://old.test/', `${SITE}/`] });
  expect(items.map(({ final_url }) => final_url).sort()).toEqual(
    ['http://new.test/', ...['/', '/a', '/out'].map((path) => SITE + path)].sort(),
  );
  expect([...disk.entries.keys()]).toContain('["o","http://new.test"]');
});

test('a sitemap takes the crawl to where it redirects, one of its pages does only on its own hosts', async () => {
  const [moved, www, jobs] = [`${SITE}/sitemap.xml`, 'http://www.site.test', 'http://jobs.test/'];
  const text = ['/a', '/jobs', `${SITE}/b`].map((loc) => `<url><loc>${loc}</loc></url>`).join('');
  const led: Record<string, string> = { [`${www}/jobs`]: jobs };
  const source = new GraphSource(
    { nodes: {}, robots: null, sitemaps: {} },
    {
      resources: { [moved]: { text, final_url: `${www}/sitemap.xml` } },
      page: async (href) => ({
        final_url: led[href] ?? href,
        redirects: led[href] === undefined ? [] : [{ url: href, status: 301 }],
      }),
    },
  );
  const { items, disk } = await runCrawl(source, { sitemap: moved });
  expect(items.map(({ url, error }) => [url, error?.code ?? null]).sort()).toEqual([
    [`${SITE}/b`, null],
    [`${www}/a`, null],
    [`${www}/jobs`, 'redirect_refused'],
  ]);
  expect([...disk.entries.keys()].filter((key) => key.startsWith('["o"'))).toEqual([`["o","${www}"]`]);
});
