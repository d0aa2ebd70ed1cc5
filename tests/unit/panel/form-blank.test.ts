import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, it } from 'vitest';
import { formBlank } from '../../../extension/panel/components/form-blank.ts';

const inline = (text: string): unknown[] => {
  const [paragraph] = fromMarkdown(text, { extensions: [formBlank] }).children;
  if (paragraph?.type !== 'paragraph') throw new Error('No paragraph.');
  return paragraph.children.map((node) => ['value' in node ? node.value : node.type]);
};

it('an empty field of a form is text, and no mark', () => {
  expect(inline('Name [____] Password [____]')).toEqual([['Name [____] Password [____]']]);
  expect(inline('[__] and [__________]')).toEqual([['[__] and [__________]']]);
});

it('all else is what it was', () => {
  expect(inline('`[____]` __bold__')).toEqual([['[____]'], [' '], ['strong']]);
  expect(inline('[_a_](https://a.test) [__b__]')).toEqual([['link'], [' ['], ['strong'], [']']]);
  expect(inline('[_] [')).toEqual([['[_] [']]);
  expect(inline('[____')).toEqual([['[____']]);
});
