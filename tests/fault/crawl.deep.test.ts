import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { serveCrawlGraph, type GraphServer } from '../../fixtures/crawl-graph-server.ts';
import { wideGraph } from '../../fixtures/crawl-graph.ts';
import { spawnChromium, type TestChromium } from '../support/browser.ts';
import { PATIENCE } from '../support/patience.ts';
import { findBelow, isBrowser, waitForNoProcess } from '../support/processes.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';
import { testFolder } from '../support/test-folder.ts';

const SIZE = 90;
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

type Tabs = { readonly tabs: readonly unknown[] };

let site: GraphServer;
const home = testFolder();
/** Has a browser of its own, which tests kill: the next call restarts it. */
let launching: StdioServer;
let browser: TestChromium;
let undisturbed: readonly Item[];

beforeAll(async () => {
  site = await serveCrawlGraph(graph, { latencyMs: 15 });
  launching = await startServer({ args: ['--launch', '--headless'] });
  browser = await spawnChromium();
  undisturbed = sorted((await launching.call('crawl', { ...args(), async: false })).json<Item[]>());
  expect(undisturbed).toHaveLength(SIZE);
});

afterAll(async () => {
  await launching.close();
  await browser.close();
  await site.close();
});

/** Starts a server with a browser of its own, or one that uses the other browser. */
const start = (launches = false): Promise<StdioServer> =>
  startServer({ home, ...(launches ? { args: ['--launch', '--headless'] } : { env: browser.serverEnv }) });

const args = (): Record<string, unknown> => ({
  url: `${site.url}/`,
  max_pages: 1_000,
  max_depth: 50,
  render: 'never',
  concurrency: 4,
  async: true,
});

const sorted = (items: readonly Item[]): readonly Item[] =>
  items
    .map(({ url, depth, status, title, markdown, links, content_hash }) => ({
      ...{ url, depth, status, title, markdown, links, content_hash },
    }))
    .sort((one, other) => (one.url < other.url ? -1 : 1));

async function view(server: StdioServer, runId: string): Promise<View> {
  return (await server.call('run_status', { run_id: runId })).json<View>();
}

const until = (server: StdioServer, runId: string, is: (view: View) => boolean): Promise<View> =>
  vi.waitFor(async () => {
    const now = await view(server, runId);
    if (!is(now)) throw new Error(`The run stays ${JSON.stringify(now)}.`);
    return now;
  }, PATIENCE);

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
  let server = await start(true);
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
    // The last one starts a browser again, as the first did.
    server = await start(next === SIZE);
    const interrupted = await view(server, runId);
    expect(interrupted.status).toBe('interrupted');
    // Fewer pages than it takes to kill it: a run that ended earlier would not be interrupted.
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
  site.allow(12);
  onTestFinished(() => site.allow(Infinity));
  const runId = await begin(launching);
  await until(launching, runId, ({ items }) => items >= 10);
  process.kill(findBelow(launching.pid, is), 'SIGKILL');
  site.allow(Infinity);
  await until(launching, runId, ({ status }) => status !== 'running');
  expect(await view(launching, runId)).toMatchObject({ status: 'completed' });
  expect(sorted(await itemsOf(launching, runId))).toEqual(undisturbed);
});

test('a worker that ends midway: the crawl continues with the next one, and its tabs are closed', async () => {
  const server = await start();
  try {
    site.allow(8);
    onTestFinished(() => site.allow(Infinity));
    const tabsBefore = (await server.call('tabs')).json<Tabs>().tabs;
    const runId = (
      await server.call('crawl', { ...args(), render: 'always', max_pages: 30, concurrency: 3 })
    ).json<View>().run_id;
    await until(server, runId, ({ items }) => items >= 5);
    await browser.scope.end();
    site.allow(Infinity);
    await until(server, runId, ({ status }) => status !== 'running');
    expect(await view(server, runId)).toMatchObject({ status: 'completed' });
    const items = await itemsOf(server, runId);
    expect(new Set(items.map(({ url }) => url)).size).toBe(30);
    expect((await server.call('tabs')).json<Tabs>().tabs).toHaveLength(tabsBefore.length);
  } finally {
    await server.close();
  }
});
