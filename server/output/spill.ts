import { LIMITS } from '../../shared/limits.ts';
import type { OutputWriter } from '../core/services.ts';
import { clean, cleanBytes, type CleanBytes } from '../redact/clean.ts';
import { vouchBytes } from '../redact/mark.ts';
import type { ByteSink } from './serialise.ts';

/** Growing memory for bytes, with the ends of the items in it. */
class MemoryBuffer {
  #bytes: Buffer = Buffer.alloc(0);
  #used = 0;
  #ends: number[] = [];

  append(bytes: CleanBytes): void {
    const needed = this.#used + bytes.length;
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2, 4096));
      this.#bytes.copy(grown, 0, 0, this.#used);
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, this.#used);
    this.#used = needed;
  }

  endItem(): void {
    this.#ends.push(this.#used);
  }

  bytes(): CleanBytes {
    return vouchBytes(this.#bytes.subarray(0, this.#used));
  }

  /** Writes everything to a writer, items marked as they were. */
  async moveTo(writer: OutputWriter): Promise<void> {
    let start = 0;
    for (const end of this.#ends) {
      const writing = writer.write(vouchBytes(this.#bytes.subarray(start, end)));
      if (writing) await writing;
      writer.endItem();
      start = end;
    }
    await writer.write(vouchBytes(this.#bytes.subarray(start, this.#used)));
    this.#bytes = Buffer.alloc(0);
    this.#used = 0;
    this.#ends = [];
  }
}

/**
 * Keeps a payload in memory up to a limit. The byte that crosses it opens a writer, and the buffer
 * goes there first: nothing is serialised twice, and memory stays flat.
 */
export class Spill implements ByteSink {
  readonly #limitBytes: number;
  readonly #open: () => Promise<OutputWriter>;
  readonly #buffer = new MemoryBuffer();
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
    this.#buffer.append(bytes);
    return undefined;
  }

  endItem(): void {
    this.itemCount += 1;
    (this.#writer ?? this.#buffer).endItem();
  }

  async #cross(bytes: CleanBytes): Promise<void> {
    const writer = (this.#writer ??= await this.#open());
    await this.#buffer.moveTo(writer);
    await writer.write(bytes);
  }

  /** The writer, when the payload is stored. */
  async writer(): Promise<OutputWriter | undefined> {
    if (this.#writer === undefined && this.#limitBytes < 0) await this.#cross(cleanBytes(clean``));
    return this.#writer;
  }

  /** The whole payload, when it is not stored. */
  bytes(): CleanBytes {
    return this.#buffer.bytes();
  }

  /** The beginning, one byte longer than a preview, so that its last boundary shows. */
  head(): Buffer {
    return this.#head.subarray(0, this.#headUsed);
  }

  async abort(): Promise<void> {
    await this.#writer?.abort();
  }
}
