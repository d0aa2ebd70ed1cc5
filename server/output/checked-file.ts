import type { StoreFile } from './file-system.ts';
import { BLOCK_BYTES, crc32, packChecksums } from './meta.ts';
import { corrupt } from './store-error.ts';

/**
 * Writes a file in whole blocks and sums each. Two blocks of memory: while one is on its way to the
 * disk the other is filled.
 */
export class CheckedWriter {
  readonly #file: StoreFile;
  readonly #checksums: number[] = [];
  #filling: Buffer = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  #spare: Buffer | undefined;
  #used = 0;
  #flushed = 0;
  #inFlight: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(file: StoreFile) {
    this.#file = file;
  }

  get sizeBytes(): number {
    return this.#flushed + this.#used;
  }

  /** Copies; a promise only when a block had to leave, which the caller awaits before the next write. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (bytes.length >= BLOCK_BYTES - this.#used) return this.#writeBlocks(bytes);
    this.#filling.set(bytes, this.#used);
    this.#used += bytes.length;
    return undefined;
  }

  async #writeBlocks(bytes: Uint8Array): Promise<void> {
    for (let taken = 0; taken < bytes.length;) {
      const part = bytes.subarray(taken, taken + BLOCK_BYTES - this.#used);
      this.#filling.set(part, this.#used);
      this.#used += part.length;
      taken += part.length;
      if (this.#used === BLOCK_BYTES) await this.#flush();
    }
  }

  async #flush(): Promise<void> {
    const block = this.#filling.subarray(0, this.#used);
    this.#checksums.push(crc32(block));
    await this.#inFlight;
    const free = this.#spare ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
    this.#inFlight = this.#file.write(block, this.#flushed);
    // The failure is met by the next await of the same promise, at the latest in `finish`.
    this.#inFlight.catch(() => undefined);
    this.#spare = this.#filling;
    this.#filling = free;
    this.#flushed += this.#used;
    this.#used = 0;
  }

  /** Writes what is left and forces it to the disk. Returns the sums of the blocks. A failed fsync is final: it is never repeated. */
  async finish(): Promise<string> {
    if (this.#used > 0) await this.#flush();
    await this.#inFlight;
    await this.#file.sync();
    return packChecksums(this.#checksums);
  }

  /** Waits for a pending write, however it ends, and closes. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#inFlight?.catch(() => undefined);
    await this.#file.close();
  }
}

/** A page of the usual size touches two blocks. */
const POOLED_BYTES = 2 * BLOCK_BYTES;
const POOLED_BUFFERS = 4;
/** Buffers that wait for the next read, so that paging through a handle makes no garbage. */
const pool: Buffer[] = [];

/** Reads ranges of a file that {@link CheckedWriter} wrote, each in one read, and checks every block. */
export class CheckedReader {
  readonly #file: StoreFile;
  readonly #handle: string;
  readonly #checksums: Buffer;
  readonly #sizeBytes: number;
  readonly #borrowed: Buffer[] = [];

  constructor(file: StoreFile, facts: { handle: string; blocks: string; sizeBytes: number }) {
    this.#file = file;
    this.#handle = facts.handle;
    this.#checksums = Buffer.from(facts.blocks, 'base64');
    this.#sizeBytes = facts.sizeBytes;
  }

  /** @throws `store_corrupt` when the length is not the one that was written. */
  async checkLength(): Promise<void> {
    const sizeBytes = await this.#file.sizeBytes();
    if (sizeBytes !== this.#sizeBytes)
      throw corrupt(this.#handle, `a file has ${sizeBytes} bytes instead of ${this.#sizeBytes}`);
    if (this.#checksums.length !== Math.ceil(this.#sizeBytes / BLOCK_BYTES) * 4)
      throw corrupt(this.#handle, 'its block sums are incomplete');
  }

  /** Bytes from `start` up to `end`, which lie within the file. They are lent until `close`. */
  async read(start: number, end: number): Promise<Buffer> {
    const first = Math.floor(start / BLOCK_BYTES);
    const from = first * BLOCK_BYTES;
    const to = Math.min(Math.ceil(end / BLOCK_BYTES) * BLOCK_BYTES, this.#sizeBytes);
    return (await this.fill(this.#borrow(to - from), from)).subarray(start - from, end - from);
  }

  /** Fills `target` with what begins at `from`, the first byte of a block, in one read, and checks every block. */
  async fill(target: Buffer, from: number): Promise<Buffer> {
    if ((await this.#file.read(target, from)) !== target.length)
      throw corrupt(this.#handle, 'a file ends early');
    for (let at = 0, block = from / BLOCK_BYTES; at < target.length; at += BLOCK_BYTES, block += 1) {
      if (crc32(target.subarray(at, at + BLOCK_BYTES)) !== this.#checksums.readUInt32LE(block * 4))
        throw corrupt(this.#handle, `block ${block} does not match its sum`);
    }
    return target;
  }

  #borrow(length: number): Buffer {
    if (length > POOLED_BYTES) return Buffer.allocUnsafe(length);
    const buffer = pool.pop() ?? Buffer.allocUnsafeSlow(POOLED_BYTES);
    this.#borrowed.push(buffer);
    return buffer.subarray(0, length);
  }

  /** Closing waits for pending reads, which still fill their buffers: only then are they given back. */
  async close(): Promise<void> {
    await this.#file.close();
    for (const buffer of this.#borrowed.splice(0)) if (pool.length < POOLED_BUFFERS) pool.push(buffer);
  }
}
