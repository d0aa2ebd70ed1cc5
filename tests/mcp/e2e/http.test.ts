import { readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { serveFixtures, type FixtureServer } from '../../../fixtures/serve.ts';
import { startHttpServer, type HttpServerProcess } from '../../../scripts/lib/server-process.ts';
import { BUILT_EXTENSION, MAPPED_HOST, launchContext, type TestContext } from '../../support/browser.ts';
import { PATIENCE } from '../../support/patience.ts';
import { testFolder } from '../../support/test-folder.ts';

// Every page, extension and program of this machine can reach a server on HTTP. The requests that each of them can send
// are sent here, for real.

const home = testFolder();
let server: HttpServerProcess;
let port = 0;

beforeAll(async () => {
  server = await startHttpServer({ home });
  port = Number(new URL(server.url).port);
});
afterAll(() => server.stop());

type Sent = { readonly method?: string; readonly headers?: OutgoingHttpHeaders };
type Got = { readonly status: number; readonly headers: IncomingHttpHeaders };

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});

/** A header that a case sets to undefined is left out. */
const goodHeaders = (): OutgoingHttpHeaders => ({
  host: `127.0.0.1:${port}`,
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  authorization: `Bearer ${server.token}`,
});

/** Sends exactly these headers: `fetch` forbids setting Host or Origin. */
function send({ method = 'POST', headers = {} }: Sent = {}): Promise<Got> {
  const all = Object.entries({ ...goodHeaders(), ...headers }).filter(([, value]) => value !== undefined);
  const to = { host: '127.0.0.1', port, method, path: '/mcp', setHost: false, agent: false } as const;
  return new Promise((fulfil, reject) => {
    const request = httpRequest({ ...to, headers: Object.fromEntries(all) }, (response) => {
      response.resume();
      response.on('end', () => fulfil({ status: response.statusCode ?? 0, headers: response.headers }));
    });
    request.once('error', reject);
    request.end(method === 'POST' ? INITIALIZE : undefined);
  });
}

const NO_SESSION = '00000000-0000-4000-8000-000000000000';
const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};

test('a client of ours is served', async () => {
  expect((await send()).status).toBe(200);
  expect(
    (await send({ headers: { host: `localhost:${port}`, origin: `http://localhost:${port}` } })).status,
  ).toBe(200);
});

// Every rule is in tests/mcp/unit/http-guard.test.ts; here each kind is shown to be enforced.
test.each<[string, number, () => Sent]>([
  ['a host that was rebound', 403, () => ({ headers: { host: `evil.test:${port}` } })],
  ['a page of the web', 403, () => ({ headers: { origin: 'https://example.com' } })],
  ['what a page of another site sends', 403, () => ({ headers: { 'sec-fetch-site': 'cross-site' } })],
  ['no token', 401, () => ({ headers: { authorization: undefined } })],
  ['a form', 415, () => ({ headers: { 'content-type': 'text/plain' } })],
  ['a session that was guessed', 404, () => ({ headers: { 'mcp-session-id': NO_SESSION } })],
  ['an upgrade to a WebSocket', 426, () => ({ method: 'GET', headers: UPGRADE })],
])('refused %s', async (_what, status, sent) => {
  const got = await send(sent());
  expect(got.status).toBe(status);
  // No answer may let a page of another origin read it.
  expect(Object.keys(got.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  expect(got.headers['mcp-session-id']).toBeUndefined();
});

test('it listens on 127.0.0.1 and nowhere else', () => {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  const listeners = ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((table) => readFileSync(table, 'utf8').trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    // 0A is LISTEN; the address is in hexadecimal, its bytes in the machine's order.
    .flatMap(([, local = '', , state]) => (state === '0A' && local.endsWith(`:${wanted}`) ? [local] : []));
  expect(listeners).toEqual([`0100007F:${wanted}`]);
});

describe('in a browser', () => {
  const other = testFolder();
  let fixtures: FixtureServer;
  let browser: TestContext;

  beforeAll(async () => {
    const manifest = {
      manifest_version: 3,
      name: 'Another extension',
      version: '1',
      background: { service_worker: 'worker.js' },
      host_permissions: ['<all_urls>'],
    };
    writeFileSync(join(other, 'manifest.json'), JSON.stringify(manifest));
    writeFileSync(join(other, 'worker.js'), 'self.isOther = true;');
    fixtures = await serveFixtures();
    browser = await launchContext({ extension: `${BUILT_EXTENSION},${other}` });
  });
  afterAll(async () => {
    await browser.close();
    await fixtures.close();
  });

  /** Runs in the browser: status of the answer, or the name of `fetch`'s error. */
  const post = ({
    url,
    token,
    body,
  }: {
    url: string;
    token: string;
    body: string;
  }): Promise<number | string> =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
      },
      body,
    }).then(
      ({ status }) => status,
      (error: Error) => error.name,
    );

  test('a page whose name was rebound to loopback is refused, though it is of our origin', async () => {
    const page = await browser.context.newPage();
    const url = `http://${MAPPED_HOST}:${port}/mcp`;
    expect((await page.goto(url))?.status()).toBe(403);
    expect(await page.evaluate(post, { url, token: server.token, body: INITIALIZE })).toBe(403);
    await page.close();
  });

  test('a page of another origin can neither read nor send a call', async () => {
    const page = await browser.context.newPage();
    await page.goto(`${fixtures.url}/many-pages/tiny.html`);
    const sent = { url: server.url, token: server.token, body: INITIALIZE };
    expect(await page.evaluate(post, sent)).toBe('TypeError');
    const simple = await page.evaluate(
      ({ url, body }) => fetch(url, { method: 'POST', mode: 'no-cors', body }).then(({ type }) => type),
      sent,
    );
    expect(simple).toBe('opaque');
    await page.close();
  });

  test('another extension is refused, with every permission it can have', async () => {
    const worker = await vi.waitFor(async () => {
      for (const one of browser.context.serviceWorkers())
        if (await one.evaluate(() => 'isOther' in globalThis)) return one;
      throw new Error('The worker of the other extension has not started.');
    }, PATIENCE);
    const url = server.url;
    expect(await worker.evaluate(post, { url, token: server.token, body: INITIALIZE })).toBe(403);
    const read = await worker.evaluate((address) => fetch(address).then(({ status }) => status), url);
    expect([401, 403]).toContain(read);
  });
});
