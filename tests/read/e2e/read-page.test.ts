import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { MAPPED_HOST } from '../../support/browser.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { servePages } from '../../support/calling.ts';
import { launched } from '../../support/launched.ts';
import { itDeep } from '../../support/depth.ts';

const { site: fixtures, ok } = await launched();
const FORMATS = ['markdown', 'text', 'html', 'snapshot', 'nodes'];

const rows = Array.from(
  { length: 3_000 },
  (_, at) =>
    `<tr><td><a href="/p/${at}">SKU-${10_000 + at}</a></td><td>Product ${at}</td><td>${(at * 37) % 1_000}.50</td><td><button>Buy</button></td></tr>`,
).join('');

const LOST =
  'opacity:0 color:transparent color:#fff scale:0 visibility:hidden font-size:0 translate:-999px'.split(' ');
const FADING = `<!doctype html><style>p{animation:1s both}</style>${LOST.map(
  (lost, at) =>
    `<style>@keyframes in${at}{from{${lost}}}@keyframes out${at}{to{${lost}}}</style><p style="animation-name:in${at}">coming-${at}</p>
    <p style="animation:out${at} 1s reverse both">back-${at}</p><p style="animation:out${at} 1s">past-${at}</p><p style="animation-name:out${at}">going-${at}</p>`,
).join('')}`;

const site = await servePages({
  shop: `<!doctype html><title>Shop</title><h1>Shop</h1><table><tr><th>No</th><th>Name</th><th>Price</th><th>Act</th></tr>${rows}</table>`,
  fading: FADING,
});

const open = (url: string): Promise<CallAnswer> => ok('navigate', { url });
const read = (args: Record<string, unknown> = {}): Promise<CallAnswer> => ok('read_page', args);

test('a closed shadow tree is read, without what is hidden', async () => {
  await open(`http://${MAPPED_HOST}:${fixtures.port}/many-pages/shadow-closed.html`);
  for (const format of FORMATS) {
    const { text } = await read({ format });
    expect(text).not.toBe('');
    expect(text).not.toContain('hidden-');
  }
});

itDeep('what fades in a tab behind others is read as it will be', async () => {
  await open(site.url('/fading', MAPPED_HOST));
  for (const format of FORMATS) {
    const { text } = await read({ format });
    for (const [at, lost] of LOST.entries())
      expect(text, lost).toMatch(new RegExp(`coming-${at}[^]*back-${at}[^]*past-${at}`));
    expect(text).not.toContain('going');
  }
});

test('one call and few tokens find a row of 3,000, and the second acts on it', async () => {
  await open(site.url('/shop', MAPPED_HOST));
  for (const format of ['markdown', 'text', 'snapshot']) {
    const { text, notes } = await read({ find: 'sku-12345', format });
    expect(text).toContain('SKU-12345');
    expect(text).toContain('Product 2345');
    if (format !== 'text') expect(text).toMatch(/^# Shop\n/);
    expect(countTokens(text)).toBeLessThan(300);
    expect(notes).toMatch(/find: 1 of \d+ lines contains "sku-12345"/);
  }
  const { text } = await read({ find: 'SKU-12345', format: 'snapshot' });
  const ref = /SKU-12345.*(e\d+) button Buy/.exec(text)?.[1];
  expect(ref, text).toBeDefined();
  await ok('interact', { steps: [`click ${ref}`] });
});
