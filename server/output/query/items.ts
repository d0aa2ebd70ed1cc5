import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { parseJson } from '../../../shared/json-schema.ts';
import type { StoredOutput } from '../reader.ts';
import { corrupt } from '../store-error.ts';

/** A stored output with its items where they are in memory: those of a table. */
export interface QueriedOutput extends StoredOutput {
  readonly records?: readonly JsonObject[];
}

const NEWLINE = 10;
const COMMA = 44;
const BATCH_BYTES = 256 * 1024;
const BATCH_RECORDS = 1_000;

/** Items that were read together; the position of the first. */
interface ItemBatch {
  readonly first: number;
  readonly items: readonly JsonValue[];
}

/** All items from one on. Of the output, two mebibytes are in memory, and the items of a batch. */
export async function* itemBatches(output: QueriedOutput, first: number): AsyncGenerator<ItemBatch> {
  if (output.records !== undefined) {
    for (let at = first; at < output.records.length; at += BATCH_RECORDS)
      yield { first: at, items: output.records.slice(at, at + BATCH_RECORDS) };
    return;
  }
  const [span] = await output.spans(first, 1);
  if (span === undefined) return;
  const scan = output.scan(span.start);
  try {
    let at = first;
    let items: JsonValue[] = [];
    let size = 0;
    for await (const line of lines(scan, span.start)) {
      const text = line.at(-1) === COMMA ? line.subarray(0, -1) : line;
      if (text.length <= 1 && at + items.length >= (output.meta.item_count ?? 0)) break;
      items.push(parse(text, output.meta.handle));
      size += text.length;
      if (size < BATCH_BYTES) continue;
      yield { first: at, items };
      at += items.length;
      items = [];
      size = 0;
    }
    if (items.length > 0) yield { first: at, items };
  } finally {
    await scan.end();
  }
}

function parse(text: Buffer, handle: string): JsonValue {
  try {
    return parseJson(text.toString('utf8'));
  } catch (thrown) {
    throw corrupt(handle, 'an item is not JSON', thrown);
  }
}

/** Lines of a scan: each item is one. */
async function* lines(scan: ReturnType<StoredOutput['scan']>, start: number): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  let end = start;
  for (let view = await scan.next(end); view !== null; view = await scan.next(end)) {
    const { at, bytes } = view;
    let from = Math.max(0, end - at);
    for (let to = bytes.indexOf(NEWLINE, from); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
      const line = bytes.subarray(from, to);
      yield begun.length === 0 ? line : Buffer.concat([...begun, line]);
      begun = [];
      from = to + 1;
    }
    begun.push(Buffer.from(bytes.subarray(from)));
    end = at + bytes.length;
  }
}
