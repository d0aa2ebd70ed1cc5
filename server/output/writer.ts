import { SpillwayError } from '../../shared/errors.ts';
import type { OutputWriter } from '../core/output.ts';
import { toStoreError } from '../home/database.ts';
import { shortSource, type CleanBytes, type CleanText } from '../redact/clean.ts';
import { CheckedWriter, type StoreFile } from './checked-file.ts';
import { ItemEnds, type Meta } from './format.ts';

export type WrittenFacts = Pick<
  Meta,
  'untrusted_from' | 'size_bytes' | 'item_count' | 'payload_blocks' | 'index_blocks'
>;

interface WriterParts {
  readonly handle: string;
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
export class StoreWriter implements OutputWriter {
  readonly #payload: CheckedWriter;
  readonly #index: CheckedWriter | undefined;
  readonly #ends = new ItemEnds();
  #state: 'open' | 'committing' | 'committed' | 'aborted' = 'open';

  constructor(private readonly parts: WriterParts) {
    this.#payload = new CheckedWriter(parts.payload);
    this.#index = parts.index && new CheckedWriter(parts.index);
  }

  get sizeBytes(): number {
    return this.#payload.sizeBytes;
  }

  write(bytes: CleanBytes): Promise<void> | undefined {
    if (this.#state !== 'open') return Promise.reject(this.#ended());
    if (this.#payload.sizeBytes + bytes.length > this.parts.maxBytes) return Promise.reject(this.#tooLarge());
    const writing = this.#payload.write(bytes);
    return writing && this.#catchUp(writing);
  }

  endItem(): void {
    this.#ends.push(this.#payload.sizeBytes);
  }

  async #catchUp(writing: Promise<void>): Promise<void> {
    try {
      await writing;
      await this.#index?.write(this.#ends.take());
    } catch (thrown) {
      throw toStoreError(thrown, this.parts.root, 'store_write_failed');
    }
  }

  async commit(
    untrustedFrom: CleanText | null,
  ): Promise<{ readonly handle: string; readonly expiresAt: number }> {
    if (this.#state !== 'open') throw this.#ended();
    this.#state = 'committing';
    try {
      await this.#index?.write(this.#ends.take());
      const [payload, index] = await Promise.all([this.#payload.finish(), this.#index?.finish()]);
      await Promise.all([this.#payload.close(), this.#index?.close()]);
      const { handle, expires_at_ms } = await this.parts.publish({
        untrusted_from: untrustedFrom === null ? null : shortSource(untrustedFrom),
        size_bytes: this.sizeBytes,
        item_count: index === undefined ? null : this.#ends.count,
        payload_blocks: payload,
        index_blocks: index ?? null,
      });
      this.#state = 'committed';
      return { handle, expiresAt: expires_at_ms };
    } catch (thrown) {
      await this.#discard();
      throw toStoreError(thrown, this.parts.root, 'store_write_failed');
    }
  }

  /** A pending commit cleans up after itself if it fails. */
  async abort(): Promise<void> {
    if (this.#state === 'open') await this.#discard();
  }

  async #discard(): Promise<void> {
    this.#state = 'aborted';
    await Promise.allSettled([this.#payload.close(), this.#index?.close()]);
    await this.parts.discard();
  }

  #ended(): SpillwayError {
    return new SpillwayError('internal_error', `The writer of ${this.parts.handle} is ${this.#state}.`);
  }

  #tooLarge(): SpillwayError {
    return new SpillwayError(
      'store_full',
      `The output is larger than the whole output store may be (--output-max-bytes ${this.parts.maxBytes}).`,
      { hint: 'Ask for less, or raise --output-max-bytes.' },
    );
  }
}
