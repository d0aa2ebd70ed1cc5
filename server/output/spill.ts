import { LIMITS } from '../../shared/limits.ts';
import type { OutputWriter } from '../core/services.ts';
import { clean, cleanBytes, type CleanBytes } from '../redact/clean.ts';
import { vouchBytes } from '../redact/mark.ts';
import type { ByteSink } from './serialise.ts';

/** Bytes that were written at once. */
interface Piece {
  readonly bytes: Buffer;
  ends: number;
}

/**
 * Keeps a payload in memory up to a limit. The byte that crosses it opens a writer, and what is kept
 * goes there first: nothing is serialised twice, and memory stays flat.
 */
export class Spill implements ByteSink {
  readonly #limitBytes: number;
  readonly #open: () => Promise<OutputWriter>;
  #pieces: Piece[] = [];
  readonly #head = Buffer.alloc(LIMITS.outputPreviewBytes + 1);
  #headUsed = 0;
  #writer: OutputWriter | undefined;
  sizeBytes = 0;
  itemCount = 0;

  /** `limitBytes` below zero: everything goes to the writer, an empty payload too. */
  constructor(limitBytes: number, open: () => Promise<OutputWriter>) {
    this.#limitBytes = limitBytes;
    this.#open = open;
  }

  write(bytes: CleanBytes): Promise<void> | undefined {
    if (this.#headUsed < this.#head.length) {
      const part = bytes.subarray(0, this.#head.length - this.#headUsed);
      this.#head.set(part, this.#headUsed);
      this.#headUsed += part.length;
    }
    this.sizeBytes += bytes.length;
    if (this.#writer) return this.#writer.write(bytes);
    if (this.sizeBytes > this.#limitBytes) return this.#cross(bytes);
    this.#pieces.push({ bytes: Buffer.from(bytes), ends: 0 });
    return undefined;
  }

  endItem(): void {
    this.itemCount += 1;
    if (this.#writer !== undefined) return this.#writer.endItem();
    const last = this.#pieces.at(-1);
    if (last !== undefined) last.ends += 1;
  }

  async #cross(bytes: CleanBytes): Promise<void> {
    const writer = (this.#writer ??= await this.#open());
    const pieces = this.#pieces;
    this.#pieces = [];
    for (const piece of pieces) {
      await writer.write(vouchBytes(piece.bytes));
      for (let count = 0; count < piece.ends; count += 1) writer.endItem();
    }
    await writer.write(bytes);
  }

  /** The writer, when the payload is stored. */
  async writer(): Promise<OutputWriter | undefined> {
    if (this.#writer === undefined && this.#limitBytes < 0) await this.#cross(cleanBytes(clean``));
    return this.#writer;
  }

  /** The whole payload, when it is not stored. */
  bytes(): CleanBytes {
    return vouchBytes(Buffer.concat(this.#pieces.map((piece) => piece.bytes)));
  }

  /** The beginning, one byte longer than a preview, so that its last boundary shows. */
  head(): Buffer {
    return this.#head.subarray(0, this.#headUsed);
  }

  async abort(): Promise<void> {
    await this.#writer?.abort();
  }
}
