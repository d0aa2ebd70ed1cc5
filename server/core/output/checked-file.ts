import { mkdir, open, readdir, rmdir, unlink, type FileHandle } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { BLOCK_BYTES, crc32, packChecksums, corrupt } from './format.ts';
import { openRegular, syncFolder } from '../machine/files.ts';

/**
 * Writes a file in whole blocks and computes a checksum for each. It uses two blocks of memory: while one is
 * written to disk the other fills.
 */
export class CheckedWriter {
  readonly #checksums: number[] = [];
  #filling: Buffer = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  #spare: Buffer | undefined;
  #used = 0;
  #flushed = 0;
  #inFlight: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(private readonly file: StoreFile) {}

  get sizeBytes(): number {
    return this.#flushed + this.#used;
  }

  /**
   * Copies; returns a promise only if a block had to be written, which the caller awaits before the next
   * write.
   */
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
    this.#inFlight = this.file.write(block, this.#flushed);
    // The failure surfaces at the next await of the same promise, at the latest in `finish`.
    this.#inFlight.catch(() => undefined);
    this.#spare = this.#filling;
    this.#filling = free;
    this.#flushed += this.#used;
    this.#used = 0;
  }

  /**
   * Writes the rest and forces it to disk. Returns the checksums of the blocks. A failed fsync is final and
   * never repeated.
   */
  async finish(): Promise<string> {
    if (this.#used > 0) await this.#flush();
    await this.#inFlight;
    await this.file.sync();
    return packChecksums(this.#checksums);
  }

  /** Waits for a pending write, however it ends, and closes. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= Promise.allSettled([this.#inFlight]).then(() => this.file.close());
    return this.#closing;
  }
}

interface FileFacts {
  readonly handle: string;
  /** Checksums of its blocks, as {@link CheckedWriter} returned them. */
  readonly blocks: string;
  readonly sizeBytes: number;
}

/** Opens a file that {@link CheckedWriter} wrote. @throws `store_corrupt` if its length is wrong */
export async function openChecked(
  fs: StoreFileSystem,
  path: string,
  facts: FileFacts,
): Promise<CheckedReader> {
  const file = await fs.open(path);
  try {
    const { handle, blocks, sizeBytes: wanted } = facts;
    const sizeBytes = await file.sizeBytes();
    if (sizeBytes !== wanted) throw corrupt(handle, `a file has ${sizeBytes} bytes instead of ${wanted}`);
    const checksums = Buffer.from(blocks, 'base64');
    if (checksums.length !== Math.ceil(wanted / BLOCK_BYTES) * 4)
      throw corrupt(handle, 'its block sums are incomplete');
    return new CheckedReader(file, facts, checksums);
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

/** Reads ranges of a file, each in one read, and checks every block. */
export class CheckedReader {
  constructor(
    private readonly file: StoreFile,
    private readonly facts: FileFacts,
    private readonly checksums: Buffer,
  ) {}

  /** Bytes from `start` to `end`, which must be within the file. */
  async read(start: number, end: number): Promise<Buffer> {
    const from = blockStart(start);
    const to = Math.min(Math.ceil(end / BLOCK_BYTES) * BLOCK_BYTES, this.facts.sizeBytes);
    return (await this.#fill(Buffer.allocUnsafe(to - from), from)).subarray(start - from, end - from);
  }

  /**
   * Reads the file from about `start` to its end, in parts of a mebibyte. It reads the next part while the
   * current one is in use, so it needs two of them in memory. End it (`return`) before the file is closed.
   * `next` takes a position in the last part: the next part begins there, at most {@link CARRY_BYTES} back.
   */
  async *scan(start: number): AsyncGenerator<View, void, number> {
    const { sizeBytes } = this.facts;
    let at = blockStart(start);
    const bufferBytes = CARRY_BYTES + Math.min(CHUNK_BYTES, Math.max(0, sizeBytes - at));
    let buffer: Buffer = Buffer.allocUnsafeSlow(bufferBytes);
    let spare: Buffer = Buffer.allocUnsafeSlow(bufferBytes);
    let carried: Buffer = buffer.subarray(0, 0);
    let reading = this.#readAhead(buffer, at);
    try {
      while (at < sizeBytes) {
        const { length } = await reading;
        carried.copy(buffer, CARRY_BYTES - carried.length);
        const bytes = buffer.subarray(CARRY_BYTES - carried.length, CARRY_BYTES + length);
        const viewAt = at - carried.length;
        at += length;
        [buffer, spare] = [spare, buffer];
        reading = this.#readAhead(buffer, at);
        const keep = yield { at: viewAt, bytes, isLast: at >= sizeBytes };
        const carry = Math.min(CARRY_BYTES, Math.max(0, at - keep));
        carried = bytes.subarray(Math.max(0, bytes.length - carry));
      }
    } finally {
      await reading.catch(() => undefined);
    }
  }

  close(): Promise<void> {
    return this.file.close();
  }

  #readAhead(buffer: Buffer, at: number): Promise<Buffer> {
    const length = Math.max(0, Math.min(CHUNK_BYTES, this.facts.sizeBytes - at));
    const reading = this.#fill(buffer.subarray(CARRY_BYTES, CARRY_BYTES + length), at);
    // The failure is met by who awaits it.
    reading.catch(() => undefined);
    return reading;
  }

  /** Fills `target` from `from`, the first byte of a block, in one read, and checks every block. */
  async #fill(target: Buffer, from: number): Promise<Buffer> {
    const { handle } = this.facts;
    if ((await this.file.read(target, from)) !== target.length) throw corrupt(handle, 'a file ends early');
    for (let at = 0, block = from / BLOCK_BYTES; at < target.length; at += BLOCK_BYTES, block += 1) {
      if (crc32(target.subarray(at, at + BLOCK_BYTES)) !== this.checksums.readUInt32LE(block * 4))
        throw corrupt(handle, `block ${block} does not match its sum`);
    }
    return target;
  }
}

/** Bytes of a file that are in memory together, until the next are requested. */
export interface View {
  /** The offset of `bytes` in the file. */
  readonly at: number;
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

const CHUNK_BYTES = 8 * BLOCK_BYTES;
/** Maximum bytes that a view shares with the next. */
const CARRY_BYTES = 64 * 1024;

const blockStart = (at: number): number => Math.floor(at / BLOCK_BYTES) * BLOCK_BYTES;

/** One open file of the store. Positions and lengths are in bytes. */
export type StoreFile = ReturnType<typeof wrap>;

const wrap = (handle: FileHandle) => ({
  /** Writes all of `bytes` at `position`; continues after short writes. */
  write: async (bytes: Uint8Array, position: number): Promise<void> => {
    let done = 0;
    while (done < bytes.length) {
      const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
      done += bytesWritten;
    }
  },
  /** Fills `target` from `position`; returns the number of bytes read. */
  read: async (target: Uint8Array, position: number): Promise<number> => {
    let done = 0;
    while (done < target.length) {
      const { bytesRead } = await handle.read(target, done, target.length - done, position + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return done;
  },
  sizeBytes: async (): Promise<number> => (await handle.stat()).size,
  sync: (): Promise<void> => handle.sync(),
  close: (): Promise<void> => handle.close(),
});

/**
 * The few file system operations that the store needs, on the real disk. This is the store's only access to
 * it, so that tests can record writes and replay a power cut. Failures are Node's, with their `code`.
 */
export const nodeFileSystem = {
  /** Creates a file that must not exist, readable and writable only by its owner. */
  create: async (path: string): Promise<StoreFile> => wrap(await open(path, 'wx', 0o600)),
  /** Opens a regular file for reading; links and pipes are refused with `EINVAL` or `ELOOP`. */
  open: async (path: string): Promise<StoreFile> => wrap(await openRegular(path)),
  unlink: (path: string): Promise<void> => unlink(path),
  /** Creates a folder and its parents, 0700; returns the first one it had to create. */
  makeFolder: (path: string): Promise<string | undefined> => mkdir(path, { recursive: true, mode: 0o700 }),
  /** Fails for one that is not empty. */
  removeFolder: (path: string): Promise<void> => rmdir(path),
  /** The files in a folder and in the folders in it, with `/` between. */
  listFiles: async (path: string): Promise<readonly string[]> =>
    (await readdir(path, { withFileTypes: true, recursive: true }))
      .filter((entry) => !entry.isDirectory())
      .map(({ parentPath, name }) => relative(path, join(parentPath, name)).replaceAll(sep, '/')),
  /** Makes the names in a folder survive a power cut. */
  syncFolder,
};

export type StoreFileSystem = typeof nodeFileSystem;
