import { join } from 'node:path';
import { SpillwayError } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { Logger, Scratch, ScratchFolder } from '../core/services.ts';
import { isFull } from '../machine/errno.ts';
import { messageOf } from '../../shared/message-of.ts';
import { type PreparedEntry, type StoredHead, type StoredPart, type Place, Segment } from './parts.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';

/** Approximate number of segments in a full log: one is dropped at a time. */
const SEGMENTS = 32;
const MIN_SEGMENT_BYTES = 4_096;
const MAX_SEGMENT_BYTES = 1_048_576;

interface SegmentLogOptions {
  /** For the files: `entries`, `bodies`. */
  readonly name: string;
  readonly maxBytes: number;
  readonly memoryBytes: number;
  /** Created when the first segment goes to disk. */
  readonly folder: () => Promise<ScratchFolder>;
  /** The oldest segment is dropped with its records. */
  readonly onDrop: (segment: Segment) => void;
  /** A segment could not be written; it is dropped. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Records in order of arrival, bounded: the newest in memory, older ones in files, the oldest dropped.
 * Writing keeps up because callers await {@link settled} after appending.
 */
class SegmentLog {
  readonly #segmentBytes: number;
  #segments: Segment[] = [];
  #bytes = 0;
  #memoryBytes = 0;
  #count = 0;
  #writing: Promise<void> | null = null;
  #isClosed = false;

  constructor(private readonly options: SegmentLogOptions) {
    const share = Math.floor(Math.min(options.maxBytes, options.memoryBytes * 4) / SEGMENTS);
    this.#segmentBytes = Math.min(Math.max(share, MIN_SEGMENT_BYTES), MAX_SEGMENT_BYTES);
  }

  /** Bytes in memory and on disk. */
  get sizeBytes(): number {
    return this.#bytes;
  }

  /** Null if the record is larger than the whole log. */
  append(record: Buffer): Place | null {
    if (this.#isClosed || record.length > this.options.maxBytes) return null;
    const place = this.#segmentFor().append(record);
    this.#bytes += record.length;
    this.#memoryBytes += record.length;
    while (this.#bytes > this.options.maxBytes) {
      const [oldest] = this.#segments;
      if (oldest === undefined || oldest === place.segment) break;
      this.#drop(oldest);
    }
    return place;
  }

  /** Resolves when memory is within its limit. */
  async settled(): Promise<void> {
    while (this.#memoryBytes > this.options.memoryBytes && this.#findFlushable() !== undefined) {
      this.#writing ??= this.#flushOldest().finally(() => {
        this.#writing = null;
      });
      await this.#writing;
    }
  }

  /** Drops everything. */
  clear(): void {
    for (const segment of [...this.#segments]) this.#remove(segment);
  }

  /** Resolves when all writes have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.clear();
    await this.#writing;
  }

  #segmentFor(): Segment {
    const newest = this.#segments.at(-1);
    if (newest?.isInMemory === true && newest.sizeBytes < this.#segmentBytes) return newest;
    this.#count += 1;
    // The path is determined on writing: the folder may not exist yet.
    const segment = new Segment(`${this.options.name}-${this.#count}`);
    this.#segments.push(segment);
    return segment;
  }

  #findFlushable(): Segment | undefined {
    return this.#segments.slice(0, -1).find((segment) => segment.isInMemory);
  }

  async #flushOldest(): Promise<void> {
    const segment = this.#findFlushable();
    if (segment === undefined) return;
    try {
      const { path } = await this.options.folder();
      await segment.flush(join(path, segment.name));
      if (!segment.isDropped) this.#memoryBytes -= segment.sizeBytes;
    } catch (error) {
      this.options.onFailure(error);
      if (!segment.isDropped) this.#drop(segment);
    }
  }

  #drop(segment: Segment): void {
    this.options.onDrop(segment);
    this.#remove(segment);
  }

  #remove(segment: Segment): void {
    this.#segments = this.#segments.filter((one) => one !== segment);
    this.#bytes -= segment.sizeBytes;
    if (segment.isInMemory) this.#memoryBytes -= segment.sizeBytes;
    void segment.drop().catch((error: unknown) => this.options.onFailure(error));
  }
}

/** The share of the ring that bodies may take; entries without them are small and live longer. */
const BODIES_SHARE = 3 / 4;

export interface RingRecord {
  readonly id: number;
  readonly tab: string;
  readonly head: Place;
  bodies: Place | null;
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
  readonly #heads: SegmentLog;
  readonly #bodies: SegmentLog;
  #records: RingRecord[] = [];
  #folder: Promise<ScratchFolder> | null = null;
  #droppedEntries = 0;
  #droppedBodies = 0;
  #diskError: SpillwayError | null = null;

  constructor(private readonly options: RingOptions) {
    const memory = Math.min(LIMITS.networkMemoryBytes, options.maxBytes);
    const bodiesBytes = Math.floor(options.maxBytes * BODIES_SHARE);
    const bodiesMemory = Math.floor(memory * BODIES_SHARE);
    const common = {
      folder: () => (this.#folder ??= options.scratch.folder()),
      onFailure: (error: unknown) => this.#noteFailure(error),
    };
    this.#heads = new SegmentLog({
      ...common,
      name: 'entries',
      maxBytes: options.maxBytes - bodiesBytes,
      memoryBytes: memory - bodiesMemory,
      onDrop: (segment) => this.#dropHeads(segment),
    });
    this.#bodies = new SegmentLog({
      ...common,
      name: 'bodies',
      maxBytes: bodiesBytes,
      memoryBytes: bodiesMemory,
      onDrop: (segment) => this.#dropBodies(segment),
    });
  }

