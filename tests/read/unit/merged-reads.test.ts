import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { expect, it } from 'vitest';
import { MergedReads } from '../../../server/read/scroll-through.ts';

const merge = (...reads: readonly (readonly string[])[]): readonly string[] => {
  const merged = new MergedReads<string>((line) => line);
  for (const read of reads) merged.add(read);
  return merged.entries;
};

/** Windows over a list, each with at least one row of the last one. */
const windows = fc
  .record({
    rows: fc.integer({ min: 1, max: 60 }),
    /** Each row's further lines, which other rows have too. */
    more: fc.array(fc.constantFrom('Edit', 'Delete', ''), { maxLength: 3 }),
    size: fc.integer({ min: 2, max: 12 }),
    steps: fc.array(fc.integer({ min: 1, max: 11 }), { minLength: 60, maxLength: 60 }),
  })
  .map(({ rows, more, size, steps }) => {
    const all = Array.from({ length: rows }, (_, at) => [`Row ${at}`, ...more]);
    const reads: string[][] = [];
    let first = 0;
    for (const step of steps) {
      reads.push(all.slice(first, first + size).flat());
      if (first + size >= rows) break;
      first += Math.min(step, size - 1);
    }
    return { all: all.flat(), reads };
  });

it('MergedReads gives any list back whose rows are named, between the lines around it', () => {
  fc.assert(
    fc.property(windows, ({ all, reads }) => {
      const framed = reads.map((read) => ['Head', '', ...read, '', 'Foot']);
      expect(merge(...framed)).toEqual(['Head', '', ...all, '', 'Foot']);
    }),
    { numRuns: rounds(500, 100) },
  );
});
