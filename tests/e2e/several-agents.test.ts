import type { ServerResponse } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { lendChromium, type LentChromium } from '../support/lent-browser.ts';
import type { CallAnswer } from '../support/call-tool.ts';
import { PATIENCE } from '../support/patience.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';
import type { WorkerScope } from '../support/worker-scope.ts';
import { answerAt } from '../support/file-site.ts';

const PAGE = `<title>Shared</title><input aria-label="Text"><button id="go">Go</button>`;

let base: string;
/** Requests of calls in progress: their pages show the awaited state when these are answered. */
const held: ServerResponse[] = [];
let browser: LentChromium;
let first: StdioServer;
let second: StdioServer;
let worker: WorkerScope;

beforeAll(async () => {
  const port = await answerAt((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    if (path === '/held') return void held.push(response);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(path === '/shared' ? PAGE : '<title>Other</title><p>Another page</p>');
  });
  base = `http://page.test:${port}/`;
  browser = await lendChromium();
  worker = browser.scope;
  const env = browser.serverEnv;
  [first, second] = await Promise.all([
    startServer({ env, clientName: 'first-agent' }),
    startServer({ env, clientName: 'second-agent' }),
  ]);
});

async function ok(
  server: StdioServer,
  name: string,
  args: Record<string, unknown> = {},
): Promise<CallAnswer> {
  const answer = await server.call(name, args);
  expect(answer.isError, answer.text).toBe(false);
  return answer;
}

/** A tab with the shared page, by the id that all servers of one browser use. */
async function shared(server: StdioServer): Promise<string> {
  const { opened } = (await ok(server, 'tabs', { action: 'open', url: `${base}shared` })).json<{
    opened: string;
  }>();
  await ok(server, 'read_page', { tab: opened, wait_for: { selector: '#go' } });
  return opened;
}

interface Group {
  readonly id: number;
  readonly title: string;
  readonly color: string;
  readonly urls: readonly string[];
}

const groups = (): Promise<readonly Group[]> =>
  worker.evaluate(`(async () => Promise.all((await chrome.tabGroups.query({})).map(async ({ id, title, color }) =>
    ({ id, title, color, urls: (await chrome.tabs.query({ groupId: id })).map(({ url }) => url) }))))()`);

test('tabs that a session opens are in one group with its name, and those of another in another', async () => {
  const before = await worker.evaluate<number>(
    '(async () => (await chrome.tabs.query({ active: true, lastFocusedWindow: true }))[0].id)()',
  );
  const tabs = [await shared(first), await shared(first)];
  await ok(first, 'navigate', { url: `${base}other`, tab: tabs[1] });
  await shared(second);
  const named = await groups();
  const own = named.filter(({ title }) => title === 'first-agent');
  expect(own).toHaveLength(1);
  expect(own[0]?.urls).toContain(`${base}other`);
  expect(named.filter(({ title }) => title === 'second-agent')).toHaveLength(1);
  const after = await worker.evaluate<number>(
    '(async () => (await chrome.tabs.query({ active: true, lastFocusedWindow: true }))[0].id)()',
  );
  expect(after).toBe(before);
  await second.close();
  await expect
    .poll(async () => (await groups()).map(({ title }) => title), PATIENCE)
    .toEqual(['first-agent']);
});