  get facts() {
    return {
      entries: this.#records.length,
      size_bytes: this.#heads.sizeBytes + this.#bodies.sizeBytes,
      max_bytes: this.options.maxBytes,
      dropped_entries: this.#droppedEntries,
      dropped_bodies: this.#droppedBodies,
      disk_error: this.#diskError?.code ?? null,
    };
  }

  /** The disk's last refusal: refused entries are dropped and counted. */
  get diskError(): SpillwayError | null {
    return this.#diskError;
  }

  add({ id, tab, head, bodies }: PreparedEntry): void {
    const place = this.#heads.append(Buffer.from(JSON.stringify(head)));
    if (place === null) {
      this.#droppedEntries += 1;
      return;
    }
    const bodiesPlace = bodies === null ? null : this.#bodies.append(Buffer.from(JSON.stringify(bodies)));
    const hasLostBodies = bodies !== null && bodiesPlace === null;
    if (hasLostBodies) this.#droppedBodies += 1;
    this.#records.push({ id, tab, head: place, bodies: bodiesPlace, hasLostBodies });
  }

  /** Resolves when memory is within its limit. */
  async settled(): Promise<void> {
    await this.#heads.settled();
    await this.#bodies.settled();
  }

  /** Records of a tab, or of all, in the order in which the requests began. */
  records(tab: string | null): RingRecord[] {
    return this.#records.filter((record) => tab === null || record.tab === tab).sort((a, b) => a.id - b.id);
  }

  clear(tab: string | null): void {
    // A tab's remaining records are removed with their segments.
    this.#records = this.#records.filter((record) => tab !== null && record.tab !== tab);
    if (this.#records.length === 0) {
      this.#heads.clear();
      this.#bodies.clear();
    }
  }

  async close(): Promise<void> {
    this.#records = [];
    await Promise.all([this.#heads.close(), this.#bodies.close()]);
    await this.#folder?.then((folder) => folder.remove()).catch(() => undefined);
  }

  #dropHeads(segment: Segment): void {
    const kept = this.#records.filter(({ head }) => head.segment !== segment);
    this.#droppedEntries += this.#records.length - kept.length;
    this.#records = kept;
  }

  #dropBodies(segment: Segment): void {
    for (const record of this.#records) {
      if (record.bodies?.segment !== segment) continue;
      record.bodies = null;
      record.hasLostBodies = true;
      this.#droppedBodies += 1;
    }
  }

  #noteFailure(cause: unknown): void {
    const code = isFull(cause) ? 'store_full' : 'store_write_failed';
    const reason = messageOf(cause);
    if (this.#diskError === null)
      this.options.logger.warn({ err: cause }, 'captured requests could not be written to disk');
    this.#diskError = new SpillwayError(code, `Captured requests could not be written to disk: ${reason}`, {
      cause,
    });
  }
}

/** Segments that one reader keeps, so that neighbours cost one read. */
const KEPT_SEGMENTS = 3;

/** Reads records of a ring, which stay on disk until it is closed. */
export class RingReader {
  readonly #pinned: ReadonlySet<Segment>;
  readonly #buffers = new BoundedMap<Segment, Promise<Buffer>>(KEPT_SEGMENTS);

  constructor(records: readonly RingRecord[]) {
    const places = records.flatMap(({ head, bodies }) => (bodies === null ? [head] : [head, bodies]));
    this.#pinned = new Set(places.map(({ segment }) => segment));
    for (const segment of this.#pinned) segment.pin();
  }

  async head(record: RingRecord): Promise<StoredHead> {
    // The ring reads its own records: prepareEntry made their shape.
    return JSON.parse((await this.#bytes(record.head)).toString('utf8')) as StoredHead;
  }

  async bodies(place: Place): Promise<StoredPart> {
    return JSON.parse((await place.segment.read(place)).toString('utf8')) as StoredPart;
  }

  async close(): Promise<void> {
    this.#buffers.clear();
    await Promise.all([...this.#pinned].map((segment) => segment.unpin()));
  }

  async #bytes(place: Place): Promise<Buffer> {
    const { segment, offset, sizeBytes } = place;
    if (segment.isInMemory) return segment.read(place);
    const known = this.#buffers.get(segment) ?? segment.readAll();
    this.#buffers.set(segment, known);
    return (await known).subarray(offset, offset + sizeBytes);
  }
}
