import { describe, expect, test } from 'vitest';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import type { ReadPageOptions } from '../../../../shared/tools/read_page/options.ts';
import { casesOf, testEach, testTogether, textOf } from '../table.ts';
import {
  CODE_CASES,
  CODE_IN_SNAPSHOT_CASES,
  CODE_IN_TEXT_CASES,
  NUMBERED_CASES,
  writtenOut,
} from './code-cases.ts';
import { FORMULA_CASES } from './formula-cases.ts';
import { ARTICLE_HEAD_CASES, MAIN_CONTENT_CASES, articleOf } from './main-content-cases.ts';
import { MARKDOWN_CASES } from './markdown-cases.ts';
import { SNAPSHOT_CASES } from './snapshot-cases.ts';
import { HEAD_CASES, HTML_CASES, NODES_CASES, TEXT_CASES } from './text-cases.ts';

/** The goldens say what it makes of large ones. */
const lab = await openPageLab();

const read = async (html: string, options: Partial<ReadPageOptions>): Promise<string> =>
  (await lab.call('read', html, options)).text;

/** How a format ends, and what it has around the content of the body. */
const FRAMES = { markdown: '|', text: '|', snapshot: '|\n', html: '<html><body>|</body></html>' } as const;

for (const [format, cases] of [
  ['markdown', MARKDOWN_CASES + NUMBERED_CASES + CODE_CASES],
  ['text', TEXT_CASES + CODE_IN_TEXT_CASES],
  ['snapshot', SNAPSHOT_CASES + CODE_IN_SNAPSHOT_CASES],
  ['html', HTML_CASES],
] as const)
  testTogether(
    format,
    cases,
    (all) =>
      lab.call(
        'readEach',
        all.map(([html = '', , options = '{}']) => {
          const asked: Partial<ReadPageOptions> = JSON.parse(options);
          return [writtenOut(html), { format, ...asked }] as const;
        }),
      ),
    ({ text }, _html, expected = '') => {
      expect(text).toBe(FRAMES[format].replace('|', () => writtenOut(expected)));
    },
  );

testEach('html with its head', HEAD_CASES, async (head = '', written = '') => {
  expect(await read(`<head>${head}</head><p>b</p>`, { format: 'html', include_head: true })).toBe(
    `<!DOCTYPE html>\n<html><head><meta charset="utf-8">${written}</head><body><p>b</p></body></html>`,
  );
});

testEach('formula', FORMULA_CASES, async (math = '', formula = '', markdown = formula) => {
  const texts = await lab.call('readFormats', `<p>so ${math} end</p>`, [
    { format: 'markdown', selector: 'p' },
    { format: 'text', selector: 'p' },
    { format: 'snapshot', selector: 'p' },
    { format: 'html', selector: 'p' },
  ]);
  const line = `so ${formula} end`;
  const html = `<p>so <span role="math">${formula}</span> end</p>`;
  expect(texts).toEqual([`so ${markdown} end`, line, `${line}\n`, html]);
});

testEach('a page that was only parsed', NUMBERED_CASES, async (html = '', expected = '') => {
  expect(textOf(await lab.call('parse', html, 'markdown'))).toBe(`${writtenOut(expected)}\n`);
});

testEach('nodes', NODES_CASES, async (html = '', expected = '') => {
  const items = (await read(html, { format: 'nodes', selector: 'body > *' })).trim().split('\n');
  const wanted = expected.split(' | ').map((item): unknown => JSON.parse(item));
  expect(items.map(plain)).toEqual(
    wanted.map((item) => Object.assign({ name: '', text: '', attributes: {} }, item)),
  );
});

/** An item without its place and number. */
function plain(line: string): unknown {
  const { ref: _ref, box: _box, ...rest } = JSON.parse(line);
  return rest;
}

describe('main content', () => {
  const TEXT = 'It ground the corn of three villages. '.repeat(9).trim();

  testTogether(
    'markdown',
    MAIN_CONTENT_CASES,
    (all) =>
      lab.call(
        'readEach',
        all.map(([html = '']) => [articleOf(html), { main_content_only: true }] as const),
      ),
    ({ text }, _html, expected = '') => {
      expect(text).toBe(articleOf(expected));
    },
  );

  test('is found on a page that was only parsed', async () => {
    const [html = '', expected = ''] = casesOf(MAIN_CONTENT_CASES)[1]?.cells.map(articleOf) ?? [];
    expect(textOf(await lab.call('parse', html, 'markdown', true))).toBe(`${expected}\n`);
  });

  test('text has neither the title nor pictures without text around them', async () => {
    const html = `<article><h1>Mill</h1><p>${TEXT}</p><p><img src="/m.png" alt="The wheel" width="9" height="9"></p></article>`;
    expect(await read(html, { main_content_only: true, format: 'text' })).toBe(TEXT);
  });

  testEach('facts', ARTICLE_HEAD_CASES, async (before = '', head = '', facts = '{}') => {
    const html = `${before}<article>${head}${`<p>${`${TEXT} `.repeat(2)}</p>`.repeat(2)}</article>`;
    const { text, article } = await lab.call('read', html, { main_content_only: true, format: 'text' });
    expect(article).toEqual(JSON.parse(facts));
    expect(text).toMatch(/^It ground the corn/);
  });

  const HEADED = `<meta name="author" content="Ada Miller"><article><h1>Mill *1*</h1><p>Story by Ada Miller, May 4, 2021</p><time datetime="2021-05-04T08:30:00Z">May 4, 2021</time><h2>Mill *1*</h2><p>${TEXT}</p></article>`;

  test('says title, byline and date at most once', async () => {
    const texts = await lab.call('readFormats', HEADED, [
      { format: 'markdown', main_content_only: true },
      { format: 'html', main_content_only: true },
      { format: 'text', main_content_only: true },
    ]);
    expect(texts).toEqual([
      `# Mill \\*1\\*\n\nAda Miller · 2021-05-04\n\n${TEXT}`,
      `<h1>Mill *1*</h1>\n<p>Ada Miller · 2021-05-04</p>\n<article><p>${TEXT}</p></article>`,
      TEXT,
    ]);
    const outline = await read(HEADED, { main_content_only: true, format: 'snapshot' });
    expect(outline).toMatch(/^# Mill/);
    expect(outline.match(/Mill/g)).toHaveLength(1);
  });

  test('a page without main content is reported as such', async () => {
    const { coverage } = await lab.call('read', '<p>a</p>', { main_content_only: true });
    expect(coverage.map(({ kind }) => kind)).toEqual(['no_main_content']);
  });
});
