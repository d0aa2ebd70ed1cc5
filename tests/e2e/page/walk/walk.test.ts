import { describe, expect, test } from 'vitest';
import { openPageLab } from '../../../support/page-lab/lab.ts';
import { HIDDEN_COUNTS, SIGHT_CASES } from './sight-cases.ts';
import { SOURCE_CASES } from './source-cases.ts';

/** What is seen of small pages, rendered and only parsed. */
const lab = await openPageLab();

const words = (text: string): string => text.replace(/\s+/g, ' ').trim();

for (const [area, cases] of Object.entries(SIGHT_CASES))
  describe(`rendered: ${area}`, () => {
    test.each(Object.entries(cases))('%s', async (_title, [html, expected]) => {
      const { text } = await lab.call('read', html, { format: 'text' });
      expect(words(text)).toBe(expected);
    });
  });

describe('elements left out', () => {
  test.each(Object.entries(HIDDEN_COUNTS))('%s', async (_title, [html, expected]) => {
    expect((await lab.call('read', html, { format: 'text' })).hidden).toBe(expected);
  });

  test('all of them are read when they are asked for', async () => {
    const html = '<p hidden>a</p><p style="opacity:0">b</p><p style="visibility:hidden">c</p>';
    const { text, hidden } = await lab.call('read', html, { format: 'text', include_hidden: true });
    expect([words(text), hidden]).toEqual(['a b c', 0]);
  });
});

for (const [area, cases] of Object.entries(SOURCE_CASES))
  describe(`parsed: ${area}`, () => {
    test.each(Object.entries(cases))('%s', async (_title, [html, expected]) => {
      expect(words(textOf(await lab.call('parse', html, 'text')))).toBe(expected);
    });
  });

/** Lines of a crawl as the text that they hold. */
function textOf(lines: string): string {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => String(JSON.parse(line).text))
    .join('');
}
