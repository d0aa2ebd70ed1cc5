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

test.each(Object.entries(longPages))('%s is what its generator writes', (file, make) => {
  expect(readFileSync(join(SITE, file), 'utf8') === make()).toBe(true);
});

test('many-pages has at least 30 pages, and each is linked from the index', () => {
  const pages = readdirSync(SITE).filter((file) => file.endsWith('.html'));
  const index = readFileSync(join(SITE, 'index.html'), 'utf8');
  expect(pages.length).toBeGreaterThanOrEqual(30);
  expect(pages.filter((file) => file !== 'index.html' && !index.includes(`href="${file}"`))).toEqual([]);
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
