import type { ServerResponse } from 'node:http';
import { beforeEach, expect, test } from 'vitest';
import { calling, servePages } from '../support/calling.ts';
import { lendChromium } from '../support/lent-browser.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';

/** The server delays its request: the page runs no script until it is answered. */
const STUCK = `<title>The stuck page</title><script>onload = () => setTimeout(() => {
  const request = new XMLHttpRequest(); request.open('GET', '/held', false); request.send(); })</script>`;

/** Answering these resumes the pages: a stuck process would be given pages of the next test. */
const held: ServerResponse[] = [];
const site = await servePages({ stuck: STUCK }, { '/held': (response) => void held.push(response) });
const base = site.url('/', 'page.test');
const browser = await lendChromium();
let server: StdioServer;
const { failed } = calling(() => server);
beforeEach(async () => {
  server = await startServer({ env: browser.serverEnv });
  return async () => {
    for (const response of held.splice(0)) response.end();
    await server.close();
  };
});

test('a page that runs no script is named', async () => {
  await server.call('navigate', { url: `${base}stuck`, wait_until: 'domcontentloaded', timeout_ms: 5_000 });
  await expect.poll(() => held.length, { timeout: 30_000 }).toBe(1);
  const { code, message } = await failed('read_page');
  expect(code).toBe('page_unresponsive');
  expect(message).toContain('titled "The stuck page"');
});

test('a tab whose first address has not responded has no page yet', async () => {
  await server.call('navigate', { url: `${base}held`, timeout_ms: 1_000 });
  const { code, message } = await failed('read_page');
  expect(code).toBe('page_unresponsive');
  expect(message).toContain(`has no page yet: ${base}held has not responded`);
});
