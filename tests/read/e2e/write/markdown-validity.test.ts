import { rounds } from '../../../support/depth.ts';
import fc from '../../../support/property.ts';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { expect, test } from 'vitest';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import { randomPage } from '../../../support/page-lab/random-page.ts';

const lab = await openPageLab();
const parser = unified().use(remarkParse).use(remarkGfm);

type Tree = { readonly type: string; readonly value?: string; readonly children?: readonly Tree[] };

function textOf({ type, value, children }: Tree): string {
  if (type === 'html' && value === '<br>') return '';
  return (value ?? '').replace(/\s+/g, '') + (children ?? []).map(textOf).join('');
}

test(
  'a parser reads the text of the page, whatever its blocks and marks are',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomPage, { minLength: 10, maxLength: 10 }), async (pages) => {
        const results = await lab.call(
          'readEach',
          pages.map(({ html }) => [html, { format: 'markdown' }] as const),
        );
        const wrong = pages.flatMap(({ html, text }, at) => {
          const markdown = results[at]?.text ?? '';
          const found = textOf(parser.parse(markdown));
          return found === text ? [] : [{ html, markdown, found, text }];
        });
        expect(wrong).toEqual([]);
      }),
      { numRuns: rounds(80, 8) },
    );
  },
);
