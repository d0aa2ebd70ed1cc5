import { createReadStream } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { SpillwayError } from '../../shared/base/errors.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { lazy } from '../../shared/base/async.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import type { Logger, Scratch, ScratchFolder } from '../core/services.ts';
import { isFull } from '../core/machine/errno.ts';
import type { PreparedEntry, StoredHead, StoredPart } from '../libraries/har/parts.ts';
import { BoundedMap } from '../../shared/base/maps.ts';

/** A private file of records, removed when nobody needs one of them. */
interface RecordFile {
  readonly path: string;
  needed: number;
}

/** A record: in memory, and later a part of a file. Readers hold it. */
export class RingPiece {
  readonly sizeBytes: number;
  /** Null once it is in a file. */
  bytes: Buffer | null;
  #place: { readonly file: RecordFile; readonly offset: number } | null = null;
  #holders = 1;

  /** @param onDrop called when the log makes room */
  constructor(
    bytes: Buffer,
    readonly onDrop: (piece: RingPiece) => void,
  ) {
    this.bytes = bytes;
    this.sizeBytes = bytes.length;
  }

  moveTo(file: RecordFile, offset: number): void {
    file.needed += 1;
    this.#place = { file, offset };
    this.bytes = null;
  }

  hold(): void {
    this.#holders += 1;
  }

  async release(): Promise<void> {
    this.#holders -= 1;
    const { file } = this.#place ?? {};
    if (this.#holders > 0 || file === undefined) return;
    file.needed -= 1;
    if (file.needed === 0) await rm(file.path, { force: true });
  }

  /** @param files whole ones, for a reader of neighbours */
  async read(files?: BoundedMap<RecordFile, Promise<Buffer>>): Promise<Buffer> {
    const { file, offset = 0 } = this.#place ?? {};
    if (file === undefined) return this.bytes ?? Buffer.alloc(0);
    const end = offset + this.sizeBytes;
    if (files === undefined) return buffer(createReadStream(file.path, { start: offset, end: end - 1 }));
    const whole = files.get(file) ?? readFile(file.path);
    files.set(file, whole);
    return (await whole).subarray(offset, end);
  }
}

const FILE_BYTES = 1_048_576;

interface PieceLogOptions {
  /** For the files: `entries`, `bodies`. */
  readonly name: string;
  readonly maxBytes: number;
  readonly memoryBytes: number;
  /** Created when the first file is written. */
  readonly folder: () => Promise<ScratchFolder>;
  /** A file could not be written; its records are dropped. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Records in order of arrival, bounded: the newest in memory, older ones in files, the oldest dropped.
 * Writing keeps up because callers await {@link awaitSettled} after appending.
 */
class PieceLog {
  /** Oldest first, and older than any of {@link #inMemory}. */
  readonly #onDisk = new Set<RingPiece>();
  readonly #inMemory = new Set<RingPiece>();
  /** In memory and on disk. */
  sizeBytes = 0;
  #memoryBytes = 0;
  #files = 0;
  #writing: Promise<void> | null = null;
  #isClosed = false;

  constructor(private readonly options: PieceLogOptions) {}

