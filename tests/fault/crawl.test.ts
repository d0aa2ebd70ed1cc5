import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { serveCrawlGraph, type GraphServer } from '../../fixtures/crawl-graph-server.ts';
import { wideGraph } from '../../fixtures/crawl-graph.ts';
import { launchContext, type TestContext } from '../support/browser.ts';
import { findBelow, isBrowser, waitForNoProcess } from '../support/processes.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';

const SIZE = 90;
const DEADLINE_MS = 60_000;
const graph = wideGraph(SIZE, 3);

interface Item {
  readonly url: string;
  readonly depth: number;
  readonly status: number | null;
  readonly title: string;
  readonly markdown: string;
  readonly links: readonly string[];
  readonly content_hash: string;
}

interface View {
  readonly run_id: string;
  readonly status: string;
  readonly items: number;
  readonly error?: { readonly code: string };
}

interface Tabs {
  readonly tabs: readonly unknown[];
}

let site: GraphServer;
let home: string;
let undisturbed: readonly Item[];

beforeAll(async () => {
  site = await serveCrawlGraph(graph, { latencyMs: 15 });
  home = mkdtempSync(join(tmpdir(), 'spillway-crawl-'));
  const server = await start();
  undisturbed = sorted((await server.call('crawl', { ...args(), async: false })).json<Item[]>());
  await server.close();
  expect(undisturbed).toHaveLength(SIZE);
});

afterAll(async () => {
  await site.close();
  rmSync(home, { recursive: true, force: true });
});

const start = (): Promise<StdioServer> => startServer({ home, args: ['--launch', '--headless'] });

const args = (): Record<string, unknown> => ({
  url: `${site.url}/`,
  max_pages: 1_000,
  max_depth: 50,
  render: 'never',
  concurrency: 4,
  async: true,
});

/** What has to be the same however often the crawl was interrupted. */
const sorted = (items: readonly Item[]): readonly Item[] =>
  items
    .map(({ url, depth, status, title, markdown, links, content_hash }) => ({
      ...{ url, depth, status, title, markdown, links, content_hash },
    }))
    .sort((one, other) => (one.url < other.url ? -1 : 1));

async function view(server: StdioServer, runId: string): Promise<View> {
  return (await server.call('run_status', { run_id: runId })).json<View>();
}

/** Waits until a run is as it should be. */
async function until(server: StdioServer, runId: string, is: (view: View) => boolean): Promise<View> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const now = await view(server, runId);
    if (is(now)) return now;
    if (performance.now() > deadline) throw new Error(`The run stays ${JSON.stringify(now)}.`);
    await delay(5);
  }
}

async function itemsOf(server: StdioServer, runId: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const page: { content: Item[]; next_offset: number | null } = (
      await server.call('run_output', { run_id: runId, offset })
    ).json();
    items.push(...page.content);
    offset = page.next_offset;
  }
  return items;
}

async function begin(server: StdioServer): Promise<string> {
  return (await server.call('crawl', args())).json<View>().run_id;
}

/** Ends the server's process as a crash does, and waits until all processes that it started have exited. */
async function killServer(server: StdioServer): Promise<void> {
  process.kill(server.pid, 'SIGKILL');
  await server.client.close().catch(() => undefined);
  await waitForNoProcess(home);
}

test('kill -9 of the server, again and again: resume loses nothing and reads nothing twice', async () => {
  let server = await start();
  site.allow(1);
  onTestFinished(() => site.allow(Infinity));
  const runId = await begin(server);
  for (const [items, next] of [
    [1, 7],
    [7, 30],
    [30, 31],
    [31, 70],
    [70, SIZE],
  ] as const) {
    await until(server, runId, (now) => now.items >= items);
    await killServer(server);
    server = await start();
    const interrupted = await view(server, runId);
    expect(interrupted.status).toBe('interrupted');
    // No more pages than it is killed after: a run that ended before would not be interrupted.
    site.allow(next === SIZE ? Infinity : next - interrupted.items);
    const resumed = await server.call('run_resume', { run_id: runId, async: true });
    expect(resumed.isError, resumed.text).toBe(false);
  }
  await until(server, runId, ({ status }) => status === 'completed');
  expect(sorted(await itemsOf(server, runId))).toEqual(undisturbed);
  await server.close();
}, 240_000);

test.each([
  ['the browser', isBrowser],
  ['the native host', (command: string) => command.includes('host.js')],
])('kill -9 of %s: the crawl waits for its return and continues', async (_name, is) => {
  const server = await start();
  const runId = await begin(server);
  await until(server, runId, ({ items }) => items >= 10);
  process.kill(findBelow(server.pid, is), 'SIGKILL');
  await until(server, runId, ({ status }) => status !== 'running');
  expect(await view(server, runId)).toMatchObject({ status: 'completed' });
  expect(sorted(await itemsOf(server, runId))).toEqual(undisturbed);
  await server.close();
});

test('a worker that ends midway: the crawl continues with the next one, and its tabs are closed', async () => {
  const browser = await launchContext();
  const server = await startServer({ home, env: browser.serverEnv });
  try {
    const tabsBefore = (await server.call('tabs')).json<Tabs>().tabs;
    const runId = (
      await server.call('crawl', { ...args(), render: 'always', max_pages: 30, concurrency: 3 })
    ).json<View>().run_id;
    await until(server, runId, ({ items }) => items >= 5);
    await endWorker(browser);
    await until(server, runId, ({ status }) => status !== 'running');
    expect(await view(server, runId)).toMatchObject({ status: 'completed' });
    const items = await itemsOf(server, runId);
    expect(new Set(items.map(({ url }) => url)).size).toBe(30);
    expect((await server.call('tabs')).json<Tabs>().tabs).toHaveLength(tabsBefore.length);
  } finally {
    await server.close();
    await browser.close();
  }
});

/** Ends the service worker as the browser would. */
async function endWorker({ context }: TestContext): Promise<void> {
  const session = await context.browser()?.newBrowserCDPSession();
  const { targetInfos } = (await session?.send('Target.getTargets')) ?? { targetInfos: [] };
  const worker = targetInfos.find(({ type }) => type === 'service_worker');
  if (worker === undefined) throw new Error('No worker is running.');
  await session?.send('Target.closeTarget', { targetId: worker.targetId });
}
