import fc from '../../support/property.ts';
import { expect, it } from 'vitest';
import { toCsv } from '../../../shared/base/csv.ts';
import { safeHref } from '../../../extension/ui/text.ts';

it.each([
  ['https://a.test/x', 'https://a.test/x'],
  ['HTTP://A.test', 'http://a.test/'],
  [' https://a.test', null],
  ['https://a.test\n', null],
  ['https://', null],
  ['//a.test', null],
])('the address of the link %j', (text, href) => expect(safeHref(text)).toBe(href));

it('a link leads to http and https alone, whatever the text', () => {
  const schemes = fc.constantFrom('javascript:', 'data:', 'http://', 'https://', 'file:///', '');
  fc.assert(
    fc.property(schemes, fc.string({ unit: 'binary' }), (scheme, rest) => {
      const href = safeHref(scheme + rest);
      expect(href === null || /^https?:\/\/[^/]/.test(href)).toBe(true);
    }),
  );
});

it('a text is not a formula where a table is pasted, and numbers stay numbers', () => {
  for (const text of ['=1+1', '+1', '-1', '@a', '\t=1'])
    expect(toCsv([{ a: text }])).toBe(`a\r\n'${text}\r\n`);
  expect(toCsv([{ '=a': -1 }])).toBe("'=a\r\n-1\r\n");
});
