import { expect, test } from 'vitest';
import { calling, servePages } from '../../support/calling.ts';
import { lendBrowser } from '../../support/launched.ts';
import { PATIENCE } from '../../support/patience.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';

const site = await servePages({
  shared: `<title>Shared</title><input aria-label="Text"><button id="go">Go</button>`,
  other: '<title>Other</title><p>Another page</p>',
});
const base = site.url('/', 'page.test');
const { scope: worker, serverEnv: env } = await lendBrowser('private');
const first = await startServer({ env, clientName: 'first-agent' });
const second = await startServer({ env, clientName: 'second-agent' });
const { ok, openTab } = calling(() => first);
const shared = (server: StdioServer): Promise<string> => openTab(`${base}shared`, server);

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
  await ok('navigate', { url: `${base}other`, tab: tabs[1] });
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
