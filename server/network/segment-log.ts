import { join } from 'node:path';
import type { ScratchFolder } from '../core/services.ts';
import { Segment, type Place } from './segment.ts';

/** Segments that a full log consists of, about: what is dropped at once is one of them. */
const SEGMENTS = 32;
const MIN_SEGMENT_BYTES = 4_096;
const MAX_SEGMENT_BYTES = 1_048_576;

export interface SegmentLogOptions {
  /** Of the files: `entries`, `bodies`. */
  readonly name: string;
  readonly maxBytes: number;
  /** Of it, what stays in memory. */
  readonly memoryBytes: number;
  /** Made when the first segment goes to disk. */
  readonly folder: () => Promise<ScratchFolder>;
  /** The segment goes, the oldest first; its records are lost. */
  readonly onDrop: (segment: Segment) => void;
  /** A segment could not be written; it is dropped. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Records in the order in which they came, bounded: the newest in memory, older ones in files, the
 * oldest dropped. Writing keeps up because callers that append await {@link settled}.
 */
export class SegmentLog {
  readonly #options: SegmentLogOptions;
  readonly #segmentBytes: number;
  #segments: Segment[] = [];
  #bytes = 0;
  #memoryBytes = 0;
  #count = 0;
  #writing: Promise<void> | null = null;
  #isClosed = false;

  constructor(options: SegmentLogOptions) {
    this.#options = options;
    const share = Math.floor(Math.min(options.maxBytes, options.memoryBytes * 4) / SEGMENTS);
    this.#segmentBytes = Math.min(Math.max(share, MIN_SEGMENT_BYTES), MAX_SEGMENT_BYTES);
  }

  /** Bytes in memory and on disk. */
  get sizeBytes(): number {
    return this.#bytes;
  }

  /** Null when the record is larger than the whole log. */
  append(record: Buffer): Place | null {
    if (this.#isClosed || record.length > this.#options.maxBytes) return null;
    const place = this.#segmentFor().append(record);
    this.#bytes += record.length;
    this.#memoryBytes += record.length;
    while (this.#bytes > this.#options.maxBytes) {
      const [oldest] = this.#segments;
      if (oldest === undefined || oldest === place.segment) break;
      this.#drop(oldest);
    }
    return place;
  }

  /** The record is wanted no more; a segment without any goes. */
  release(place: Place): void {
    const { segment } = place;
    if (segment.isDropped) return;
    segment.release(place);
    if (segment.liveBytes === 0 && segment !== this.#segments.at(-1)) this.#remove(segment);
  }

  /** Resolves when no more is in memory than may be. */
  async settled(): Promise<void> {
    while (this.#memoryBytes > this.#options.memoryBytes && this.#findFlushable() !== undefined) {
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
    // The path is known when it is written: the folder may not exist yet.
    const segment = new Segment(`${this.#options.name}-${this.#count}`);
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
      const { path } = await this.#options.folder();
      await segment.flush(join(path, segment.name));
      if (!segment.isDropped) this.#memoryBytes -= segment.sizeBytes;
    } catch (error) {
      this.#options.onFailure(error);
      if (!segment.isDropped) this.#drop(segment);
    }
  }

  #drop(segment: Segment): void {
    this.#options.onDrop(segment);
    this.#remove(segment);
  }

  #remove(segment: Segment): void {
    this.#segments = this.#segments.filter((one) => one !== segment);
    this.#bytes -= segment.sizeBytes;
    if (segment.isInMemory) this.#memoryBytes -= segment.sizeBytes;
    void segment.drop().catch((error: unknown) => this.#options.onFailure(error));
  }
}
