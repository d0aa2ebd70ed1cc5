import type { ItemSpan, OpenOutput } from './index.ts';
import { openChecked, type CheckedReader, type StoreFileSystem } from './checked-file.ts';
import { INDEX_ENTRY_BYTES, toSpans, indexOf, corrupt, toReadError, type Meta } from './format.ts';
import type { JsonObject, JsonValue } from '../../../shared/base/json.ts';
import { parseJson } from '../../../shared/base/json-schema.ts';

/**
 * A stored payload, open for reading, checked against the meta's checksums. It keeps its files open, so that a sweeper
 * cannot cut a pending fetch short.
 */
export interface StoredOutput extends OpenOutput {
  readonly meta: Meta;
  /** Its file. */
  readonly path: string;
  /** The items of a table, which is read as a whole. */
  readonly records?: readonly JsonObject[];
  readonly scan: CheckedReader['scan'];
}

/** Opens the files of an output. @throws `store_corrupt` if one has a wrong length, and the disk's errors */
export async function openFiles(fs: StoreFileSystem, path: string, meta: Meta): Promise<StoredOutput> {
  const { handle, payload_blocks, index_blocks, size_bytes, item_count } = meta;
  const payload = await openChecked(fs, path, { handle, blocks: payload_blocks, sizeBytes: size_bytes });
  const openIndex = async (): Promise<CheckedReader | null> => {
    if (item_count === null || index_blocks === null) return null;
    const sizeBytes = item_count * INDEX_ENTRY_BYTES;
    return await openChecked(fs, indexOf(path), { handle, blocks: index_blocks, sizeBytes });
  };
  const index = await openIndex().catch(async (thrown: unknown) => {
    await payload.close();
    throw thrown;
  });
  const coded = <T>(work: Promise<T>): Promise<T> =>
    work.catch((thrown: unknown) => {
      throw toReadError(thrown, handle);
    });
  const spans = async (first: number, count: number): Promise<ItemSpan[]> => {
    const end = Math.min(first + count, item_count ?? 0);
    if (index === null || first >= end) return [];
    const from = Math.max(0, first - 1) * INDEX_ENTRY_BYTES;
    const found = toSpans(await index.read(from, end * INDEX_ENTRY_BYTES), first);
    if (found.some((span) => span.start >= span.end || span.end > size_bytes))
      throw corrupt(handle, 'its index points outside the payload');
    return found;
  };
  return {
    meta,
    path,
    read: (start, end) => coded(payload.read(start, end)),
    scan: (start) => payload.scan(start),
    spans: (first, count) => coded(spans(first, count)),
    close: async () => void (await Promise.all([payload.close(), index?.close()])),
  };
}

export interface OutputSource {
  /** @throws `output_handle_not_found`, `store_corrupt`, `store_read_failed`. The caller closes it. */
  open(handle: string): Promise<StoredOutput>;
}

/** Opens a stored output, and closes it after use. @throws as {@link OutputSource.open} */
export async function withOutput<T, Output extends OpenOutput>(
  store: { open(handle: string): Promise<Output> },
  handle: string,
  use: (output: Output) => Promise<T>,
): Promise<T> {
  const output = await store.open(handle);
  try {
    return await use(output);
  } finally {
    await output.close();
  }
}

const NEWLINE = 10;
const COMMA = 44;
const BATCH_BYTES = 256 * 1024;
const BATCH_RECORDS = 1_000;

/**
 * All items from one on, as they are read together, with the position of the first of each batch. Memory: two
 * mebibytes of the output, and a batch's items.
 */
export async function* itemBatches(
  output: StoredOutput,
  first: number,
): AsyncGenerator<{ readonly first: number; readonly items: readonly JsonValue[] }> {
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
    await scan.return();
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
  for (let step = await scan.next(end); step.done !== true; step = await scan.next(end)) {
    const { at, bytes } = step.value;
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
