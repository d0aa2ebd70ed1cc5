import { readFileSync, readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longPages } from '../../../fixtures/long-pages.ts';
import { SITES, serveFixtures, type FixtureServer } from '../../../fixtures/serve.ts';

const SITE = join(SITES, 'many-pages');
let server: FixtureServer;
beforeAll(async () => {
  server = await serveFixtures();
});
afterAll(() => server.close());

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(server.url + path, { redirect: 'manual', ...init });

test.each(Object.entries(longPages))('%s is what its generator writes', (file, make) => {
  expect(readFileSync(join(SITE, file), 'utf8') === make()).toBe(true);
});

test('many-pages has at least 30 pages, and each is linked from the index', () => {
  const pages = readdirSync(SITE).filter((file) => file.endsWith('.html'));
  const index = readFileSync(join(SITE, 'index.html'), 'utf8');
  expect(pages.length).toBeGreaterThanOrEqual(30);
  expect(pages.filter((file) => file !== 'index.html' && !index.includes(`href="${file}"`))).toEqual([]);
});

test('a site answers its files and its folder', async () => {
  const page = await get('/many-pages/');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await page.text()).toBe(readFileSync(join(SITE, 'index.html'), 'utf8'));
  expect((await get('/many-pages')).headers.get('location')).toBe('/many-pages/');
  expect((await get('/many-pages/nothing.html')).status).toBe(404);
});

test('nothing outside the sites is served', async () => {
  const status = await new Promise((fulfil, reject) => {
    // `fetch` would tidy the path before sending it.
    httpRequest(
      { port: server.port, host: '127.0.0.1', path: '/many-pages/..%2f..%2fserve.ts' },
      (response) => {
        response.resume();
        fulfil(response.statusCode);
      },
    )
      .once('error', reject)
      .end();
  });
  expect(status).toBe(404);
});

test('helpers answer what no file can', async () => {
  expect((await get('/__/status/503')).status).toBe(503);
  const chain = await fetch(`${server.url}/__/redirect/5?to=/many-pages/tiny.html`);
  expect(chain.url).toBe(`${server.url}/many-pages/tiny.html`);
  await expect(fetch(`${server.url}/__/redirect-loop`)).rejects.toThrow();
  await expect(get('/__/drop')).rejects.toThrow();
  const elsewhere = await get('/__/cross?to=/many-pages/tiny.html');
  expect(elsewhere.headers.get('location')).toBe(`http://localhost:${server.port}/many-pages/tiny.html`);
  expect((await get('/__/auth')).status).toBe(401);
  const known = { authorization: `Basic ${btoa('user:password')}` };
  expect((await get('/__/auth', { headers: known })).status).toBe(200);
  expect(await (await get('/__/echo', { method: 'POST', body: 'hello' })).json()).toMatchObject({
    method: 'POST',
    body: 'hello',
  });
  const file = await get('/__/download?name=tide.bin&bytes=10');
  expect(file.headers.get('content-disposition')).toContain('tide.bin');
  expect((await file.arrayBuffer()).byteLength).toBe(10);
  expect((await get('/__/sections/10')).status).toBe(200);
  expect((await get('/__/unknown')).status).toBe(404);
});

test('closing drops an answer that never ends', async () => {
  const own = await serveFixtures();
  const never = await fetch(`${own.url}/__/never`);
  await Promise.all([expect(never.text()).rejects.toThrow(), own.close()]);
});
