import { expect, test } from 'vitest';
import { keepAttribute } from '../../../extension/page/skeleton/attributes.ts';
import { escapeAttribute, openTag } from '../../../extension/page/skeleton/markup.ts';
import { withoutNumbers } from '../../../extension/page/skeleton/shape.ts';

test.each([
  ['class', '  a   b ', 'a b'],
  ['class', ' ', null],
  ['class', `${'word '.repeat(60)}`, `${'word '.repeat(24)}…`],
  ['data-cy', 'x'.repeat(100), 'x'.repeat(100)],
  ['data-price', '12.50', '12.50'],
  ['data-state', 'x'.repeat(41), null],
  ['href', `/${'a'.repeat(80)}`, '/…'],
  ['class', `${' '.repeat(950)}${'x'.repeat(90)}`, '…'],
  ['href', ' java\nscript:alert(1)', null],
  ['src', 'data:image/png;base64,AAAA', 'data:…'],
  ['style', 'color:red', null],
  ['onclick', 'x()', null],
  ['value', 'entered', null],
  ['nonce', 'abc', null],
  ['data-track-id', 'x', null],
  ['data-v-5b1c', '', null],
  ['data-csrf-token', 'x', null],
  ['jsaction', 'click:x', null],
  ['data-a"b', 'x', null],
])('%s="%s" is kept as %s', (name, value, kept) => expect(keepAttribute(name, value)).toBe(kept));

test('nothing of a page can end an attribute, a tag or a line', () => {
  expect(escapeAttribute('a"b<c>\n<!-- d --> &')).toBe('a&quot;b&lt;c&gt; &lt;!-- d --&gt; &amp;');
  expect(
    openTag('a', [
      ['href', '"'],
      ['hidden', ''],
    ]),
  ).toBe('<a href="&quot;" hidden>');
  expect(openTag('a', [['title', '\ud800']])).toBe('<a title="\ufffd">');
});

test('names that differ in numbers alone are alike', () => {
  expect(withoutNumbers('row-12')).toBe(withoutNumbers('row-7'));
  expect(withoutNumbers('item-3f2504e0-4f89-11d3-9a0c-0305e82c3301')).toBe(withoutNumbers('item-9'));
  expect(withoutNumbers('user')).not.toBe(withoutNumbers('password'));
});
