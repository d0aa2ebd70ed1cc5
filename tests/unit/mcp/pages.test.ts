import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import { cutPage } from '../../../server/adapters/mcp/rpc.ts';

const keyOf = (entry: string): string => entry;
const cut = (entries: readonly string[], cursor?: string, list = 'letters') =>
  cutPage(entries, { list, keyOf, cursor, size: 3 });

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('pages of a list', () => {
  describe('whose entries are numbered', () => {
    const numberOf = (entry: number): number => entry;
    const cutNumbers = (entries: readonly number[], cursor?: string) =>
      cutPage(entries, { list: 'numbers', numberOf, cursor, size: 3 });

    it('neither repeat nor hide what stays while others join behind it, and any of them leave', () => {
      const rounds = fc.array(fc.record({ left: fc.array(fc.nat({ max: 40 })), joined: fc.nat({ max: 4 }) }));
      fc.assert(
        fc.property(fc.nat({ max: 20 }), rounds, (count, changes) => {
          let now = Array.from({ length: count }, (_, index) => index);
          let joined = count;
          const seen: number[] = [];
          const staying = new Set(now);
          let cursor: string | undefined;
          let round = 0;
          do {
            const { page, next } = cutNumbers(now, cursor);
            seen.push(...page);
            cursor = next.nextCursor;
            const change = changes[round++] ?? { left: [], joined: 0 };
            now = now.filter((entry) => !change.left.includes(entry));
            for (const entry of change.left) staying.delete(entry);
            for (let more = change.joined; more > 0; more -= 1) now = [...now, joined++];
          } while (cursor !== undefined);
          expect(seen.filter((entry) => staying.has(entry))).toEqual([...staying]);
          expect(seen).toEqual([...new Set(seen)].sort((one, other) => one - other));
        }),
      );
    });
  });

  it('refuse what no page gave, and the cursor of another list, with -32602', () => {
    const other = cut(['a', 'b', 'c', 'd'], undefined, 'others').next.nextCursor ?? '';
    const wrong = [
      other,
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
});
