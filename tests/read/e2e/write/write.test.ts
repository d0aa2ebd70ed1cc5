import { describe, expect, test } from 'vitest';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import type { ReadPageOptions } from '../../../../shared/read/read_page.methods.ts';
import { textOf } from '../../../support/page-lab/texts.ts';
import { pageCases, testPages, testPagesTogether } from '../../../support/page-cases.ts';

const lab = await openPageLab();

const read = async (html: string, options: Partial<ReadPageOptions>): Promise<string> =>
  (await lab.call('read', html, options)).text;

const FORMATS = ['markdown', 'text', 'snapshot', 'html'] as const;
/** How a format ends, and what surrounds the content of the body. */
const FRAMES = { markdown: '|', text: '|', snapshot: '|\n', html: '<html><body>|</body></html>' } as const;

for (const [format, ending, folders] of [
  ['markdown', '.md', ['read/markdown', 'read/numbered']],
  ['text', '.txt', ['read/text']],
  ['snapshot', '.txt', ['read/snapshot']],
  ['html', '.expected.html', ['read/html']],
] as const)
  testPagesTogether(
    format,
    folders,
    (all) =>
      lab.call(
        'readEach',
        all.map((page) => {
          const asked: Partial<ReadPageOptions> = JSON.parse(page.textIfThere('.options.json') ?? '{}');
          return [page.html, { format, ...asked }] as const;
        }),
      ),
    ({ text }, page) => {
      expect(text).toBe(FRAMES[format].replace('|', () => page.text(ending)));
    },
  );

testPages('html with its head', 'read/head', async (page) => {
  expect(await read(page.html, { format: 'html', include_head: true })).toBe(page.text('.expected.html'));
});

testPages('formula', 'read/formula', async (page) => {
  const all = FORMATS.map((format) => ({ format, selector: 'p' }));
  const texts = await lab.call('readFormats', page.html, all);
  const formula = page.text('.txt');
  const line = `so ${formula} end`;
  const html = `<p>so <span role="math">${formula}</span> end</p>`;
  expect(texts).toEqual([`so ${page.textIfThere('.md') ?? formula} end`, line, `${line}\n`, html]);
});

for (const folder of ['read/numbered', 'read/undrawn'])
  testPages('a page that was only parsed', folder, async (page) => {
    expect(textOf(await lab.call('parse', page.html, 'markdown'))).toBe(`${page.text('.md')}\n`);
  });

testPages('nodes', 'read/nodes', async (page) => {
  const items = (await read(page.html, { format: 'nodes', selector: 'body > *' })).trim().split('\n');
  expect(items.map(plain)).toEqual(
    page.json<readonly object[]>().map((item) => Object.assign({ name: '', text: '', attributes: {} }, item)),
  );
});

function plain(line: string): unknown {
  const { ref: _ref, box: _box, ...rest } = JSON.parse(line);
  return rest;
}

describe('main content', () => {
  const MAIN = { main_content_only: true };
  const TEXT = 'It ground the corn of three villages. '.repeat(9).trim();

  testPagesTogether(
    'markdown',
    ['read/main-content'],
    (all) => lab.call('readEach', [...all.map(({ html }) => [html, MAIN] as const)]),
    ({ text }, page) => {
      expect(text).toBe(page.text('.md'));
    },
  );

  test('is found on a page that was only parsed', async () => {
    const page = pageCases('read/main-content').find(({ name }) => name === 'an-article-in-boxes');
    expect(textOf(await lab.call('parse', page?.html ?? '', 'markdown', true))).toBe(
      `${page?.text('.md')}\n`,
    );
  });

  test('text has neither the title nor pictures without text around them', async () => {
    const html = `<article><h1>Mill</h1><p>${TEXT}</p><p><img src="/m.png" alt="The wheel" width="9" height="9"></p></article>`;
    expect(await read(html, { main_content_only: true, format: 'text' })).toBe(TEXT);
  });

  testPages('facts', 'read/article-facts', async (page) => {
    const { text, article } = await lab.call('read', page.html, { main_content_only: true, format: 'text' });
    expect(article).toEqual(page.json());
    expect(text).toMatch(/^It ground the corn/);
  });

  const HEADED = `<meta name="author" content="Ada Miller"><article><h1>Mill *1*</h1><p>Story by Ada Miller, May 4, 2021</p><time datetime="2021-05-04T08:30:00Z">May 4, 2021</time><h2>Mill *1*</h2><p>${TEXT}</p></article>`;

  test('writes title, byline and date at most once', async () => {
    const all = FORMATS.map((format) => ({ format, main_content_only: true }));
    const [markdown, text, outline, html] = await lab.call('readFormats', HEADED, all);
    expect([markdown, html, text]).toEqual([
      `# Mill \\*1\\*\n\nAda Miller · 2021-05-04\n\n${TEXT}`,
      `<h1>Mill *1*</h1>\n<p>Ada Miller · 2021-05-04</p>\n<article><p>${TEXT}</p></article>`,
      TEXT,
    ]);
    expect(outline).toMatch(/^# Mill/);
    expect(outline?.match(/Mill/g)).toHaveLength(1);
  });

  test('a page without main content is reported as such', async () => {
    const { coverage } = await lab.call('read', '<p>a</p>', { main_content_only: true });
    expect(coverage.map(({ kind }) => kind)).toEqual(['no_main_content']);
  });
});
