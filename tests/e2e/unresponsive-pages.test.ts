import type { ServerResponse } from 'node:http';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { WireError } from '../../shared/errors.ts';
import { lendChromium, type LentChromium } from '../support/lent-browser.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';
import { answerAt } from '../support/file-site.ts';

/** The server delays its request: the page runs no script until it is answered. */
const STUCK = `<title>The stuck page</title><script>onload = () => setTimeout(() => {
  const request = new XMLHttpRequest(); request.open('GET', '/held', false); request.send(); })</script>`;

/** Answering these resumes the pages: a stuck process would be given pages of the next test. */
const held: ServerResponse[] = [];
let base: string;
let browser: LentChromium;
let server: StdioServer;

beforeAll(async () => {
  const port = await answerAt((request, response) => {
    if (request.url === '/held') return void held.push(response);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(STUCK);
  });
  base = `http://page.test:${port}/`;
  browser = await lendChromium();
});
beforeEach(async () => {
  server = await startServer({ env: browser.serverEnv });
  return async () => {
    for (const response of held.splice(0)) response.end();
    await server.close();
  };
});

async function failedRead(): Promise<WireError> {
  const answer = await server.call('read_page', {});
  expect(answer.isError, answer.text).toBe(true);
  return answer.json<{ readonly error: WireError }>().error;
}

test('a page that runs no script is named', async () => {
  await server.call('navigate', { url: `${base}stuck`, wait_until: 'domcontentloaded', timeout_ms: 5_000 });
  await expect.poll(() => held.length, { timeout: 30_000 }).toBe(1);
  const { code, message } = await failedRead();
  expect(code).toBe('page_unresponsive');
  expect(message).toContain('titled "The stuck page"');
});

test('a tab whose first address has not responded has no page yet', async () => {
  await server.call('navigate', { url: `${base}held`, timeout_ms: 1_000 });
  const { code, message } = await failedRead();
  expect(code).toBe('page_unresponsive');
  expect(message).toContain(`has no page yet: ${base}held has not responded`);
});
