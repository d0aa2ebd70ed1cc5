import { beforeAll, describe, expect, test } from 'vitest';
import type { ReadPageOptions } from '../../../shared/read/read_page.methods.ts';
import { openPageLab } from '../../support/page-lab/lab.ts';
import { squash, textOf } from '../../support/page-lab/texts.ts';
import { testPages } from '../../support/page-cases.ts';

/** Visible content that is not a plain text node: each format has it, and the lines have it once. */
const lab = await openPageLab();
const LINES = ['markdown', 'text', 'snapshot'] as const satisfies readonly ReadPageOptions['format'][];
const ELEMENTS = ['html', 'nodes'] as const satisfies readonly ReadPageOptions['format'][];
const plain = (text: string): string => text.replace(/\\([^\w\s])/g, '$1').replace(/\s+/g, ' ');
const withoutTags = (html: string): string => plain(html.replace(/<[^>]*>/g, ''));
const occurrences = (text: string, part: string): number => text.split(part).length - 1;

testPages('seen', 'dom/seen', async (page) => {
  const { once, never = [] } = page.json<{
    readonly once: readonly string[];
    readonly never?: readonly string[];
  }>();
  const asked = [...LINES, ...ELEMENTS].map((format) => ({ format, include_links: format !== 'text' }));
  const texts = await lab.call('readFormats', page.html, asked);
  for (const [at, format] of LINES.entries()) {
    const text = plain(texts[at] ?? '');
    for (const part of once)
      expect.soft([format, part, occurrences(text, part), text]).toEqual([format, part, 1, text]);
    for (const part of never)
      expect.soft([format, text]).not.toEqual([format, expect.stringContaining(part)]);
  }
  for (const [at, format] of ELEMENTS.entries()) {
    const text = texts[LINES.length + at] ?? '';
    const seen = `${plain(text)} ${withoutTags(text)}`;
    for (const part of once) expect.soft([format, seen]).toEqual([format, expect.stringContaining(part)]);
  }
});

describe('what is not read, or cannot be used', () => {
  testPages('a note', 'dom/notes', async (page) => {
    const { coverage } = await lab.call('read', page.html, { format: 'snapshot' });
    expect(coverage.map(({ kind }) => kind)).toEqual(page.json());
  });

  test('a note counts, and says how to get the rest', async () => {
    const html = '<details><summary>a</summary>b</details>'.repeat(2);
    const { coverage } = await lab.call('read', html, {});
    expect(coverage).toEqual([
      {
        kind: 'closed_details',
        detail:
          '2 details elements are closed and only the summary was read; click the summary and read again, or read with include_hidden.',
      },
    ]);
  });
});

describe('a style sheet of another site, whose rules cannot be read', () => {
  const SHEET = '<link rel="stylesheet" href="http://styles.test/shop.css">';
  const RULES = `.price::before { content: "EUR " } li:last-child::before { content: "Last: " }
    #total::after { content: " in all" } [data-new]::after { content: " (new)" } .icon::before { content: "\\e900" }`;
  beforeAll(async () => {
    await lab.page.route('http://styles.test/**', (route) =>
      route.fulfill({ contentType: 'text/css', body: RULES }),
    );
  });
  const read = async (html: string): Promise<string> =>
    (await lab.call('read', SHEET + html, { format: 'text' })).text;

  test.each([
    ['class', '<p>20</p><p class="price">10</p><p class="price">30</p>', '20\n\nEUR 10\n\nEUR 30'],
    ['place', '<ul><li>a</li><li>b</li><li>c</li></ul>', 'Last: c'],
    ['id', '<p id="rest">1</p><p id="total">60</p>', '1\n\n60 in all'],
    ['attribute', '<p>Lamp</p><p data-new>Lamp</p><p>Lamp</p>', 'Lamp\n\nLamp (new)\n\nLamp'],
    ['icon', '<p class="icon">Menu</p>', 'Menu'],
  ])('gives its text by %s', async (_by, html, text) => {
    expect((await read(html)).replaceAll(/\n+/g, '\n\n').trim()).toContain(text);
  });

  test('gives its text to no other element', async () => {
    expect(await read('<ul><li>a</li><li>b</li><li>c</li></ul>')).not.toMatch(/Last: [ab]/);
    expect(await read('<p class="icon">Menu</p>')).not.toContain('\ue900');
  });
});

testPages('a page that hides itself', 'dom/hides-itself', async ({ html }) => {
  const { text, coverage } = await lab.call('read', html, { format: 'text' });
  expect([text, coverage.map(({ kind }) => kind)]).toEqual(['seen', ['page_hidden']]);
  expect(await lab.page.evaluate(() => document.adoptedStyleSheets.length)).toBe(0);
});

testPages('parsed', 'dom/seen-in-source', async (page) => {
  expect(squash(textOf(await lab.call('parse', page.html, 'text')))).toBe(page.text('.txt'));
});
