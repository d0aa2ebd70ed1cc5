import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { sample } from '../support/depth.ts';
import { expectedCrawl, isTrap } from '../../fixtures/crawl-graph-expected.ts';
import { serveCrawlGraph, type GraphServer } from '../../fixtures/crawl-graph-server.ts';
import { readCrawlGraph, wideGraph } from '../../fixtures/crawl-graph.ts';
import { serveFixtures } from '../../fixtures/serve.ts';
import { launched } from '../support/launched.ts';
import type { StdioServer } from '../support/stdio-server.ts';
import { within } from '../support/within.ts';

/** An item as these tests read it. */
interface Item {
  readonly url: string;
  readonly final_url: string;
  readonly depth: number;
  readonly status: number | null;
  readonly markdown?: string;
  readonly text?: string;
  readonly html?: string;
  readonly nodes?: readonly unknown[];
  readonly links: readonly string[];
  readonly rendered?: boolean;
  readonly duplicate_of?: string;
  readonly lastmod?: string;
  readonly article?: object;
  readonly fetched_at: string;
  readonly error?: { readonly code: string };
}

interface Page {
  readonly run_id: string;
  readonly status: string;
  readonly total: number;
  readonly next_offset: number | null;
  readonly eof: boolean;
  readonly content: readonly Item[];
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

/** Between two requests for the items of an active run. */
const POLL_MS = 20;

/** Follows run_output to the run's end. */
async function readRun(runId: string): Promise<{ items: Item[]; pages: Page[] }> {
  const items: Item[] = [];
  const pages: Page[] = [];
  for (let offset = 0; ;) {
    const page = (await server.call('run_output', { run_id: runId, offset })).json<Page>();
    pages.push(page);
    items.push(...page.content);
    if (page.next_offset === null) return { items, pages };
    if (page.content.length === 0) await delay(POLL_MS);
    offset = page.next_offset;
  }
}

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

test.each(sample(['never', 'always'] as const, 2))(
  '%s: a calendar without an end is left, and named',
  (render) =>
    withSite([graph], async (site) => {
      const globs = { include: ['/calendar**', '/about'], max_depth: 100 };
      const answer = await server.call('crawl', { url: `${site.url}/`, max_pages: 500, render, ...globs });
      const months = [...site.asked.keys()].filter((path) => path.startsWith('/calendar?')).length;
      expect(months).toBeGreaterThanOrEqual(14);
      expect(months).toBeLessThanOrEqual(32);
      expect(site.asked.has('/about')).toBe(true);
      expect(answer.notes).toContain(
        `Endless calendar space ${site.url.replace('http://', '')}/calendar?month={}&year={}: stopped after `,
      );
      expect(answer.notes).toContain(`${site.url}/calendar?**`);
    }),
);

test('auto renders the page that is empty without scripts, and follows what they wrote', () =>
  withSite([graph], async (site) => {
    const items = await crawl({ url: `${site.url}/app`, render: 'auto', max_depth: 1, include: ['/app/**'] });
    expect(items.map(({ url, rendered }) => [url, rendered ?? false])).toEqual([
      [`${site.url}/app`, true],
      [`${site.url}/app/inside`, false],
    ]);
    expect(items[0]?.markdown).toContain('About /app: ');
  }));

test.each(sample(['nodes', 'text', 'html'] as const, 3))('format %s gives its own content', (format) =>
  withSite([wideGraph(1)], async (site) => {
    const [item] = await crawl({ url: `${site.url}/`, format });
    const content = { ...item }[format];
    expect(JSON.stringify(content)).toContain('About /: ');
    expect(Array.isArray(content)).toBe(format === 'nodes');
    expect(item).not.toHaveProperty('markdown');
  }),
);

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

test('a sitemap index, one of its sitemaps packed, gives the starts', () =>
  withSite([graph], async (site) => {
    const items = await crawl({ sitemap: `${site.url}/sitemap.xml`, max_depth: 0 });
    const named = Object.values(graph.sitemaps).flat();
    expect(items.map(({ url }) => url).sort()).toEqual(named.map((path) => site.url + path).sort());
    expect(items.find(({ url }) => url.endsWith('/only-in-sitemap'))?.lastmod).toBe('2026-11-01');
    expect(items.find(({ url }) => url.endsWith('/private/plans'))?.error?.code).toBe('robots_disallowed');
  }));

test('inline, handle and the pages of the run are the same data', () =>
  withSite([wideGraph(40)], async (site) => {
    const args = { url: `${site.url}/`, render: 'never', max_depth: 9, concurrency: 1 };
    const inline = await crawl(args);
    const answer = await server.call('crawl', { ...args, output_mode: 'handle' });
    const { output_handle: handle } = answer.json<{ output_handle: string }>();
    const fetched = (await server.call('oc_output_fetch', { output_handle: handle, limit: 1_000 })).json<{
      content: Item[];
      total: number;
    }>();
    const plain = (items: readonly Item[]): unknown[] =>
      items.map((item) => ({ ...item, fetched_at: '', timing: null }));
    expect(fetched.total).toBe(40);
    const paged: Item[] = [];
    for (let offset: number | null = 0; offset !== null;) {
      const page: Page = (await server.call('oc_output_fetch', { output_handle: handle, offset })).json();
      paged.push(...page.content);
      offset = page.next_offset;
    }
    expect(plain(paged)).toEqual(plain(inline));
  }));

test('async returns a run immediately, and its pages arrive while it is active', () =>
  withSite([wideGraph(60)], async (site) => {
    site.allow(10);
    const answer = await server.call('crawl', {
      url: `${site.url}/`,
      render: 'never',
      max_depth: 9,
      max_pages: 60,
      async: true,
    });
    const { run_id: runId } = answer.json<Receipt>();
    const early = async (): Promise<Page> =>
      (await server.call('run_output', { run_id: runId, offset: 0 })).json();
    await expect.poll(async () => (await early()).total).toBeGreaterThan(0);
    expect((await early()).status).toBe('running');
    site.allow(Infinity);
    const { items, pages } = await within(20_000, readRun(runId), 'the run to end');
    expect(items).toHaveLength(60);
    expect(new Set(items.map(({ url }) => url)).size).toBe(60);
    expect(pages.at(-1)).toMatchObject({ eof: true, status: 'completed', total: 60 });
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

test('bad pages are items with their codes, and stop no other', async () => {
  const fixtures = await serveFixtures();
  try {
    const wanted: Record<string, string | undefined> = {
      '/__/redirect-loop': 'redirect_loop',
      '/__/download?name=a.bin&bytes=2048': 'not_a_page',
      '/__/drop': 'navigation_failed',
      '/__/status/418': undefined,
      '/__/slow?ms=300': undefined,
    };
    const urls = Object.keys(wanted).map((path) => fixtures.url + path);
    const items = await crawl({ urls, max_depth: 0 });
    const codes = Object.fromEntries(
      items.map(({ url, error }) => [url.slice(fixtures.url.length), error?.code]),
    );
    expect(codes).toEqual(wanted);
  } finally {
    await fixtures.close();
  }
});

test.each([
  [{}, 'invalid_argument', 'exactly one of url, urls, sitemap, resume; none'],
  [
    { url: 'http://a.test/', sitemap: 'http://a.test/s.xml' },
    'invalid_argument',
    'url and sitemap were given',
  ],
  [{ url: 'http://user:word@a.test/' }, 'invalid_argument', 'password'],
  [{ urls: ['http://a.test/', 'ftp://a.test/'] }, 'url_not_allowed', 'urls[1]'],
  [{ url: 'about:blank' }, 'url_not_allowed', 'url'],
  [{ resume: 'run_AAAAAAAAAAAA' }, 'run_not_found', ''],
])('bad start %j: %s', async (args, code, message) => {
  const answer = await server.call('crawl', args);
  expect(answer.code()).toBe(code);
  expect(answer.text).toContain(message);
});

test('a silent or unknown host is an item with its code', async () => {
  const gone = await withSite([wideGraph(1)], (site) => Promise.resolve(`${site.url}/`));
  const items = await crawl({ urls: [gone, 'http://nowhere.invalid/'], max_depth: 0 });
  const codes = Object.fromEntries(items.map(({ url, error }) => [url, error?.code]));
  expect(codes).toEqual({ [gone]: 'host_unreachable', 'http://nowhere.invalid/': 'dns_failed' });
});

test('a sitemap that is not there fails the crawl with its code', () =>
  withSite([wideGraph(2)], async (site) => {
    const answer = await server.call('crawl', { sitemap: `${site.url}/no-sitemap.xml` });
    expect(answer.code()).toBe('invalid_argument');
    expect(answer.text).toContain('answers 404');
  }));
