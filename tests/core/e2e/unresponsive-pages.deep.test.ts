import type { ServerResponse } from 'node:http';
import { afterAll, test } from 'vitest';
import { calling, servePages } from '../../support/calling.ts';
import { lendChromium } from '../../support/lent-browser.ts';
import { startServer } from '../../support/stdio-server.ts';

/** The server delays its request: the page runs no script until it is answered. */
const STUCK = `<title>The stuck page</title><script>onload = () => setTimeout(() => {
  const request = new XMLHttpRequest(); request.open('GET', '/held', false); request.send(); })</script>`;

/** By path. Answering them resumes the pages: a stuck process would be given pages of the next file. */
const held = new Map<string, ServerResponse>();
const hold = (path: string) => ({ [path]: (response: ServerResponse) => void held.set(path, response) });
const site = await servePages({ stuck: STUCK }, { ...hold('/held'), ...hold('/silent'), ...hold('/slow') });
const base = site.url('/', 'page.test');
const browser = await lendChromium();
const server = await startServer({ env: browser.serverEnv });
const { ok, failed } = calling(() => server);
afterAll(async () => {
  for (const response of held.values()) response.end();
  await server.close();
});

test.concurrent.for([
  ['a page that runs no script is named', 'stuck', '/held', 'titled "The stuck page"'],
  [
    'a tab whose first address has not responded has no page yet',
    'silent',
    '/silent',
    `has no page yet: ${base}silent has not responded`,
  ],
] as const)('%s', async ([, page, asks, says], { expect }) => {
  const { opened: tab } = (await ok('tabs', { action: 'open', url: base + page })).json<{ opened: string }>();
  await expect.poll(() => held.has(asks)).toBe(true);
  const { code, message } = await failed('read_page', { tab });
  expect(code).toBe('page_unresponsive');
  expect(message).toContain(says);
});

test('calls on a new tab wait for its first page', async ({ expect }) => {
  const { opened: tab } = (await ok('tabs', { action: 'open', url: `${base}slow` })).json<{
    opened: string;
  }>();
  await expect.poll(() => held.has('/slow')).toBe(true);
  const answers = Promise.all([
    ok('evaluate', { tab, code: '() => document.title' }),
    ok('find', { tab, text: 'Wheat' }),
    ok('storage', { tab, action: 'list' }),
  ]);
  await ok('tabs', { action: 'list' });
  held.get('/slow')?.end('<title>Slow</title><p>Wheat');
  const [title, found, stored] = await answers;
  expect([title.text, found.text, stored.text]).toEqual([
    '"Slow"',
    expect.stringContaining('paragraph Wheat'),
    expect.stringContaining('"entries"'),
  ]);
});
