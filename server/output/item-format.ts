import { clean } from '../redact/clean.ts';
import type { ItemSpan } from '../core/output.ts';

/*
 * Items are stored as one valid JSON array with one item a line:
 *
 *     [\n<item>,\n<item>\n]          or [] when there is none
 *
 * Each item is preceded by two bytes, `[\n` or `,\n`. The index holds, for each item, the position
 * after its last byte as a 48-bit little-endian number; an item begins two bytes after the end of
 * the one before it.
 */

export const ARRAY_OPEN = clean`[\n`;
export const ITEM_SEPARATOR = clean`,\n`;
export const ARRAY_CLOSE = clean`\n]`;
export const ARRAY_EMPTY = clean`[]`;
/** Bytes before each item. */
export const ITEM_LEAD_BYTES = 2;
/** Bytes of one entry of the index. */
export const INDEX_ENTRY_BYTES = 6;

/** Ends of items, collected until the next write takes them. */
export class ItemEnds {
  #bytes = Buffer.allocUnsafe(4096);
  #used = 0;
  count = 0;

  push(end: number): void {
    if (this.#used + INDEX_ENTRY_BYTES > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], this.#bytes.length * 2);
    this.#used = this.#bytes.writeUIntLE(end, this.#used, INDEX_ENTRY_BYTES);
    this.count += 1;
  }

  /** What was pushed since the last call; valid until the next `push`. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#used);
    this.#used = 0;
    return taken;
  }
}

/** Decodes entries `first - 1 …` of the index (`first …` when first is 0) to spans of items. */
export function toSpans(entries: Buffer, first: number): ItemSpan[] {
  const ends: number[] = first === 0 ? [0] : [];
  for (let at = 0; at < entries.length; at += INDEX_ENTRY_BYTES)
    ends.push(entries.readUIntLE(at, INDEX_ENTRY_BYTES));
  return ends.slice(1).map((end, item) => ({ start: (ends[item] ?? 0) + ITEM_LEAD_BYTES, end }));
}
