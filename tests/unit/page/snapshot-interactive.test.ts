import { describe, expect, test } from 'vitest';
import { InteractiveLines, itemsOf } from '../../../extension/page/write/snapshot-interactive.ts';
import { estimateTokens } from '../../../extension/page/write/snapshot-tokens.ts';

function keep(lines: readonly string[]): string[] {
  const kept = new InteractiveLines();
  for (const text of lines) kept.add({ text, place: null });
  return kept.take().map(({ text }) => text);
}

test.each([
  ['e13 a link', '', ['e13 a link']],
  ['see [e13 a [nested] link] and [f1e14 button Go] here', 'see', ['e13 a [nested] link', 'f1e14 button Go']],
  ['Bolt|4.50|e7 button Buy', 'Bolt|4.50', ['e7 button Buy']],
  ['Bolt|e6 a \\| b|[e7 checkbox Take] it', 'Bolt', ['e6 a \\| b', 'e7 checkbox Take']],
  ['\\[e13 text] of the page', '\\[e13 text] of the page', []],
  ['e4 meter Disk = 70', '', []],
])('the items of %s', (line, lead, items) => {
  expect(itemsOf(line)).toEqual({ lead, items });
});

describe('what is kept', () => {
  test.each<[title: string, lines: string[], kept: string[]]>([
    [
      'items of text, without the text',
      ['Read our [e5 terms] and [e6 privacy] first.'],
      ['[e5 terms] [e6 privacy]'],
    ],
    [
      'the text before items of one name',
      ['Apple [e5 button Delete]', 'Pear [e6 button Delete]'],
      ['Apple [e5 button Delete]', 'Pear [e6 button Delete]'],
    ],
    [
      'the line before items of one name',
      ['Apple', 'e5 Buy', 'Pear', 'e6 Buy'],
      ['Apple [e5 Buy]', 'Pear [e6 Buy]'],
    ],
    [
      'no heading and no region without anything to act on',
      ['@main', '# Text', 'words', '@navigation', 'e5 Home'],
      ['# Text', '@navigation', 'e5 Home'],
    ],
    [
      'no long text',
      ['a', 'b'].map((word, at) => `${`${word} `.repeat(60)}[e${at} more]`),
      ['e0 more', 'e1 more'],
    ],
    [
      'frames with something to act on',
      ['@frame a', 'words', '@end of frame a', '@frame b', 'e5 x', '@end of frame b'],
      ['@frame b', 'e5 x', '@end of frame b'],
    ],
  ])('%s', (_title, lines, kept) => {
    expect(keep(lines)).toEqual(kept);
  });

  test('counts the tokens of what it keeps', () => {
    const lines = [
      '# Cart',
      'Apple',
      'e5 button Delete',
      'words of no use',
      'Pear',
      'e6 button Delete',
      'e7 Home',
    ];
    const kept = new InteractiveLines();
    const tokens = lines.reduce((sum, text) => sum + kept.add({ text, place: null }), 0);
    const written = kept.take().reduce((sum, { text }) => sum + estimateTokens(`${text}\n`), 0);
    expect(tokens).toBeCloseTo(written, 5);
  });
});
