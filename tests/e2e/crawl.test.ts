import { expect, onTestFinished, test } from 'vitest';
import { serveCrawlGraph } from '../../fixtures/crawl-graph-server.ts';
import { wideGraph } from '../../fixtures/crawl-graph.ts';
import { launched } from '../support/launched.ts';

interface Item {
  readonly url: string;
  readonly status: number | null;
  readonly rendered?: boolean;
}

const { server, ok } = await launched('--sync-wait-ms', '55000');

test('always reads in background tabs, which are closed when the crawl ends or is cancelled', async () => {
  const site = await serveCrawlGraph(wideGraph(40), { latencyMs: 20 });
  onTestFinished(() => site.close());
  const tabs = async (): Promise<number> =>
    (await server.call('tabs')).json<{ tabs: readonly unknown[] }>().tabs.length;
  const before = await tabs();
  const args = { url: `${site.url}/`, render: 'always', max_depth: 9 };
  const items = (await ok('crawl', { ...args, max_pages: 4 })).json<readonly Item[]>();
  expect(items.map(({ status, rendered }) => [status, rendered])).toEqual(items.map(() => [200, true]));
  expect(items).toHaveLength(4);
  expect(await tabs()).toBe(before);
  const { run_id: runId } = (await server.call('crawl', { ...args, async: true })).json<{
    run_id: string;
  }>();
  await expect.poll(() => site.asked.size).toBeGreaterThanOrEqual(8);
  await server.call('run_cancel', { run_id: runId });
  await expect.poll(tabs).toBe(before);
});
