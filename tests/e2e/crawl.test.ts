import { beforeAll, expect, test } from 'vitest';
import { expectedCrawl, isTrap } from '../../fixtures/crawl-graph-expected.ts';
import { serveCrawlGraph, type GraphServer } from '../../fixtures/crawl-graph-server.ts';
import { readCrawlGraph, wideGraph } from '../../fixtures/crawl-graph.ts';
import { launched } from '../support/launched.ts';
import type { StdioServer } from '../support/stdio-server.ts';

/** An item as these tests read it. */
interface Item {
  readonly url: string;
  readonly final_url: string;
  readonly depth: number;
  readonly status: number | null;
  readonly markdown?: string;
  readonly links: readonly string[];
  readonly rendered?: boolean;
  readonly duplicate_of?: string;
  readonly lastmod?: string;
  readonly article?: object;
  readonly fetched_at: string;
  readonly error?: { readonly code: string };
}

interface Receipt {
  readonly run_id: string;
  readonly status: string;
}

const graph = readCrawlGraph();
let server: StdioServer;

beforeAll(async () => {
  ({ server } = await launched('--sync-wait-ms', '55000'));
});

/** A site of a test's own, so that its counts are its own. */
async function withSite<T>(
  given: Parameters<typeof serveCrawlGraph>,
  use: (site: GraphServer) => Promise<T>,
): Promise<T> {
  const site = await serveCrawlGraph(...given);
  try {
    return await use(site);
  } finally {
    await site.close();
  }
}

async function crawl(args: Record<string, unknown>): Promise<readonly Item[]> {
  const fresh = { max_pages: 500, max_depth: 6, render: 'never' };
  const answer = await server.call('crawl', 'resume' in args ? args : { ...fresh, ...args });
  expect(answer.isError, answer.text).toBe(false);
  return answer.json<readonly Item[]>();
}

const depthsOf = (site: GraphServer, items: readonly Item[]): Record<string, number> =>
  Object.fromEntries(
    items
      .map(({ url, depth }) => [url.slice(site.url.length), depth] as const)
      .filter(([path, depth]) => !isTrap(graph, path) || depth <= 1)
      .sort(),
  );

const expectedDepths = (options: Parameters<typeof expectedCrawl>[1]): Record<string, number> =>
  Object.fromEntries([...expectedCrawl(graph, options).depths].sort());

test('never: what was found is the graph, each page asked for once', () =>
  withSite([graph], async (site) => {
    const items = await crawl({ url: `${site.url}/` });
    expect(depthsOf(site, items)).toEqual(expectedDepths({ maxDepth: 6, runsScripts: false }));
    const repeated = [...site.asked].filter(([path, count]) => count > 1 && path !== '/busy');
    // What a redirect leads to and what it is found by is read twice at most.
    expect(repeated.map(([path]) => path)).toEqual(['/blog/2026/10/story-10']);
    expect(site.asked.get('/busy')).toBe(3);
    expect(site.asked.has('/private/plans')).toBe(false);
    const item = items.find(({ url }) => url.endsWith('/guide/part-1'));
    expect(item?.markdown).toContain('About /guide/part-1: ');
    expect(item?.links).toEqual(
      ['/guide/', '/guide/part-2', '/guide/part-1/details'].map((path) => site.url + path),
    );
    const redirected = items.find(({ url }) => url.endsWith('/old-home'));
    expect(redirected?.final_url).toBe(`${site.url}/new-home`);
    expect(
      items.filter(({ url }) => /\/(original|copy)$/.test(url)).map((one) => one.duplicate_of),
    ).toContain(undefined);
    expect(items.find(({ url }) => url.endsWith('manual.pdf'))?.error?.code).toBe('not_a_page');
  }));

test("the person's session is used: a member's pages are read after the log-in", () =>
  withSite([graph], async (site) => {
    const before = await crawl({ url: `${site.url}/members/`, max_depth: 1, include: ['/members/**'] });
    expect(before.map(({ status }) => status)).toEqual([403]);
    await server.call('navigate', { url: `${site.url}/login` });
    const after = await crawl({ url: `${site.url}/members/`, max_depth: 1, include: ['/members/**'] });
    expect(after.map(({ url, status }) => [url, status])).toEqual([
      [`${site.url}/members/`, 200],
      [`${site.url}/members/news`, 200],
    ]);
  }));

test('cancel ends a crawl, and resume continues it with its options', () =>
  withSite([wideGraph(60)], async (site) => {
    // It cannot end before it is cancelled.
    site.allow(20);
    const args = {
      url: `${site.url}/`,
      main_content_only: true,
      render: 'never',
      max_depth: 9,
      max_pages: 60,
      concurrency: 4,
      async: true,
    };
    const { run_id: runId } = (await server.call('crawl', args)).json<Receipt>();
    let items = 0;
    while (items < 10)
      items = (await server.call('run_status', { run_id: runId })).json<{ items: number }>().items;
    const cancelled = await server.call('run_cancel', { run_id: runId });
    expect(cancelled.json<Receipt>().status).toBe('cancelled');
    const askedBefore = new Map(site.asked);
    site.allow(Infinity);
    const done = await crawl({ resume: runId });
    expect(done.map(({ url }) => url).sort()).toEqual(
      Object.keys(wideGraph(60).nodes)
        .map((path) => site.url + path)
        .sort(),
    );
    expect(done.filter(({ article }) => article === undefined)).toEqual([]);
    // At most pending pages are requested again: what was being read, and what was being written.
    const again = [...askedBefore.keys()].filter((path) => (site.asked.get(path) ?? 0) > 1);
    expect(again.length).toBeLessThanOrEqual(2 * args.concurrency);
  }));

test('always reads in background tabs, which are closed when the crawl ends or is cancelled', () =>
  withSite([wideGraph(40), { latencyMs: 20 }], async (site) => {
    const tabs = async (): Promise<number> =>
      (await server.call('tabs')).json<{ tabs: readonly unknown[] }>().tabs.length;
    const before = await tabs();
    const args = { url: `${site.url}/`, render: 'always', max_depth: 9 };
    const items = await crawl({ ...args, max_pages: 4 });
    expect(items.map(({ status, rendered }) => [status, rendered])).toEqual(items.map(() => [200, true]));
    expect(items).toHaveLength(4);
    expect(await tabs()).toBe(before);
    const { run_id: runId } = (await server.call('crawl', { ...args, async: true })).json<Receipt>();
    while (site.asked.size < 8) await new Promise((resolve) => setTimeout(resolve, 5));
    await server.call('run_cancel', { run_id: runId });
    await expect.poll(tabs).toBe(before);
  }));
