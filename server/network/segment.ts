import { open, rm } from 'node:fs/promises';

const FILE_MODE = 0o600;

/** A stretch of a {@link Segment}. */
export interface Place {
  readonly segment: Segment;
  readonly offset: number;
  readonly sizeBytes: number;
}

/**
 * Some records of the ring, one behind the other: in memory first, then in a file of their own,
 * which is removed when the ring has dropped them and no reader is left.
 */
export class Segment {
  /** Of its file, in a folder that may not exist yet. */
  readonly name: string;
  #path: string | null = null;
  /** By offset. */
  #records: Map<number, Buffer> | null = new Map();
  #sizeBytes = 0;
  #readers = 0;
  #isDropped = false;

  constructor(name: string) {
    this.name = name;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get isDropped(): boolean {
    return this.#isDropped;
  }

  /** False once its records are in the file alone. */
  get isInMemory(): boolean {
    return this.#records !== null;
  }

  append(record: Buffer): Place {
    if (this.#records === null) throw new Error('A segment on disk is full.');
    const place = { segment: this, offset: this.#sizeBytes, sizeBytes: record.length };
    this.#records.set(this.#sizeBytes, record);
    this.#sizeBytes += record.length;
    return place;
  }

  /** Moves the records into a file; nothing is left of it when the disk is full. */
  async flush(path: string): Promise<void> {
    const records = this.#records;
    if (records === null || this.#isDropped) return;
    const file = await open(path, 'wx', FILE_MODE);
    this.#path = path;
    try {
      await file.writeFile(Buffer.concat([...records.values()]));
      this.#records = null;
    } finally {
      await file.close();
      if (this.isInMemory || this.#isDropped) await this.#remove();
    }
  }

  /** All of it, at once. */
  async readAll(): Promise<Buffer> {
    const records = this.#records;
    if (records !== null) return Buffer.concat([...records.values()]);
    return this.#read(0, this.#sizeBytes);
  }

  async read({ offset, sizeBytes }: Place): Promise<Buffer> {
    return this.#records?.get(offset) ?? this.#read(offset, sizeBytes);
  }

  /** The file stays while it is read. */
  pin(): void {
    this.#readers += 1;
  }

  async unpin(): Promise<void> {
    this.#readers -= 1;
    if (this.#isDropped) await this.#remove();
  }

  async drop(): Promise<void> {
    this.#isDropped = true;
    await this.#remove();
  }

  async #remove(): Promise<void> {
    if (this.#readers > 0) return;
    if (this.#isDropped) this.#records = null;
    const path = this.#path;
    if (path === null) return;
    this.#path = null;
    await rm(path, { force: true });
  }

  async #read(offset: number, sizeBytes: number): Promise<Buffer> {
    if (this.#path === null) throw new Error(`Segment ${this.name} has been dropped.`);
    const file = await open(this.#path, 'r');
    try {
      const buffer = Buffer.allocUnsafe(sizeBytes);
      let done = 0;
      while (done < sizeBytes) {
        const { bytesRead } = await file.read(buffer, done, sizeBytes - done, offset + done);
        if (bytesRead === 0) throw new Error(`Segment ${this.name} is shorter than what was written.`);
        done += bytesRead;
      }
      return buffer;
    } finally {
      await file.close();
    }
  }
}
