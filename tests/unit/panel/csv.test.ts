import { expect, it } from 'vitest';
import { toCsv } from '../../../extension/panel/components/csv.ts';

it('has the names of all records, and quotes what has to be quoted', () => {
  const rows = [
    { name: 'Desk, "large"', price: 3.5 },
    { name: 'two\nlines', tags: ['a', 'b'], sale: null, ok: true },
  ];
  expect(toCsv(rows)).toBe(
    'name,price,tags,sale,ok\r\n"Desk, ""large""",3.5,,,\r\n"two\nlines",,"[""a"",""b""]",,true\r\n',
  );
});

it.each(['=1+1', '+1', '-1', '@a', '\t=1'])('a text %j is not a formula where it is pasted', (text) => {
  expect(toCsv([{ a: text }])).toBe(`a\r\n'${text}\r\n`);
});

it('numbers stay numbers, and a name is a text too', () => {
  expect(toCsv([{ '=a': -1 }])).toBe("'=a\r\n-1\r\n");
});

it.each([[[]], [[1]], [[{ a: 1 }, 2]]])('%j is not a table', (rows) => {
  expect(toCsv(rows)).toBeNull();
});
