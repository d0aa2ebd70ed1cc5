import { afterAll, beforeAll, expect, it } from 'vitest';
import { file, serveFiles, type FileSite } from '../support/file-site.ts';
import { tokensOf } from '../support/metered.ts';
import { launched } from '../support/launched.ts';

/* One row of a large table, as an agent looks for it: without reading the others. */

const { server } = await launched();
let site: FileSite;

const rows = Array.from(
  { length: 3_000 },
  (_, at) =>
    `<tr><td><a href="/p/${at}">SKU-${10_000 + at}</a></td><td>Product ${at}</td><td>${(at * 37) % 1_000}.50</td><td><button>Buy</button></td></tr>`,
).join('');

beforeAll(async () => {
  site = await serveFiles({
    '/shop': file(
      `<!doctype html><title>Shop</title><h1>Shop</h1><table><tr><th>No</th><th>Name</th><th>Price</th><th>Act</th></tr>${rows}</table>`,
      { 'content-type': 'text/html; charset=utf-8' },
    ),
  });
  await server.call('navigate', { url: site.url('/shop') });
});
afterAll(() => site.close());

it.each(['markdown', 'snapshot'])('one call and few tokens find a row of 3,000, as %s', async (format) => {
  const answer = await server.call('read_page', { find: 'SKU-12345', format });
  expect(answer.isError, answer.text).toBe(false);
  expect(answer.text).toContain('SKU-12345');
  expect(answer.text).toContain('Product 2345');
  expect(tokensOf(answer.text)).toBeLessThan(300);
});

it('the second call acts on what was found', async () => {
  const found = await server.call('read_page', { find: 'SKU-12345', format: 'snapshot' });
  const ref = /SKU-12345.*(e\d+) button Buy/.exec(found.text)?.[1];
  expect(ref, found.text).toBeDefined();
  const clicked = await server.call('interact', { steps: [`click ${ref}`] });
  expect(clicked.isError, clicked.text).toBe(false);
  expect(tokensOf(found.text)).toBeLessThan(300);
});
