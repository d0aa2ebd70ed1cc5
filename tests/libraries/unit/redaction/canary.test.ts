import fc from '../../../support/property.ts';
import { describe, expect, it } from 'vitest';
import { CANARIES, PLACES } from './canaries.ts';
import { cutAt, places, redactChunks, redactor } from './chunks.ts';

describe('secrets of a known shape', () => {
  describe.each(PLACES)('%s', (_name, before, after) => {
    it('is replaced there, and nothing else', () => {
      for (const { kind, secret } of CANARIES)
        fc.assert(
          fc.property(secret, (value) => {
            expect(redactor.text(before + value + after)).toBe(`${before}«redacted:${kind}»${after}`);
          }),
          { numRuns: 5 },
        );
    });
  });

  it('is replaced wherever the stream is cut, and when invisible characters split it', async () => {
    for (const { kind, secret } of CANARIES)
      await fc.assert(
        fc.asyncProperty(secret, places, fc.nat(), async (value, cuts, at) => {
          const split = at % value.length;
          const hidden = `${value.slice(0, split)}\u200b${value.slice(split)}`;
          const { text, report } = await redactChunks(cutAt(`a ${hidden} b`, cuts));
          expect(text).toBe(`a «redacted:${kind}» b`);
          expect(report).toMatchObject({ secrets: { [kind]: 1 }, invisibleCharacters: 1 });
        }),
        { numRuns: 5 },
      );
  });

  it('is replaced with the underscores that Markdown escapes', () => {
    for (const { kind, secret } of CANARIES)
      fc.assert(
        fc.property(secret, (value) => {
          expect(redactor.text(`x ${value.replaceAll('_', '\\_')} y`)).toBe(`x «redacted:${kind}» y`);
        }),
        { numRuns: 3 },
      );
  });
});
