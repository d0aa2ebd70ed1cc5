import fc from '../../support/property.ts';
import { expect, test } from 'vitest';
import { Out } from '../../../extension/read/page/write/out.ts';
import { SnapshotOut } from '../../../extension/read/page/write/snapshot-out.ts';

test('gives back what was written, well formed, no code point over two pieces', () => {
  const unit = fc.constantFrom('a', 'é', '漢', '😀', '👩‍👩‍👧', '\n');
  fc.assert(
    fc.property(
      fc.array(fc.array(unit, { maxLength: 40 }).map((all) => all.join(''))),
      fc.integer({ min: 2, max: 30 }),
      (texts, size) => {
        const out = new Out(size);
        for (const text of texts) out.write(text);
        expect(out.units).toBe(texts.join('').length);
        const pieces: string[] = [];
        while (!out.isEmpty) pieces.push(...out.take(size).map(String));
        expect(pieces.join('')).toBe(texts.join(''));
        for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
        expect(out.units).toBe(0);
      },
    ),
  );
});

test('lines of a snapshot wait in any number', () => {
  const budgets = { pieceUnits: 9, budget: 9, pageBudget: 9 };
  const out = new SnapshotOut({ ...budgets, interactiveOnly: false, isHeld: false, skip: null });
  out.queue(Array.from({ length: 200_000 }, () => ({ text: 'a line', place: null })));
  expect(out.isFull).toBe(true);
});
