import fc from '../../support/property.ts';
import { expect, it } from 'vitest';
import { toCsv } from '../../../extension/panel/components/csv.ts';
import { formatAddress, safeHref } from '../../../extension/panel/components/text.ts';

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

it.each([
  ['https://docs.test/a%20b/c?q=1#top', 'docs.test/a%20b/c?q=1'],
  ['https://docs.test/caf%C3%A9', 'docs.test/café'],
  ['https://docs.test/%E2%80%AEgnp.exe', 'docs.test/%E2%80%AEgnp.exe'],
  ['https://docs.test/%', 'docs.test/%'],
  ['no address', 'no address'],
])('the address %s is written so', (href, said) => expect(formatAddress(href)).toBe(said));

it('a table has the names of all records, and quotes what has to be quoted', () => {
  const rows = [
    { name: 'Desk, "large"', price: 3.5 },
    { name: 'two\nlines', tags: ['a', 'b'], sale: null, ok: true },
  ];
  expect(toCsv(rows)).toBe(
    'name,price,tags,sale,ok\r\n"Desk, ""large""",3.5,,,\r\n"two\nlines",,"[""a"",""b""]",,true\r\n',
  );
  for (const none of [[], [1], [{ a: 1 }, 2]]) expect(toCsv(none)).toBeNull();
});

it('a text is not a formula where a table is pasted, and numbers stay numbers', () => {
  for (const text of ['=1+1', '+1', '-1', '@a', '\t=1'])
    expect(toCsv([{ a: text }])).toBe(`a\r\n'${text}\r\n`);
  expect(toCsv([{ '=a': -1 }])).toBe("'=a\r\n-1\r\n");
});
