import { describe, expect, it } from 'vitest';
import { plainText } from '../../../server/upstream/cleaner.ts';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';

const escaped = (json: string): string =>
  json.replaceAll(/[a-f/]/g, (char) =>
    char === '/' ? '\\/' : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const strings = fc.array(fc.string({ unit: fc.constantFrom(...'af/\\"xu0\n[]{}:,'), maxLength: 8 }));

describe('texts that are JSON', () => {
  it('lose escapes that they do not need, and mean the same', () => {
    fc.assert(
      fc.property(fc.array(strings), fc.constantFrom(0, 2), (value, indent) => {
        const json = JSON.stringify(value, null, indent);
        const text = json.replaceAll(/"(?:\\.|[^"\\])*"/gs, (string) =>
          string.replaceAll(/\\.|[^\\]/gs, (part) => (part.length === 1 ? escaped(part) : part)),
        );
        expect(JSON.parse(text)).toEqual(value);
        expect(plainText(text)).toBe(json);
      }),
      { numRuns: rounds(1_000, 100) },
    );
  });
});
