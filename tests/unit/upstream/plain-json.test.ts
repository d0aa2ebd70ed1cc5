import { describe, expect, it } from 'vitest';
import { plainChunks, plainText } from '../../../server/upstream/plain-json.ts';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { asStream, cutAt, places } from '../redact/chunks.ts';

const escaped = (json: string): string =>
  json.replaceAll(/[a-f/]/g, (char) =>
    char === '/' ? '\\/' : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A text as {@link plainChunks} reads it from the disk, its bytes cut anywhere. */
async function large(text: string, cuts: readonly number[] = []): Promise<string> {
  const bytes = Buffer.from(text);
  const ends = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
  const parts = [0, ...ends].map((start, at) => bytes.subarray(start, ends[at] ?? bytes.length));
  let out = '';
  for await (const chunk of plainChunks({
    bytes: () => asStream(parts),
    text: () => asStream(cutAt(text, cuts)),
  }))
    out += chunk;
  return out;
}

const strings = fc.array(fc.string({ unit: fc.constantFrom(...'af/\\"xu0\n[]{}:,'), maxLength: 8 }));

describe('texts that are JSON', () => {
  it('lose escapes that they do not need, and mean the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(strings), fc.constantFrom(0, 2), places, async (value, indent, cuts) => {
        const json = JSON.stringify(value, null, indent);
        const text = json.replaceAll(/"(?:\\.|[^"\\])*"/gs, (string) =>
          string.replaceAll(/\\.|[^\\]/gs, (part) => (part.length === 1 ? escaped(part) : part)),
        );
        expect(JSON.parse(text)).toEqual(value);
        expect(plainText(text)).toBe(json);
        expect(await large(text, cuts)).toBe(json);
      }),
      { numRuns: rounds(1_000, 100) },
    );
  });
});
