import type { ItemSpan } from '../core/item-page.ts';
import type { CheckedReader } from './checked-file.ts';
import { INDEX_ENTRY_BYTES, ITEM_LEAD_BYTES } from './item-format.ts';
import { BLOCK_BYTES } from './meta.ts';

/** An item, and where it is in the payload. */
export interface FoundItem extends ItemSpan {
  readonly index: number;
}

/** Finds items by position. It holds one block of the index, since who searches goes forward. */
export class ItemLookup {
  readonly #index: CheckedReader;
  readonly #count: number;
  readonly #buffer = Buffer.allocUnsafe(BLOCK_BYTES);
  #block: { readonly number: number; readonly bytes: Buffer } | null = null;

  constructor(index: CheckedReader, count: number) {
    this.#index = index;
    this.#count = count;
  }

  /** The item that holds a byte of the payload; null for a byte between items. */
  async find(position: number): Promise<FoundItem | null> {
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((await this.#end(middle)) > position) high = middle;
      else low = middle + 1;
    }
    if (low === this.#count) return null;
    const start = (low === 0 ? 0 : await this.#end(low - 1)) + ITEM_LEAD_BYTES;
    return position < start ? null : { index: low, start, end: await this.#end(low) };
  }

  async #end(item: number): Promise<number> {
    const at = item * INDEX_ENTRY_BYTES;
    let end = 0;
    // An entry may lie on both sides of a border between blocks.
    for (let byte = INDEX_ENTRY_BYTES - 1; byte >= 0; byte -= 1)
      end = end * 256 + (await this.#byte(at + byte));
    return end;
  }

  async #byte(at: number): Promise<number> {
    const number = Math.floor(at / BLOCK_BYTES);
    if (this.#block?.number !== number) {
      const from = number * BLOCK_BYTES;
      const length = Math.min(BLOCK_BYTES, this.#count * INDEX_ENTRY_BYTES - from);
      this.#block = null;
      this.#block = { number, bytes: await this.#index.fill(this.#buffer.subarray(0, length), from) };
    }
    return this.#block.bytes[at % BLOCK_BYTES] ?? 0;
  }
}
