import type { JsonValue } from '../../../shared/json.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import type { Payload } from '../../core/payload.ts';

/** Small pieces are gathered to about this many UTF-16 code units before they are encoded. */
const PIECE_UNITS = 64 * 1_024;

/** Small texts as fewer, larger buffers. */
export async function* gather(texts: AsyncIterable<string>): AsyncGenerator<Buffer, void> {
  let held: string[] = [];
  let units = 0;
  for await (const text of texts) {
    held.push(text);
    units += text.length;
    if (units < PIECE_UNITS) continue;
    yield Buffer.from(held.join(''), 'utf8');
    held = [];
    units = 0;
  }
  if (units > 0) yield Buffer.from(held.join(''), 'utf8');
}

async function* listOf(items: AsyncIterable<JsonValue>): AsyncGenerator<string, void> {
  let lead = '[\n';
  for await (const item of items) {
    yield lead + JSON.stringify(item);
    lead = ',\n';
  }
  yield lead === '[\n' ? '[]\n' : '\n]\n';
}

/** A part's bytes: text as UTF-8, items as one JSON array with a line each. */
export function bytesOf(payload: Payload): AsyncIterable<Uint8Array> {
  switch (payload.kind) {
    case 'items':
      return gather(listOf(payload.items));
    case 'text':
      return gather(payload.chunks);
    case 'bytes':
      return payload.chunks;
    case 'json':
      throw new SpillwayError('internal_error', 'A part of a bundle is a stream.');
  }
}

const QUAD = 4;

/** The bytes of base64 that comes in pieces. */
export async function* decodeBase64(texts: AsyncIterable<string>): AsyncGenerator<Buffer, void> {
  let held = '';
  for await (const text of texts) {
    const all = held + text;
    const end = all.length - (all.length % QUAD);
    held = all.slice(end);
    if (end > 0) yield Buffer.from(all.slice(0, end), 'base64');
  }
  if (held !== '') yield Buffer.from(held, 'base64');
}
