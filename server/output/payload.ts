import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { MIME, type MimeType } from '../../shared/mime.ts';
import type { Outcome, Payload, Produced } from '../core/payload.ts';

async function* lazily<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

/** An async source stays itself: a generator around it would keep it from hearing that it was left. */
const each = <T>(values: Iterable<T> | AsyncIterable<T>): AsyncIterable<T> =>
  Symbol.asyncIterator in values ? values : lazily(values);

/** A collection: pages, entries, nodes. */
export const itemsPayload = (items: Iterable<JsonValue> | AsyncIterable<JsonValue>): Payload => ({
  kind: 'items',
  mimeType: MIME.json,
  items: each(items),
});

/** One value that is no list. */
export const jsonPayload = (value: JsonValue): Payload => ({ kind: 'json', mimeType: MIME.json, value });

/** Text, at once or in chunks that part no code point. */
export const textPayload = (
  mimeType: MimeType,
  text: string | Iterable<string> | AsyncIterable<string>,
): Payload => ({ kind: 'text', mimeType, chunks: each(typeof text === 'string' ? [text] : text) });

/** Bytes, at once or in chunks. */
export const bytesPayload = (mimeType: MimeType, bytes: Uint8Array | AsyncIterable<Uint8Array>): Payload => ({
  kind: 'bytes',
  mimeType,
  chunks: each(bytes instanceof Uint8Array ? [bytes] : bytes),
});

/** A payload of which everything is known beforehand. */
export function produce(
  payload: Payload,
  state: JsonObject = {},
  coverage: readonly string[] = [],
): Produced {
  const outcome: Outcome = { state, coverage };
  return { payload, done: Promise.resolve(outcome) };
}
