import { expect, it } from 'vitest';
import { titleOf, withoutTitle } from '../../../extension/panel/components/page-title.ts';

it.each([
  ['# Title\n\ntext', 'Title'],
  ['[Home](https://a.test/)\n\n# The **bold** [one](https://a.test/b) \\# 1', 'The bold one # 1'],
  ['## Second', 'Second'],
  ['text alone', null],
  ['# ', null],
])('titleOf %j', (text, title) => {
  expect(titleOf(text)).toBe(title);
});

it('the title at the very beginning is not repeated, and one below it stays', () => {
  expect(withoutTitle('\n# Title\n\ntext', 'Title')).toBe('\ntext');
  expect(withoutTitle('text\n\n# Title\n', 'Title')).toBe('text\n\n# Title\n');
  expect(withoutTitle('# Title\n', 'Another')).toBe('# Title\n');
  expect(withoutTitle('# Title\n', null)).toBe('# Title\n');
});
