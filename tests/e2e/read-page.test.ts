import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveFixtures, type FixtureServer } from '../../fixtures/serve.ts';
import { MAPPED_HOST } from '../support/browser.ts';
import { launched } from '../support/launched.ts';

/** `read_page` as an agent calls it: real client, server, host, worker, and a browser without other control. */
const { server } = await launched();
let site: FixtureServer;

beforeAll(async () => {
  site = await serveFixtures();
});
afterAll(async () => {
  await site.close();
});

async function read(name: string, args: Record<string, unknown> = {}): Promise<string> {
  const url = `http://${MAPPED_HOST}:${site.port}/many-pages/${name}.html`;
  const opened = await server.call('navigate', { url });
  expect(opened.isError, opened.text).toBe(false);
  const answer = await server.call('read_page', args);
  expect(answer.isError, answer.text).toBe(false);
  return answer.text;
}

test('frames of several origins are in place, in a tab behind the front one', async () => {
  const text = await read('frames-nested');
  const inner = text.indexOf('[frame http://localhost:');
  expect(text.indexOf('[frame http://fixture.test:')).toBeLessThan(inner);
  expect(text.match(/^Text of the inner frame/gm)).toHaveLength(4);
  expect(text.trimEnd().endsWith('After all frames.')).toBe(true);
});

test.each(['shadow-open', 'shadow-closed', 'shadow-slots', 'shadow-declarative'])(
  '%s is read through',
  async (name) => {
    for (const format of ['markdown', 'text', 'html', 'snapshot']) {
      const text = await read(name, { format });
      expect(text).not.toBe('');
      expect(text).not.toContain('hidden-');
    }
  },
);

test.each(['markdown', 'text', 'html', 'snapshot', 'nodes'])(
  '%s: what is hidden stays away',
  async (format) => {
    const text = await read('hidden', { format });
    expect(text).toContain('visible-far-below');
    expect(text).not.toContain('hidden-');
  },
);

test('nodes are an array of items', async () => {
  const items: unknown = JSON.parse(await read('headings', { format: 'nodes' }));
  expect(items).toEqual(expect.arrayContaining([expect.objectContaining({ role: 'heading', tag: 'h1' })]));
});

test('main content leaves out what surrounds the article', async () => {
  const text = await read('article', { main_content_only: true });
  expect(text).toMatch(/^# The tide mill at Oosterhaven\n/);
  expect(text).toContain('The dike has to be raised');
  expect(text).not.toContain('Advertisement');
  expect(text).not.toContain('Cookies, terms');
});

test('lazy pictures that a tab in the background has not loaded are named', async () => {
  const files: Server = createServer((request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<p>words</p><img loading="lazy" src="/late.png" alt="late" width="9" height="9">');
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  const address = files.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const opened = await server.call('navigate', { url: `http://${MAPPED_HOST}:${port}/` });
  expect(opened.isError, opened.text).toBe(false);
  const { text, notes } = await server.call('read_page', {});
  expect(text).toContain('words');
  expect(notes).toContain('background_tab: The tab is in the background');
  files.closeAllConnections();
  files.close();
});

test('passwords stay in the page', async () => {
  for (const format of ['markdown', 'text', 'html', 'snapshot', 'nodes'])
    for (const include_hidden of [false, true])
      expect(await read('form-signup', { format, include_hidden })).not.toMatch(
        /correct horse|hunter|4111|secret/i,
      );
});

/** Documents that are not HTML: what a person would see of them, in every format. */
const documents: Record<string, { readonly type: string; readonly body: string; readonly holds: string }> = {
  '/svg': {
    type: 'image/svg+xml',
    body: '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60"><text x="5" y="30">Drawn words</text></svg>',
    holds: 'Drawn words',
  },
  '/xml': {
    type: 'application/xml',
    body: '<?xml version="1.0"?><feed><entry>First entry</entry></feed>',
    holds: 'First entry',
  },
  '/xhtml': {
    type: 'application/xhtml+xml',
    body: '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title></head><body><p>Strict words</p></body></html>',
    holds: 'Strict words',
  },
  '/json': { type: 'application/json', body: '{"words": "as JSON"}', holds: 'as JSON' },
  '/text': { type: 'text/plain', body: 'Plain words', holds: 'Plain words' },
};

test.each(Object.keys(documents))('%s, which is not HTML, is read in every format', async (path) => {
  const files: Server = createServer((request, response) => {
    const found = documents[request.url ?? ''];
    if (found === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': found.type }).end(found.body);
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  const address = files.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const opened = await server.call('navigate', { url: `http://${MAPPED_HOST}:${port}${path}` });
  expect(opened.isError, opened.text).toBe(false);
  for (const format of ['markdown', 'text', 'html', 'snapshot', 'nodes']) {
    const answer = await server.call('read_page', { format });
    expect(answer.isError, answer.text).toBe(false);
    expect(answer.text.replaceAll('\\', '')).toContain(documents[path]?.holds);
  }
  files.closeAllConnections();
  files.close();
});

test.each(['markdown', 'text', 'snapshot'])(
  'find answers one row of a large table, as %s',
  async (format) => {
    const row = (at: number): string => `<tr><td>${at}</td><td>Item ${at}</td><td>${at}.50 EUR</td></tr>`;
    const rows = Array.from({ length: 2_000 }, (_, at) => row(at + 1)).join('');
    const page = `<!doctype html><title>Stock</title><h1>Stock</h1><table><tr><th>No</th><th>Name</th><th>Price</th></tr>${rows}</table>`;
    const files: Server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    });
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
    const address = files.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await server.call('navigate', { url: `http://${MAPPED_HOST}:${port}/` });
    const answer = await server.call('read_page', { format, find: 'item 1377' });
    files.closeAllConnections();
    files.close();
    expect(answer.text).toContain('1377.50 EUR');
    if (format !== 'text') expect(answer.text).toMatch(/^# Stock\n(…\n)?\|? ?No *\|/);
    expect(answer.text.length).toBeLessThan(500);
    expect(answer.notes).toMatch(/find: 1 of \d+ lines contains "item 1377"/);
  },
);
