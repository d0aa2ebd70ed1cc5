import { dirname } from 'node:path';
import { SpillwayError } from '../../shared/errors.ts';
import { shortSource, type CleanBytes, type CleanText } from '../redact/clean.ts';
import type { OutputWriter, OutputWriterOptions } from '../core/services.ts';
import { CheckedWriter } from './checked-file.ts';
import type { StoreFile } from './file-system.ts';
import { INDEX_ENTRY_BYTES, ItemEnds } from './item-format.ts';
import { temporaryPath, type HandlePaths } from './layout.ts';
import { formatMeta, type Meta } from './meta.ts';
import { ownProcess } from '../machine/process-identity.ts';
import type { StoreContext } from './store-context.ts';
import { isMissing } from '../machine/errno.ts';
import { toWriteError } from './store-error.ts';

/** Two files being written under their temporary names. */
export interface OpenFiles {
  readonly handle: string;
  readonly paths: HandlePaths;
  readonly payload: StoreFile;
  /** For items only. */
  readonly index: StoreFile | undefined;
}

/** Called around the commit point. */
export interface CommitHooks {
  /** Makes room before the payload gets its name. */
  admit(sizeBytes: number): Promise<void>;
  committed(meta: Meta): void;
  ended(handle: string): void;
}

/** One stored payload being written. Nothing has its final name before the payload is complete. */
export class StoreWriter implements OutputWriter {
  readonly #context: StoreContext;
  readonly #options: OutputWriterOptions;
  readonly #files: OpenFiles;
  readonly #hooks: CommitHooks;
  readonly #payload: CheckedWriter;
  readonly #index: CheckedWriter | undefined;
  readonly #ends = new ItemEnds();
  /** Paths to remove on failure; the meta is first, as it makes the rest visible. */
  readonly #traces: string[];
  #state: 'open' | 'committing' | 'committed' | 'aborted' = 'open';

  constructor(context: StoreContext, options: OutputWriterOptions, files: OpenFiles, hooks: CommitHooks) {
    this.#context = context;
    this.#options = options;
    this.#files = files;
    this.#hooks = hooks;
    this.#payload = new CheckedWriter(files.payload);
    this.#index = files.index && new CheckedWriter(files.index);
    this.#traces = [temporary(files.paths.payload)];
    if (files.index) this.#traces.push(temporary(files.paths.index));
  }

  get sizeBytes(): number {
    return this.#payload.sizeBytes;
  }

  write(bytes: CleanBytes): Promise<void> | undefined {
    if (this.#state !== 'open') return Promise.reject(this.#ended());
    const { maxBytes } = this.#context;
    if (this.#payload.sizeBytes + bytes.length > maxBytes) return Promise.reject(this.#tooLarge());
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
      throw toWriteError(thrown, this.#files.paths.folder);
    }
  }

  async commit(
    untrustedFrom: CleanText | null,
  ): Promise<{ readonly handle: string; readonly expiresAt: number }> {
    if (this.#state !== 'open') throw this.#ended();
    this.#state = 'committing';
    try {
      const meta = await this.#complete(untrustedFrom);
      await this.#publish(meta);
      this.#state = 'committed';
      this.#hooks.committed(meta);
      this.#hooks.ended(this.#files.handle);
      return { handle: meta.handle, expiresAt: meta.expires_at_ms };
    } catch (thrown) {
      await this.#discard();
      throw toWriteError(thrown, this.#files.paths.folder);
    }
  }

  /** Both files whole and on the disk, still under their temporary names. */
  async #complete(untrustedFrom: CleanText | null): Promise<Meta> {
    await this.#index?.write(this.#ends.take());
    const [payload, index] = await Promise.all([this.#payload.finish(), this.#index?.finish()]);
    await Promise.all([this.#payload.close(), this.#index?.close()]);
    await this.#hooks.admit(this.sizeBytes + this.#ends.count * INDEX_ENTRY_BYTES);
    return {
      version: 1,
      handle: this.#files.handle,
      source_tool: this.#options.tool,
      untrusted_from: untrustedFrom === null ? null : shortSource(untrustedFrom),
      kind: this.#options.kind,
      mime_type: this.#options.mimeType,
      size_bytes: this.sizeBytes,
      item_count: index ? this.#ends.count : null,
      sha256: payload.sha256,
      ...this.#context.expiry.begin(),
      payload_blocks: payload.blocks,
      index_blocks: index?.blocks ?? null,
    };
  }

  /**
   * Gives the files their names. The temporary meta is there before the payload has its own name,
   * so that a sweeper knows the payload has an owner; the first fsync of the folder comes before
   * the meta's name, so that no power cut leaves a meta without its payload.
   */
  async #publish(meta: Meta): Promise<void> {
    const { fs } = this.#context;
    const { paths } = this.#files;
    this.#traces.unshift(temporary(paths.meta));
    const file = await fs.create(temporary(paths.meta));
    try {
      await file.write(Buffer.from(formatMeta(meta)), 0);
      await file.sync();
    } finally {
      await file.close();
    }
    await this.#rename(paths.payload);
    if (this.#index) await this.#rename(paths.index);
    await fs.syncFolder(paths.folder);
    await this.#rename(paths.meta);
    await fs.syncFolder(paths.folder);
  }

  async #rename(path: string): Promise<void> {
    this.#traces.unshift(path);
    await this.#context.fs.rename(temporary(path), path);
  }

  /** A pending commit cleans up after itself when it fails. */
  async abort(): Promise<void> {
    if (this.#state === 'open') await this.#discard();
  }

  async #discard(): Promise<void> {
    this.#state = 'aborted';
    const { fs, logger } = this.#context;
    await Promise.allSettled([this.#payload.close(), this.#index?.close()]);
    for (const path of this.#traces) {
      await fs.unlink(path).catch((thrown: unknown) => {
        if (!isMissing(thrown)) logger.warn({ path, err: thrown }, 'an aborted output left a file behind');
      });
    }
    this.#hooks.ended(this.#files.handle);
  }

  #ended(): SpillwayError {
    return new SpillwayError('internal_error', `The writer of ${this.#files.handle} is ${this.#state}.`);
  }

  #tooLarge(): SpillwayError {
    const { maxBytes, root } = this.#context;
    return new SpillwayError(
      'store_full',
      `The output is larger than the whole output store ${dirname(root)} may be (--output-max-bytes ${maxBytes}).`,
      { hint: 'Ask for less, or raise --output-max-bytes.' },
    );
  }
}

const temporary = (path: string): string => temporaryPath(path, ownProcess());
