import fc from '../../../support/property.ts';
import { expect, it } from 'vitest';
import { TextCutter } from '../../../../extension/core/link/stream-sender.ts';

function cut(writes: readonly string[], maxUnits: number): string[] {
  const cutter = new TextCutter(maxUnits);
  return [...writes.flatMap((text) => [...cutter.push(text)]), cutter.rest()];
}

/** Any text, lone surrogates included, and where it is cut into writes. */
const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
});
const wholeText = fc.string({ unit: 'binary', maxLength: 200 });

it('loses nothing, whatever the writes and the size', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(anyText, wholeText)), fc.integer({ min: 1, max: 50 }), (writes, units) => {
      expect(cut(writes, units).join('')).toBe(writes.join('').toWellFormed());
    }),
  );
});

it.each([
  [['a\u{1F6B0}b'], 2, ['a', '\u{1F6B0}', 'b']],
  [['a\u{1F6B0}b'], 1, ['a', '\u{1F6B0}', 'b']],
  [['\ud83d', '\udeb0'], 2, ['\u{1F6B0}']],
  [['\ud83d', 'x'], 4, ['\ufffdx']],
])('cuts %j at %i into %j', (writes, units, pieces) => expect(cut(writes, units)).toEqual(pieces));
