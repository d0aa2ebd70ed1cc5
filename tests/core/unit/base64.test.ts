import fc from '../../support/property.ts';
import { expect, it } from 'vitest';
import { decodeBase64 } from '../../../server/core/file-stream.ts';

async function* pieces(text: string, cuts: readonly number[]): AsyncGenerator<string, void> {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  for (const [index, start] of [0, ...places].entries())
    yield text.slice(start, places[index] ?? text.length);
}

async function decode(text: string, cuts: readonly number[] = []): Promise<Buffer> {
  const out: Uint8Array[] = [];
  for await (const bytes of decodeBase64(pieces(text, cuts))) out.push(bytes);
  return Buffer.concat(out);
}

it('gives the bytes back wherever the text is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 400 }),
      fc.array(fc.nat(), { maxLength: 10 }),
      async (bytes, cuts) => {
        expect(await decode(Buffer.from(bytes).toString('base64'), cuts)).toEqual(Buffer.from(bytes));
      },
    ),
  );
});

it.each(['QUJ', 'QUJDR', 'Q!JD', 'QUJD\nQUJD'])('%j is not base64', async (text) => {
  await expect(decode(text)).rejects.toMatchObject({ code: 'stream_corrupt' });
});
