import type { JsonValue } from '../../shared/json.ts';
import type { Payload } from '../core/payload.ts';
import { consume } from './consume.ts';
import { ARRAY_CLOSE, ARRAY_EMPTY, ARRAY_OPEN, ITEM_SEPARATOR } from './item-format.ts';

/** Where serialised bytes go: memory, or a writer of the store. */
export interface ByteSink {
  write(bytes: Uint8Array): Promise<void> | undefined;
  endItem(): void;
}

/** Objects and arrays this deep are serialised member by member, so that no one string holds all. */
const SPLIT_DEPTH = 2;
/** Small pieces are gathered to about this many UTF-16 code units before they are encoded. */
const PIECE_UNITS = 64 * 1024;

/** The pieces of `JSON.stringify(value)`. */
export function* jsonPieces(value: JsonValue | undefined, depth = SPLIT_DEPTH): Generator<string> {
  if (depth === 0 || typeof value !== 'object' || value === null) {
    yield JSON.stringify(value) ?? 'null';
  } else if (isList(value)) {
    let lead = '[';
    for (const member of value) {
      yield lead;
      yield* jsonPieces(member, depth - 1);
      lead = ',';
    }
    yield value.length === 0 ? '[]' : ']';
  } else {
    let lead = '{';
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${lead}${JSON.stringify(key)}:`;
      yield* jsonPieces(member, depth - 1);
      lead = ',';
    }
    yield lead === '{' ? '{}' : '}';
  }
}

const isList = (value: object): value is readonly JsonValue[] => Array.isArray(value);

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');

/** Consumes a payload once and writes its bytes; what is inline and what is stored are the same bytes. */
export async function serialise(payload: Payload, sink: ByteSink, signal: AbortSignal): Promise<void> {
  switch (payload.kind) {
    case 'items':
      return serialiseItems(payload.items, sink, signal);
    case 'json':
      return serialiseJson(payload.value, sink);
    case 'text':
      return consume(payload.chunks, signal, (chunk) => sink.write(utf8(chunk)));
    case 'bytes':
      return consume(payload.chunks, signal, (chunk) => sink.write(chunk));
  }
}

async function serialiseJson(value: JsonValue, sink: ByteSink): Promise<void> {
  let text = '';
  for (const piece of jsonPieces(value)) {
    text += piece;
    if (text.length < PIECE_UNITS) continue;
    await sink.write(utf8(text));
    text = '';
  }
  await sink.write(utf8(text));
}

async function serialiseItems(items: AsyncIterable<JsonValue>, sink: ByteSink, signal: AbortSignal) {
  let lead = ARRAY_OPEN;
  await consume(items, signal, (item) => {
    const leaving = sink.write(utf8(lead + (JSON.stringify(item) ?? 'null')));
    lead = ITEM_SEPARATOR;
    if (leaving === undefined) sink.endItem();
    return leaving?.then(() => sink.endItem());
  });
  await sink.write(utf8(lead === ARRAY_OPEN ? ARRAY_EMPTY : ARRAY_CLOSE));
}
