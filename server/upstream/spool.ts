import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { SpillwayError } from '../../shared/errors.ts';
import type { Scratch, ScratchFolder } from '../core/services.ts';
import { errnoOf, isFull } from '../machine/errno.ts';
import { GrowingBytes } from './growing-bytes.ts';

/** What is gathered in memory before it is written. */
const GATHERED_BYTES = 256 * 1_024;
/** Texts of this size are short-lived objects for V8: longer ones would wait for a full collection. */
const READ_BYTES = 32 * 1_024;

/** How much may be on disk for one upstream. */
export class SpoolBudget {
  /** The upstream, at the beginning of a sentence. */
  readonly who: string;
  readonly #maxBytes: number;
  #usedBytes = 0;

  constructor(who: string, maxBytes: number) {
    this.who = who;
    this.#maxBytes = maxBytes;
  }

  /** @throws SpillwayError `upstream_error` */
  take(sizeBytes: number): void {
    if (this.#usedBytes + sizeBytes > this.#maxBytes)
      throw new SpillwayError(
        'upstream_error',
        `${this.who} answered more than the ${this.#maxBytes / 2 ** 20} MiB that its answers may have at a time.`,
        { hint: 'Ask it for less at once.', retryable: false },
      );
    this.#usedBytes += sizeBytes;
  }

  give(sizeBytes: number): void {
    this.#usedBytes -= sizeBytes;
  }
}

/** A temporary file (0600), in a folder of its own, with the large values of one message. */
export class SpoolFile {
  readonly #scratch: Pick<Scratch, 'folder'>;
  readonly #budget: SpoolBudget;
  #folder: ScratchFolder | null = null;
  #file: FileHandle | null = null;
  readonly #gathered = new GrowingBytes();
  #sizeBytes = 0;
  #isRemoved = false;

  constructor(scratch: Pick<Scratch, 'folder'>, budget: SpoolBudget) {
    this.#scratch = scratch;
    this.#budget = budget;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Whether {@link flush} is due. */
  get isFull(): boolean {
    return this.#gathered.length >= GATHERED_BYTES;
  }

  /** Copies what it is given. @throws SpillwayError see {@link SpoolBudget.take} */
  append(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#budget.take(bytes.length);
    this.#gathered.append(bytes);
    this.#sizeBytes += bytes.length;
  }

  /** Writes what was gathered. @throws SpillwayError `store_full`, `store_write_failed` */
  async flush(): Promise<void> {
    const bytes = this.#gathered.drain();
    if (bytes.length === 0 || this.#isRemoved) return;
    try {
      this.#folder ??= await this.#scratch.folder();
      this.#file ??= await open(join(this.#folder.path, 'values'), 'wx+', 0o600);
      await this.#file.writeFile(bytes);
    } catch (thrown) {
      throw new SpillwayError(
        isFull(thrown) ? 'store_full' : 'store_write_failed',
        `${this.#budget.who} answered what cannot be written to the disk (${errnoOf(thrown) ?? String(thrown)}).`,
        { cause: thrown },
      );
    } finally {
      if (this.#isRemoved) await this.#clear();
    }
  }

  /** Each chunk is valid until the next is asked for. @throws SpillwayError `store_read_failed` */
  async *read(start: number, end: number): AsyncGenerator<Uint8Array, void> {
    const buffer = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, end - start));
    for (let at = start; at < end;) {
      const chunk = buffer.subarray(0, Math.min(READ_BYTES, end - at));
      const bytesRead =
        (await this.#file?.read(chunk, 0, chunk.length, at).catch(() => null))?.bytesRead ?? 0;
      if (bytesRead === 0)
        throw new SpillwayError('store_read_failed', 'A temporary file of an answer cannot be read.');
      yield chunk.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  /** Removes it, while it is written too. Idempotent. */
  async remove(): Promise<void> {
    if (this.#isRemoved) return;
    this.#isRemoved = true;
    this.#budget.give(this.#sizeBytes);
    await this.#clear();
  }

  async #clear(): Promise<void> {
    const { file, folder } = { file: this.#file, folder: this.#folder };
    this.#file = null;
    this.#folder = null;
    await file?.close().catch(() => undefined);
    await folder?.remove().catch(() => undefined);
  }
}

/** One large value of a message: a text, or the JSON of an object. */
export class Spooled {
  readonly isJson: boolean;
  readonly #file: SpoolFile;
  readonly #start: number;
  readonly #end: number;

  constructor(
    file: SpoolFile,
    place: { readonly start: number; readonly end: number; readonly isJson: boolean },
  ) {
    this.#file = file;
    this.#start = place.start;
    this.#end = place.end;
    this.isJson = place.isJson;
  }

  get sizeBytes(): number {
    return this.#end - this.#start;
  }

  bytes(): AsyncGenerator<Uint8Array, void> {
    return this.#file.read(this.#start, this.#end);
  }

  /** Well-formed; no code point spans two chunks. @param maxBytes of its beginning */
  async *text(maxBytes = this.sizeBytes): AsyncGenerator<string, void> {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const end = this.#start + Math.min(maxBytes, this.sizeBytes);
    for await (const chunk of this.#file.read(this.#start, end)) {
      const text = decoder.decode(chunk, { stream: true });
      if (text !== '') yield text;
    }
    const rest = decoder.decode();
    if (rest !== '') yield rest;
  }

  async whole(): Promise<string> {
    const parts: string[] = [];
    for await (const part of this.text()) parts.push(part);
    return parts.join('');
  }
}

/** An answer of which large values are on disk. */
export class LargeAnswer {
  /** By the text that is in the place of each. */
  readonly values: ReadonlyMap<string, Spooled>;
  readonly #file: SpoolFile;

  constructor(file: SpoolFile, values: ReadonlyMap<string, Spooled>) {
    this.#file = file;
    this.values = values;
  }

  /** Of the values on disk. */
  get sizeBytes(): number {
    return this.#file.sizeBytes;
  }

  /** Idempotent. */
  remove(): Promise<void> {
    return this.#file.remove();
  }
}
