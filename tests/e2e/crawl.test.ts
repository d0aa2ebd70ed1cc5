import { beforeAll, expect, test } from 'vitest';
import { serveCrawlGraph, type GraphServer } from '../../fixtures/crawl-graph-server.ts';
import { readCrawlGraph, wideGraph } from '../../fixtures/crawl-graph.ts';
import { launched } from '../support/launched.ts';
import type { StdioServer } from '../support/stdio-server.ts';

interface Item {
  readonly url: string;
  readonly status: number | null;
  readonly rendered?: boolean;
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
  const answer = await server.call('crawl', { max_pages: 500, max_depth: 6, render: 'never', ...args });
  expect(answer.isError, answer.text).toBe(false);
  return answer.json<readonly Item[]>();
}

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
    const { run_id: runId } = (await server.call('crawl', { ...args, async: true })).json<{
      run_id: string;
    }>();
    while (site.asked.size < 8) await new Promise((resolve) => setTimeout(resolve, 5));
    await server.call('run_cancel', { run_id: runId });
    await expect.poll(tabs).toBe(before);
  }));
