import type { JsonObject, JsonValue } from '../../shared/base/json.ts';
import { MIME, type MimeType } from '../../shared/base/mime.ts';
import { vouch, vouchEach, vouchEachBytes } from '../../server/libraries/redaction/mark.ts';
import type { CleanPayload, Deliverable, Outcome } from '../../server/core/result.ts';

async function* lazily<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

/** An async source is passed unwrapped: a generator around it would hide that it was abandoned. */
const each = <T>(values: Iterable<T> | AsyncIterable<T>): AsyncIterable<T> =>
  Symbol.asyncIterator in values ? values : lazily(values);

export const itemsPayload = (items: Iterable<JsonValue> | AsyncIterable<JsonValue>): CleanPayload => ({
  kind: 'items',
  mimeType: MIME.json,
  items: vouchEach(each(items)),
});

export const jsonPayload = (value: JsonValue): CleanPayload => ({
  kind: 'json',
  mimeType: MIME.json,
  value: vouch(value),
});

/** Text, at once or in chunks that split no code point. */
export const textPayload = (
  mimeType: MimeType,
  text: string | Iterable<string> | AsyncIterable<string>,
): CleanPayload => ({
  kind: 'text',
  mimeType,
  chunks: vouchEach(each(typeof text === 'string' ? [text] : text)),
});

export const bytesPayload = (
  mimeType: MimeType,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
): CleanPayload => ({
  kind: 'bytes',
  mimeType,
  chunks: vouchEachBytes(each(bytes instanceof Uint8Array ? [bytes] : bytes)),
});

export function produce(
  payload: CleanPayload,
  state: JsonObject = {},
  coverage: readonly string[] = [],
): Deliverable {
  const outcome: Outcome = { state, coverage };
  return { payload, outcome: () => outcome };
}
