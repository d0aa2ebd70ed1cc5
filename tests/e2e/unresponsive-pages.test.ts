import type { ServerResponse } from 'node:http';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { WireError } from '../../shared/errors.ts';
import { lendChromium, type LentChromium } from '../support/lent-browser.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';
import { answerAt } from '../support/file-site.ts';

/** A request that the server delays: the page runs no script until it is answered. */
const ask = (path: string): string =>
  `const request = new XMLHttpRequest(); request.open('GET', '/${path}', false); request.send();`;
const HANG = `<script>onload = () => setTimeout(() => { ${ask('held')} })</script>`;

const PAGES: Readonly<Record<string, string>> = {
  around: `<title>The stuck page</title><p>Unread</p>
    <iframe src="http://first.test:PORT/outer"></iframe><iframe src="http://second.test:PORT/held-frame"></iframe>
    <iframe src="http://third.test:PORT/leaf"></iframe>${HANG}`,
  outer: '<p>The outer frame</p><iframe src="http://fourth.test:PORT/inner"></iframe><p>its end</p>',
  inner: '<p>The inner frame</p>',
  leaf: '<p>The last frame</p><a href="/x">A link</a>',
  'held-frame': `<p>Unread frame</p>${HANG}`,
};

/** Requests of pages that run nothing more, by path. */
const arrived = new Map<string, number>();
/** Answering these resumes them: a stuck process would be given frames of the next test. */
const held: ServerResponse[] = [];
let base: string;
let browser: LentChromium;
let server: StdioServer;

beforeAll(async () => {
  const port = await answerAt((request, response) => {
    const name = new URL(request.url ?? '/', 'http://x').pathname.slice(1);
    arrived.set(name, (arrived.get(name) ?? 0) + 1);
    if (name === 'held') return void held.push(response);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end((PAGES[name] ?? '').replaceAll('PORT', String(request.socket.localPort)));
  });
  base = `http://page.test:${port}/`;
  browser = await lendChromium();
});
beforeEach(async () => {
  arrived.clear();
  server = await startServer({ env: browser.serverEnv });
  return async () => {
    for (const response of held.splice(0)) response.end();
    await server.close();
  };
});

async function open(name: string, path = 'held', count = 1): Promise<void> {
  await server.call('navigate', { url: base + name, wait_until: 'domcontentloaded', timeout_ms: 5_000 });
  await expect.poll(() => arrived.get(path) ?? 0, { timeout: 30_000 }).toBe(count);
}

async function failedRead(args: Record<string, unknown>): Promise<WireError> {
  const answer = await server.call('read_page', args);
  expect(answer.isError, answer.text).toBe(true);
  return answer.json<{ readonly error: WireError }>().error;
}

test('its frames in other processes are read, and the page around them is said to be missing', async () => {
  await open('around', 'held', 2);
  // Concurrently, since each waits until the page has had its time.
  const [answer, snapshot, selected] = await Promise.all([
    server.call('read_page', { format: 'text' }),
    server.call('read_page', { format: 'snapshot' }),
    failedRead({ selector: 'p' }),
  ]);
  expect(answer.isError, answer.text).toBe(false);
  const words = answer.text.split('\n').filter((line) => /^(?:The|its) /.test(line));
  expect(words).toEqual(['The outer frame', 'The inner frame', 'its end', 'The last frame']);
  expect(answer.text).not.toContain('Unread');
  expect(answer.notes).toContain('page_unresponsive: Only frames could be read.');
  expect(answer.notes).toContain('"The stuck page"');
  expect(answer.notes).toContain('navigate');
  expect(answer.notes).toContain('closed_frame: Frame http://second.test');
  const refs = [...snapshot.text.matchAll(/\b(?:f\d+)+e\d+\b/g)].map(([ref]) => ref);
  expect(refs.length).toBeGreaterThan(0);
  expect(new Set(refs).size).toBe(refs.length);
  // A selector for the page matches nothing in its frames.
  expect(selected.code).toBe('page_unresponsive');
});

test('a tab whose first address has not responded has no page yet', async () => {
  await server.call('navigate', { url: `${base}held`, timeout_ms: 1_000 });
  const { code, message } = await failedRead({});
  expect(code).toBe('page_unresponsive');
  expect(message).toContain(`has no page yet: ${base}held has not responded`);
});
