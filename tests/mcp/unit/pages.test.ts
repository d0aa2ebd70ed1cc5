import fc from '../../support/property.ts';
import { expect, it } from 'vitest';
import { cutPage } from '../../../server/mcp/rpc.ts';

const keyOf = (entry: string): string => entry;
const cut = (entries: readonly string[], cursor?: string, list = 'letters') =>
  cutPage(entries, { list, keyOf, cursor, size: 3 });

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

it('pages of a list continue behind the last entry, or where it was', () => {
  const { page, next } = cut(['a', 'b', 'c', 'd', 'e']);
  expect(page).toEqual(['a', 'b', 'c']);
  expect(cut(['0', 'a', 'b', 'c', 'd', 'e'], next.nextCursor)).toEqual({ page: ['d', 'e'], next: {} });
  expect(cut(['a', 'b', 'd', 'e'], next.nextCursor)).toEqual({ page: ['d', 'e'], next: {} });
});

it('pages of a list refuse what no page gave, and the cursor of another list, with -32602', () => {
  const wrong = [
    cut(['a', 'b', 'c', 'd'], undefined, 'others').next.nextCursor ?? '',
    '',
    'x',
    encode(null),
    encode({ list: 'letters', after: 'a' }),
    encode({ list: 'letters', after: 'a', given: -1 }),
    encode({ list: 'letters', after: 'a', given: 1, more: 1 }),
  ];
  for (const cursor of wrong)
    expect(() => cut(['a', 'b'], cursor)).toThrow(
      expect.objectContaining({ code: -32_602, message: expect.stringContaining('cursor') }),
    );
  fc.assert(
    fc.property(fc.string(), (cursor) => {
      expect(() => cut(['a', 'b'], cursor)).toThrow(expect.objectContaining({ code: -32_602 }));
    }),
  );
});
