import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { lendChromium, type LentChromium } from '../support/lent-browser.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';

/** With many hundreds of documents that load each other a page runs no other script for seconds. */
const MOST_DOCUMENTS = 150;
const MANY = 1_000;
/** Of a page that takes so long to load. */
const TIME = { timeout: 180_000 };

let http: Server;
let port: number;
let browser: LentChromium;
let server: StdioServer;
/** Documents of the page that embeds itself that were asked for; those beyond the most have no frames. */
let documents = 0;

/**
 * A page with frames of its own address, or of the same address at the `other` site in turns. Their queries
 * differ: a browser loads no frame of an address that is around it.
 */
function embedding(host: string, query: URLSearchParams): string {
  const depth = Number(query.get('depth') ?? 0);
  const width = documents <= MOST_DOCUMENTS ? Number(query.get('width')) : 0;
  const other = query.get('other') ?? host;
  const frame = (at: number): string => {
    const more = new URLSearchParams({ width: `${width}`, depth: `${depth + 1}`, of: `${documents}.${at}` });
    if (other !== host) more.set('other', host);
    return `<iframe src="http://${other}/?${more}"></iframe>`;
  };
  const frames = Array.from({ length: width }, (_, at) => frame(at));
  return `<title>Itself</title><p>Depth ${depth}</p>${frames.join('')}<p>After ${depth}</p>`;
}

beforeAll(async () => {
  http = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (pathname === '/many') {
      const frames = '<iframe srcdoc="<p>Leaf"></iframe>'.repeat(MANY);
      response.end(`<title>Many</title><p>Around</p>${frames}<p>After them all</p>`);
    } else if (pathname === '/') {
      documents += 1;
      response.end(embedding(request.headers.host ?? '', searchParams));
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  port = (http.address() as AddressInfo).port;
  browser = await lendChromium();
});
beforeEach(async () => {
  documents = 0;
  server = await startServer({ env: browser.serverEnv });
  return () => server.close();
});
afterAll(async () => {
  await browser.close();
  http.closeAllConnections();
  http.close();
});

interface Listed {
  readonly url: string;
  readonly loading?: true;
}

async function hasLoaded(url: string): Promise<boolean> {
  const answer = await server.call('tabs', { action: 'list' });
  const { tabs } = answer.json<{ readonly tabs: readonly Listed[] }>();
  return tabs.some((tab) => tab.url === url && tab.loading === undefined);
}

interface Read {
  readonly text: string;
  readonly notes: string;
}

async function read(url: string): Promise<Read> {
  await server.call('navigate', { url, wait_until: 'domcontentloaded' });
  // The browser knows it, however busy the page is.
  await expect.poll(() => hasLoaded(url), { timeout: 150_000 }).toBe(true);
  // It may still be laid out: the first answer says that its script runs again.
  const answers = async () => !(await server.call('read_page', { selector: 'title' })).isError;
  await expect.poll(answers, { timeout: 150_000 }).toBe(true);
  const answer = await server.call('read_page', { format: 'text' });
  expect(answer.isError, answer.text).toBe(false);
  await server.call('tabs', { action: 'close' });
  return answer;
}

/** Documents whose text was read, and the greatest depth of one. */
function countOf({ text }: Read): { documents: number; depth: number } {
  const depths = [...text.matchAll(/^Depth (\d+)$/gm)].map(([, depth]) => Number(depth));
  return { documents: depths.length, depth: Math.max(...depths) };
}

test('a page that embeds itself once is read to its end', TIME, async () => {
  const answer = await read(`http://once.test:${port}/?width=1`);
  expect(countOf(answer)).toEqual({ documents, depth: documents - 1 });
  expect(answer.text).toMatch(/^After 0$/m);
});

test('a page that embeds itself twice, and so on, is read whole', TIME, async () => {
  const answer = await read(`http://twice.test:${port}/?width=2`);
  expect(countOf(answer).documents).toBe(documents);
  expect(answer.text).toMatch(/^After 0$/m);
});

test(
  'of two sites that embed each other as much is read as is allowed, and the next frame is named',
  TIME,
  async () => {
    const answer = await read(`http://one.test:${port}/?width=1&other=two.test:${port}`);
    expect(countOf(answer).depth).toBe(16);
    expect(answer.text).toMatch(/^After 0$/m);
    expect(answer.notes).toMatch(/closed_frame: Frame http:..two\.test:\d+.* could not be read/);
  },
);

test('a page with 1,000 frames of its own site is read whole', TIME, async () => {
  const { text } = await read(`http://many.test:${port}/many`);
  expect(text).toMatch(/^Around$/m);
  expect(text.match(/^Leaf$/gm)).toHaveLength(MANY);
  expect(text).toMatch(/^After them all$/m);
});
