import { describe, expect, test } from 'vitest';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import type { ReadPageOptions } from '../../../../shared/tools/read_page/options.ts';
import { ARTICLE_HEAD_CASES } from './article-head-cases.ts';
import type { ReadCases } from './cases.ts';
import { CODE_CASES, CODE_IN_LINES_CASES, PARSED_CODE_CASES } from './code-cases.ts';
import {
  FORMULA_HTML_CASES,
  FORMULA_MARKDOWN_CASES,
  FORMULA_SNAPSHOT_CASES,
  FORMULA_TEXT_CASES,
} from './formula-cases.ts';
import { HTML_CASES } from './html-cases.ts';
import { MAIN_CONTENT_CASES } from './main-content-cases.ts';
import { MARKDOWN_CASES } from './markdown-cases.ts';
import { MARKDOWN_STRUCTURE_CASES } from './markdown-structure-cases.ts';
import { NODES_CASES } from './nodes-cases.ts';
import { SNAPSHOT_CASES } from './snapshot-cases.ts';
import { TEXT_CASES } from './text-cases.ts';

/** What each writer makes of small pages. The goldens say what it makes of large ones. */
const lab = await openPageLab();

const SUITES: readonly (readonly [ReadPageOptions['format'], ReadCases])[] = [
  [
    'markdown',
    {
      ...MARKDOWN_CASES,
      ...MARKDOWN_STRUCTURE_CASES,
      ...CODE_CASES,
      ...FORMULA_MARKDOWN_CASES,
    },
  ],
  ['text', { ...TEXT_CASES, ...CODE_IN_LINES_CASES, ...FORMULA_TEXT_CASES }],
  ['snapshot', { ...SNAPSHOT_CASES, ...FORMULA_SNAPSHOT_CASES }],
  ['html', { ...HTML_CASES, ...FORMULA_HTML_CASES }],
];

for (const [format, areas] of SUITES)
  for (const [area, cases] of Object.entries(areas))
    describe(`${format}: ${area}`, () => {
      test.each(Object.entries(cases))('%s', async (_title, [html, expected, options]) => {
        const { text } = await lab.call('read', html, { format, ...options });
        expect(text).toBe(expected);
      });
    });

describe('a page that was only parsed', () => {
  test.each(Object.entries(PARSED_CODE_CASES))('%s', async (_title, [html, expected]) => {
    expect(await lab.call('parse', html, 'markdown')).toContain(JSON.stringify(expected).slice(1, -1));
  });
});

describe('nodes', () => {
  test.each(Object.entries(NODES_CASES))('%s', async (_title, [html, expected]) => {
    const { text } = await lab.call('read', html, { format: 'nodes', selector: 'body > *' });
    const items = text.split('\n').filter((line) => line !== '');
    expect(items.map(plain)).toEqual(
      expected.map((item) => ({ name: '', text: '', attributes: {}, ...item })),
    );
  });
});

/** An item without its place and number. */
function plain(line: string): unknown {
  const { ref: _ref, box: _box, ...rest } = JSON.parse(line);
  return rest;
}

describe('main content', () => {
  test.each(Object.entries(MAIN_CONTENT_CASES))('%s', async (_title, [html, expected]) => {
    const { text } = await lab.call('read', html, { main_content_only: true });
    expect(text).toBe(expected);
  });

  test('text has neither the title nor pictures without text around them', async () => {
    const html = `<article><h1>Mill</h1><p>${'It ground the corn of three villages. '.repeat(9)}</p><p><img src="/m.png" alt="The wheel" width="9" height="9"></p></article>`;
    const { text } = await lab.call('read', html, { main_content_only: true, format: 'text' });
    expect(text).toBe('It ground the corn of three villages. '.repeat(9).trim());
  });

  test.each(Object.entries(MAIN_CONTENT_CASES).slice(0, 2))(
    'parsed: %s',
    async (_title, [html, expected]) => {
      const lines = await lab.call('parse', html, 'markdown', true);
      const texts = lines.split('\n').filter((line) => line !== '');
      expect(texts.map((line) => JSON.parse(line).text).join('')).toBe(
        `${expected.replaceAll('http://page.test', '')}\n`,
      );
    },
  );

  test.each(Object.entries(ARTICLE_HEAD_CASES))('facts from %s', async (_title, [html, facts]) => {
    const { text, article } = await lab.call('read', html, { main_content_only: true, format: 'text' });
    expect(article).toEqual(facts);
    expect(text).toMatch(/^It ground the corn/);
  });

  const HEADED = `<meta name="author" content="Ada Miller"><article><h1>Mill *1*</h1><p>Story by Ada Miller, May 4, 2021</p><time datetime="2021-05-04T08:30:00Z">May 4, 2021</time><h2>Mill *1*</h2><p>${'It ground the corn of three villages. '.repeat(9)}</p></article>`;
  const BODY = 'It ground the corn of three villages. '.repeat(9).trim();

  test.each([
    ['markdown', `# Mill \\*1\\*\n\nAda Miller · 2021-05-04\n\n${BODY}`],
    ['html', `<h1>Mill *1*</h1>\n<p>Ada Miller · 2021-05-04</p>\n<article><p>${BODY} </p></article>`],
    ['text', BODY],
  ] as const)('%s says title, byline and date at most once', async (format, expected) => {
    const { text } = await lab.call('read', HEADED, { main_content_only: true, format });
    expect(text).toBe(expected);
  });

  test('an outline keeps the title where it is', async () => {
    const { text } = await lab.call('read', HEADED, { main_content_only: true, format: 'snapshot' });
    expect(text.match(/Mill/g)).toHaveLength(1);
    expect(text).toMatch(/^# Mill/);
  });

  test('a page without main content is reported as such', async () => {
    const { coverage } = await lab.call('read', '<p>a</p>', { main_content_only: true });
    expect(coverage.map(({ kind }) => kind)).toEqual(['no_main_content']);
  });
});