  /** Null if the record is larger than the whole log. */
  append(record: StoredPart, onDrop: (piece: RingPiece) => void): RingPiece | null {
    const bytes = Buffer.from(JSON.stringify(record));
    if (this.#isClosed || bytes.length > this.options.maxBytes) return null;
    const piece = new RingPiece(bytes, onDrop);
    this.#inMemory.add(piece);
    this.sizeBytes += piece.sizeBytes;
    this.#memoryBytes += piece.sizeBytes;
    while (this.sizeBytes > this.options.maxBytes) {
      const [oldest = piece] = this.#onDisk.size > 0 ? this.#onDisk : this.#inMemory;
      this.#drop(oldest);
    }
    return piece;
  }

  /** Resolves when memory is within its limit. */
  async awaitSettled(): Promise<void> {
    while (this.#memoryBytes > this.options.memoryBytes && this.#inMemory.size > 1) {
      this.#writing ??= this.#writeOldest().finally(() => (this.#writing = null));
      await this.#writing;
    }
  }

  remove(piece: RingPiece): void {
    if (this.#inMemory.delete(piece)) this.#memoryBytes -= piece.sizeBytes;
    else if (!this.#onDisk.delete(piece)) return;
    this.sizeBytes -= piece.sizeBytes;
    piece.release().catch((error: unknown) => this.options.onFailure(error));
  }

  /** Drops everything, and resolves when all writes have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const piece of [...this.#onDisk, ...this.#inMemory]) this.remove(piece);
    await this.#writing;
  }

  async #writeOldest(): Promise<void> {
    const batch: (readonly [RingPiece, Buffer])[] = [];
    let sizeBytes = 0;
    for (const piece of this.#inMemory) {
      if (sizeBytes >= FILE_BYTES || batch.length === this.#inMemory.size - 1) break;
      batch.push([piece, piece.bytes ?? Buffer.alloc(0)]);
      sizeBytes += piece.sizeBytes;
    }
    try {
      this.#files += 1;
      const file = {
        path: join((await this.options.folder()).path, `${this.options.name}-${this.#files}`),
        needed: 1,
      };
      await writeFile(file.path, Buffer.concat(batch.map(([, bytes]) => bytes)), { flag: 'wx', mode: 0o600 });
      let offset = 0;
      for (const [piece] of batch) {
        if (this.#inMemory.delete(piece)) {
          piece.moveTo(file, offset);
          this.#onDisk.add(piece);
          this.#memoryBytes -= piece.sizeBytes;
        }
        offset += piece.sizeBytes;
      }
      file.needed -= 1;
      if (file.needed === 0) await rm(file.path, { force: true });
    } catch (error) {
      this.options.onFailure(error);
      for (const [piece] of batch) if (this.#inMemory.has(piece)) this.#drop(piece);
    }
  }

  #drop(piece: RingPiece): void {
    piece.onDrop(piece);
    this.remove(piece);
  }
}

/** The share of the ring that bodies may take; entries without them are small and live longer. */
const BODIES_SHARE = 3 / 4;

export interface RingRecord {
  readonly id: number;
  readonly tab: string;
  readonly head: RingPiece;
  bodies: RingPiece | null;
  hasLostBodies: boolean;
}

export interface RingOptions {
  readonly maxBytes: number;
  readonly scratch: Scratch;
  readonly logger: Logger;
}

/**
 * Redacted entries of one client, the newest within a number of bytes: bodies apart from the rest, the newest
 * of both in memory, older ones on disk.
 */
export class NetworkRing {
  readonly #heads: PieceLog;
  readonly #bodies: PieceLog;
  readonly #records = new Map<RingPiece, RingRecord>();
  #folder: ScratchFolder | null = null;
  #droppedEntries = 0;
  #droppedBodies = 0;
  /** The disk's last refusal: refused entries are dropped and counted. */
  diskError: SpillwayError | null = null;

  constructor(private readonly options: RingOptions) {
    const memory = Math.min(LIMITS.networkMemoryBytes, options.maxBytes);
    const maxBytes = Math.floor(options.maxBytes * BODIES_SHARE);
    const memoryBytes = Math.floor(memory * BODIES_SHARE);
    const common = {
      folder: lazy(async () => (this.#folder = await options.scratch.folder())),
      onFailure: (error: unknown) => this.#noteFailure(error),
    };
    this.#bodies = new PieceLog({ ...common, name: 'bodies', maxBytes, memoryBytes });
    this.#heads = new PieceLog({
      ...common,
      name: 'entries',
      maxBytes: options.maxBytes - maxBytes,
      memoryBytes: memory - memoryBytes,
    });
  }

  get facts() {
    return {
      entries: this.#records.size,
      size_bytes: this.#heads.sizeBytes + this.#bodies.sizeBytes,
      max_bytes: this.options.maxBytes,
      dropped_entries: this.#droppedEntries,
      dropped_bodies: this.#droppedBodies,
      disk_error: this.diskError?.code ?? null,
    };
  }

  add({ id, tab, head, bodies }: PreparedEntry): void {
    const own = this.#heads.append(head, (piece) => {
      this.#records.delete(piece);
      this.#droppedEntries += 1;
    });
    if (own === null) {
      this.#droppedEntries += 1;
      return;
    }
    const record: RingRecord = { id, tab, head: own, bodies: null, hasLostBodies: false };
    this.#records.set(own, record);
    if (bodies === null) return;
    const loseBodies = (): void => {
      // The entry may have gone before.
      if (!this.#records.has(own)) return;
      record.bodies = null;
      record.hasLostBodies = true;
      this.#droppedBodies += 1;
    };
    record.bodies = this.#bodies.append(bodies, loseBodies);
    if (record.bodies === null) loseBodies();
  }

  /** Resolves when memory is within its limit. */
  async awaitSettled(): Promise<void> {
    await this.#heads.awaitSettled();
    await this.#bodies.awaitSettled();
  }

  /** Records of a tab, or of all, in the order in which the requests began. */
  records(tab: string | null): RingRecord[] {
    const all = [...this.#records.values()].filter((record) => tab === null || record.tab === tab);
    return all.sort((a, b) => a.id - b.id);
  }

  clear(tab: string | null): void {
    for (const { head, bodies } of this.records(tab)) {
      this.#records.delete(head);
      this.#heads.remove(head);
      if (bodies !== null) this.#bodies.remove(bodies);
    }
  }

  async close(): Promise<void> {
    this.clear(null);
    await Promise.all([this.#heads.close(), this.#bodies.close()]);
    await this.#folder?.remove().catch(() => undefined);
  }

  #noteFailure(cause: unknown): void {
    const code = isFull(cause) ? 'store_full' : 'store_write_failed';
    const reason = messageOf(cause);
    if (this.diskError === null)
      this.options.logger.warn({ err: cause }, 'captured requests could not be written to disk');
    this.diskError = new SpillwayError(code, `Captured requests could not be written to disk: ${reason}`, {
      cause,
    });
  }
}

/** Files that one reader keeps, so that neighbours cost one read. */
const KEPT_FILES = 3;

/** Reads records of a ring, which stay until it is closed. */
export class RingReader {
  readonly #held: readonly RingPiece[];
  readonly #files = new BoundedMap<RecordFile, Promise<Buffer>>(KEPT_FILES);

  constructor(records: readonly RingRecord[]) {
    this.#held = records.flatMap(({ head, bodies }) => (bodies === null ? [head] : [head, bodies]));
    for (const piece of this.#held) piece.hold();
  }

  async head({ head }: RingRecord): Promise<StoredHead> {
    // The ring reads its own records: prepareEntry made their shape.
    return JSON.parse((await head.read(this.#files)).toString('utf8')) as StoredHead;
  }

  async bodies(piece: RingPiece): Promise<StoredPart> {
    return JSON.parse((await piece.read()).toString('utf8')) as StoredPart;
  }

  async close(): Promise<void> {
    this.#files.clear();
    await Promise.all(this.#held.map((piece) => piece.release()));
  }
}
