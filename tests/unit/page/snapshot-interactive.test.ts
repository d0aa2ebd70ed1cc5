import { describe, expect, test } from 'vitest';
import { InteractiveLines, itemsOf } from '../../../extension/page/write/snapshot-interactive.ts';

function keep(lines: readonly string[]): string[] {
  const kept = new InteractiveLines();
  for (const text of lines) kept.add({ text, place: null });
  return kept.take().map(({ text }) => text);
}

test.each([
  ['e13 a link', '', ['e13 a link']],
  ['see [e13 a [nested] link] and [f1e14 button Go] here', 'see', ['e13 a [nested] link', 'f1e14 button Go']],
  ['Bolt|4.50|e7 button Buy', 'Bolt|4.50', ['e7 button Buy']],
  ['\\[e13 text] of the page', '\\[e13 text] of the page', []],
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
      'frames with something to act on',
      ['@frame a', 'words', '@end of frame a', '@frame b', 'e5 x', '@end of frame b'],
      ['@frame b', 'e5 x', '@end of frame b'],
    ],
  ])('%s', (_title, lines, kept) => {
    expect(keep(lines)).toEqual(kept);
  });
});
