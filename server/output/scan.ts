import type { CheckedReader } from './checked-file.ts';
import { BLOCK_BYTES } from './meta.ts';

/** Bytes of a file that are in memory together, until the next are asked for. */
export interface View {
  /** Where `bytes` begin in the file. */
  readonly at: number;
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

const CHUNK_BYTES = 8 * BLOCK_BYTES;
/** Most bytes of one view that the next one begins with. */
const CARRY_BYTES = 64 * 1024;

/** Reads a file from a place to its end. While one part of it is looked at, the next is read: it takes two of them in memory. */
export class Scan {
  readonly #reader: CheckedReader;
  readonly #sizeBytes: number;
  readonly #buffers: readonly [Buffer, Buffer];
  #turn: 0 | 1 = 0;
  #nextAt: number;
  #ahead: Promise<Buffer> | null = null;
  #view: View | null = null;

  /** @param start the first view begins at most a block before it */
  constructor(reader: CheckedReader, sizeBytes: number, start: number) {
    this.#reader = reader;
    this.#sizeBytes = sizeBytes;
    this.#nextAt = Math.floor(start / BLOCK_BYTES) * BLOCK_BYTES;
    const bytes = CARRY_BYTES + Math.min(CHUNK_BYTES, Math.max(0, sizeBytes - this.#nextAt));
    this.#buffers = [Buffer.allocUnsafeSlow(bytes), Buffer.allocUnsafeSlow(bytes)];
    this.#readAhead();
  }

  /**
   * The next part, or null at the end.
   * @param keep a position in the last one: what follows it is in the next one, too. At most {@link CARRY_BYTES}
   */
  async next(keep: number): Promise<View | null> {
    if (this.#ahead === null) return null;
    const { length } = await this.#ahead;
    const before = this.#view;
    const buffer = this.#buffers[this.#turn];
    const carry = before === null ? 0 : Math.min(CARRY_BYTES, before.at + before.bytes.length - keep);
    if (before !== null && carry > 0)
      before.bytes.copy(buffer, CARRY_BYTES - carry, before.bytes.length - carry);
    const at = this.#nextAt - carry;
    this.#nextAt += length;
    this.#view = {
      at,
      bytes: buffer.subarray(CARRY_BYTES - carry, CARRY_BYTES + length),
      isLast: this.#nextAt >= this.#sizeBytes,
    };
    this.#turn = this.#turn === 0 ? 1 : 0;
    this.#readAhead();
    return this.#view;
  }

  /** Waits for a pending read: the file can be closed then. */
  async end(): Promise<void> {
    await this.#ahead?.catch(() => undefined);
    this.#ahead = null;
  }

  #readAhead(): void {
    const length = Math.min(CHUNK_BYTES, this.#sizeBytes - this.#nextAt);
    if (length <= 0) {
      this.#ahead = null;
      return;
    }
    const target = this.#buffers[this.#turn].subarray(CARRY_BYTES, CARRY_BYTES + length);
    this.#ahead = this.#reader.fill(target, this.#nextAt);
    // The failure is met by `next`.
    this.#ahead.catch(() => undefined);
  }
}
