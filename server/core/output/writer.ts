import { SpillwayError } from '../../../shared/base/errors.ts';
import { toStoreError } from '../home/database.ts';
import { shortSource, type CleanBytes, type CleanText } from '../../libraries/redaction/clean.ts';
import { CheckedWriter, type StoreFile } from './checked-file.ts';
import { toEntries, type Meta } from './format.ts';

export type WrittenFacts = Pick<
  Meta,
  'untrusted_from' | 'size_bytes' | 'item_count' | 'payload_blocks' | 'index_blocks'
>;

interface WriterParts {
  /** `<home>/output` */
  readonly root: string;
  readonly maxBytes: number;
  readonly payload: StoreFile;
  /** For items only. */
  readonly index: StoreFile | undefined;
  /** Makes the handle exist, once its files are complete and on disk. */
  publish(facts: WrittenFacts): Promise<Meta>;
  /** Removes the files, which are closed. */
  discard(): Promise<void>;
}

/** One stored payload being written. No handle names it before it is complete. */
export class StoreWriter {
  readonly #payload: CheckedWriter;
  readonly #index: CheckedWriter | undefined;
  /** Of items since the last write of the index. */
  #ends: number[] = [];
  #items = 0;
  #isOpen = true;

  constructor(private readonly parts: WriterParts) {
    this.#payload = new CheckedWriter(parts.payload);
    this.#index = parts.index && new CheckedWriter(parts.index);
  }

  /** Copies. A promise only if the disk has to catch up: await it before the next write. */
  write(bytes: CleanBytes): Promise<void> | undefined {
    if (this.#payload.sizeBytes + bytes.length > this.parts.maxBytes) return Promise.reject(this.#tooLarge());
    const writing = this.#payload.write(bytes);
    return writing && this.#catchUp(writing);
  }

  /** Marks the end of one item, for the index. Only for items. */
  endItem(): void {
    this.#ends.push(this.#payload.sizeBytes);
  }

  async #writeEnds(): Promise<void> {
    const entries = toEntries(this.#ends);
    this.#items += this.#ends.length;
    this.#ends = [];
    await this.#index?.write(entries);
  }

  async #catchUp(writing: Promise<void>): Promise<void> {
    try {
      await writing;
      await this.#writeEnds();
    } catch (thrown) {
      throw toStoreError(thrown, this.parts.root, 'store_write_failed');
    }
  }

  /**
   * Fsync, fsync folder, then the record: the handle exists only after it resolves.
   * @param untrustedFrom says where its page text comes from; null if it has none
   */
  async commit(untrustedFrom: CleanText | null): Promise<Meta> {
    this.#isOpen = false;
    try {
      await this.#writeEnds();
      const [payload, index] = await Promise.all([this.#payload.finish(), this.#index?.finish()]);
      await Promise.all([this.#payload.close(), this.#index?.close()]);
      return await this.parts.publish({
        untrusted_from: untrustedFrom === null ? null : shortSource(untrustedFrom),
        size_bytes: this.#payload.sizeBytes,
        item_count: index === undefined ? null : this.#items,
        payload_blocks: payload,
        index_blocks: index ?? null,
      });
    } catch (thrown) {
      await this.#discard();
      throw toStoreError(thrown, this.parts.root, 'store_write_failed');
    }
  }

  /** Removes every trace. Idempotent; a pending commit cleans up after itself if it fails. */
  async abort(): Promise<void> {
    if (this.#isOpen) await this.#discard();
  }

  async #discard(): Promise<void> {
    this.#isOpen = false;
    await Promise.allSettled([this.#payload.close(), this.#index?.close()]);
    await this.parts.discard();
  }

  #tooLarge(): SpillwayError {
    return new SpillwayError(
      'store_full',
      `The output is larger than the whole output store may be (--output-max-bytes ${this.parts.maxBytes}).`,
      { hint: 'Ask for less, or raise --output-max-bytes.' },
    );
  }
}
