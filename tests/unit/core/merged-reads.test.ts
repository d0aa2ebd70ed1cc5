import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { describe, expect, it } from 'vitest';
import { MergedReads } from '../../../server/toolkit/merged-reads.ts';

const merge = (...reads: readonly (readonly string[])[]): readonly string[] => {
  const merged = new MergedReads<string>((line) => line);
  for (const read of reads) merged.add(read);
  return merged.entries;
};

const words = (text: string): string[] => text.split(' ');

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

describe('MergedReads', () => {
  it('keeps rows with equal text apart where the rows around them tell them apart', () => {
    expect(merge(words('a x b x'), words('b x c x'), words('c x a x'))).toEqual(words('a x b x c x a x'));
  });

  it('gives any list back whose rows are named, between the lines around it', () => {
    fc.assert(
      fc.property(windows, ({ all, reads }) => {
        const framed = reads.map((read) => ['Head', '', ...read, '', 'Foot']);
        expect(merge(...framed)).toEqual(['Head', '', ...all, '', 'Foot']);
      }),
      { numRuns: rounds(500, 100) },
    );
  });

  it('contains every read in its order, whatever the reads are', () => {
    const reads = fc.array(fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 12 }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(reads, (all) => {
        const merged = merge(...all);
        for (const read of all) {
          let at = 0;
          for (const line of merged) if (line === read[at]) at += 1;
          expect(at).toBe(read.length);
        }
      }),
      { numRuns: rounds(500, 100) },
    );
  });
});
