import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { partsOf } from '../../../server/meter/split.ts';
import { tokensOf } from '../../support/metered.ts';
import fc from '../../support/property.ts';

const sum = (text: string): number => [...partsOf(text)].reduce((total, part) => total + tokensOf(part), 0);

describe('parts of a text', () => {
  it.each(['docs/tools.md', 'package-lock.json', 'shared/errors.ts', 'docs/security.md'])(
    'have the tokens of the whole: %s',
    (file) => {
      const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8').slice(0, 200_000);
      expect([...partsOf(text)].length).toBeGreaterThan(3);
      expect(sum(text)).toBe(tokensOf(text));
    },
  );

  it('are the text again, in parts of a bounded length that cut no character', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 3_000 }), { maxLength: 6 }), (texts) => {
        const text = texts.join('');
        const parts = [...partsOf(text)];
        expect(parts.join('')).toBe(text);
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(4_096);
          expect(part.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});
