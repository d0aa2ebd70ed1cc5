import { SpillwayError } from '../../shared/errors.ts';
import type { JsonValue } from '../../shared/json.ts';
import { parseJson } from '../../shared/json-schema.ts';

function parseLine(line: string): JsonValue {
  try {
    return parseJson(line);
  } catch (cause) {
    throw new SpillwayError('stream_corrupt', 'An item of the stream is not JSON.', { cause });
  }
}

/** Turns text chunks, cut anywhere, into one JSON value a line. Memory: the longest line. */
export async function* parseJsonLines(chunks: AsyncIterable<string>): AsyncGenerator<JsonValue> {
  let pending: string[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      pending.push(chunk.slice(from, end));
      const line = pending.length === 1 ? (pending[0] ?? '') : pending.join('');
      pending = [];
      from = end + 1;
      if (line !== '') yield parseLine(line);
    }
    if (from < chunk.length) pending.push(chunk.slice(from));
  }
  const last = pending.join('');
  if (last !== '') yield parseLine(last);
}
