import { SpillwayError } from '../../shared/errors.ts';

/**
 * Decodes base64 that comes in chunks cut anywhere. Memory: one chunk.
 *
 * @throws SpillwayError `stream_corrupt` for invalid base64
 */
export async function* decodeBase64(chunks: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let rest = '';
  for await (const chunk of chunks) {
    const text = rest + chunk;
    const whole = text.length - (text.length % 4);
    rest = text.slice(whole);
    if (whole > 0) yield decode(text.slice(0, whole));
  }
  if (rest !== '') throw corrupt();
}

function decode(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  // Node silently skips invalid base64; the length reveals it.
  if (bytes.length !== (text.length / 4) * 3 - padding) throw corrupt();
  return bytes;
}

const corrupt = (): SpillwayError =>
  new SpillwayError('stream_corrupt', 'The stream contains invalid base64.');
