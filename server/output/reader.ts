import type { ItemSpan } from '../core/output.ts';
import { CheckedReader, Scan, type StoreFileSystem } from './checked-file.ts';
import {
  INDEX_ENTRY_BYTES,
  toSpans,
  ITEM_LEAD_BYTES,
  indexOf,
  corrupt,
  toReadError,
  type Meta,
  BLOCK_BYTES,
} from './format.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { parseJson } from '../../shared/json-schema.ts';

/** An item, and its place in the payload. */
interface FoundItem extends ItemSpan {
  readonly index: number;
}

/** Finds items by position. It keeps one block of the index, because searches move forward. */
class ItemLookup {
  readonly #buffer = Buffer.allocUnsafe(BLOCK_BYTES);
  #block: { readonly number: number; readonly bytes: Buffer } | null = null;

  constructor(
    private readonly index: CheckedReader,
    private readonly count: number,
  ) {}

  /** The item that contains a byte of the payload; null for a byte between items. */
  async find(position: number): Promise<FoundItem | null> {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((await this.#end(middle)) > position) high = middle;
      else low = middle + 1;
    }
    if (low === this.count) return null;
    const start = (low === 0 ? 0 : await this.#end(low - 1)) + ITEM_LEAD_BYTES;
    return position < start ? null : { index: low, start, end: await this.#end(low) };
  }

  async #end(item: number): Promise<number> {
    const at = item * INDEX_ENTRY_BYTES;
    let end = 0;
    // An entry may straddle the border between two blocks.
    for (let byte = INDEX_ENTRY_BYTES - 1; byte >= 0; byte -= 1)
      end = end * 256 + (await this.#byte(at + byte));
    return end;
  }

  async #byte(at: number): Promise<number> {
    const number = Math.floor(at / BLOCK_BYTES);
    if (this.#block?.number !== number) {
      const from = number * BLOCK_BYTES;
      const length = Math.min(BLOCK_BYTES, this.count * INDEX_ENTRY_BYTES - from);
      this.#block = null;
      this.#block = { number, bytes: await this.index.fill(this.#buffer.subarray(0, length), from) };
    }
    return this.#block.bytes[at % BLOCK_BYTES] ?? 0;
  }
}

/**
 * A stored payload, open for reading. It keeps its files open, so that a sweeper cannot cut a pending fetch
 * short.
 */
export interface StoredOutput {
  readonly meta: Meta;
  /** Bytes `start … end`, checked against the meta's checksums. */
  read(start: number, end: number): Promise<Buffer>;
  /** Reads from about `start` to the end, in parts of a mebibyte. End it before the output is closed. */
  scan(start: number): Scan;
  /** The places of items `first … first + count`. */
  spans(first: number, count: number): Promise<ItemSpan[]>;
  /** The item that contains a byte of the payload; null for a byte between items. */
  itemAt(position: number): Promise<FoundItem | null>;
  close(): Promise<void>;
}

class OpenOutput implements StoredOutput {
  readonly #ends: ItemLookup | undefined;

  constructor(
    readonly meta: Meta,
    private readonly payload: CheckedReader,
    private readonly index: CheckedReader | undefined,
  ) {
    this.#ends = index === undefined ? undefined : new ItemLookup(index, meta.item_count ?? 0);
  }

  read(start: number, end: number): Promise<Buffer> {
    return this.#guard(() => this.payload.read(start, end));
  }

  scan(start: number): Scan {
    return new Scan(this.payload, this.meta.size_bytes, start);
  }

  itemAt(position: number): Promise<FoundItem | null> {
    return this.#guard(async () => (await this.#ends?.find(position)) ?? null);
  }

  spans(first: number, count: number): Promise<ItemSpan[]> {
    return this.#guard(async () => {
      const index = this.index;
      if (index === undefined) return [];
      const from = Math.max(0, first - 1) * INDEX_ENTRY_BYTES;
      const spans = toSpans(await index.read(from, (first + count) * INDEX_ENTRY_BYTES), first);
      if (spans.some(({ start, end }) => start >= end || end > this.meta.size_bytes))
        throw corrupt(this.meta.handle, 'its index points outside the payload');
      return spans;
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.payload.close(), this.index?.close()]);
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      throw toReadError(thrown, this.meta.handle);
    }
  }
}

async function openFile(fs: StoreFileSystem, path: string, facts: ReaderFacts): Promise<CheckedReader> {
  const reader = new CheckedReader(await fs.open(path), facts);
  try {
    await reader.checkLength();
    return reader;
  } catch (thrown) {
    await reader.close();
    throw thrown;
  }
}

type ReaderFacts = ConstructorParameters<typeof CheckedReader>[1];

/** Opens the files of an output. @throws `store_corrupt` if one has a wrong length, and the disk's errors */
export async function openFiles(fs: StoreFileSystem, path: string, meta: Meta): Promise<StoredOutput> {
  const { handle, payload_blocks, index_blocks, size_bytes, item_count } = meta;
  const payload = await openFile(fs, path, { handle, blocks: payload_blocks, sizeBytes: size_bytes });
  if (item_count === null || index_blocks === null) return new OpenOutput(meta, payload, undefined);
  try {
    const sizeBytes = item_count * INDEX_ENTRY_BYTES;
    const index = await openFile(fs, indexOf(path), { handle, blocks: index_blocks, sizeBytes });
    return new OpenOutput(meta, payload, index);
  } catch (thrown) {
    await payload.close();
    throw thrown;
  }
}

/** A stored output with its items in memory, if it is a table. */
export interface QueriedOutput extends StoredOutput {
  readonly records?: readonly JsonObject[];
}

const NEWLINE = 10;
const COMMA = 44;
const BATCH_BYTES = 256 * 1024;
const BATCH_RECORDS = 1_000;

/** Items that were read together, with the position of the first. */
interface ItemBatch {
  readonly first: number;
  readonly items: readonly JsonValue[];
}

/** All items from one on. Memory: two mebibytes of the output, and a batch's items. */
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
