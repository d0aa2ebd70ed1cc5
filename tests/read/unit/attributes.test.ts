import { expect, test } from 'vitest';
import { keepAttribute } from '../../../extension/read/page/skeleton/attributes.ts';
import { escapeAttribute, openTag } from '../../../extension/read/page/skeleton/walk.ts';

test.each([
  ['class', '  a   b ', 'a b'],
  ['class', `${'word '.repeat(60)}`, `${'word '.repeat(24)}…`],
  ['data-state', 'x'.repeat(41), null],
  ['href', `/${'a'.repeat(80)}`, '/…'],
  ['class', `${' '.repeat(950)}${'x'.repeat(90)}`, '…'],
  ['href', ' java\nscript:alert(1)', null],
  ['src', 'data:image/png;base64,AAAA', 'data:…'],
  ['style', 'color:red', null],
  ['onclick', 'x()', null],
  ['value', 'entered', null],
  ['data-track-id', 'x', null],
  ['data-csrf-token', 'x', null],
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
