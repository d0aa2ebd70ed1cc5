import { dirname, join } from 'node:path';
import { Listeners } from '../core/listeners.ts';
import type {
  Clock,
  Journal,
  KeptBy,
  KeptFacts,
  KeptUsage,
  ListedOutput,
  Logger,
  OutputKeeping,
  OutputStoreInfo,
  OutputWriter,
  OutputWriterOptions,
} from '../core/services.ts';
import { Catalog, toEntry, type CatalogEntry } from './catalog.ts';
import { Cleanup, type SweepReport } from './cleanup.ts';
import { createExpiry } from '../machine/expiry.ts';
import { nodeFileSystem, type StoreFileSystem } from './file-system.ts';
import { createHandle, dateFolder, handlePaths, temporaryPath } from './layout.ts';
import type { Meta } from './meta.ts';
import { Keeper } from './keeper.ts';
import type { CleanText } from '../redact/clean.ts';
import { ownProcess } from '../machine/process-identity.ts';
import { openOutput, type StoredOutput } from './reader.ts';
import type { StoreContext } from './store-context.ts';
import { errnoOf, isMissing } from '../machine/errno.ts';
import { notFound, toReadError, toWriteError } from './store-error.ts';
import { StoreWriter, type OpenFiles } from './writer.ts';

export interface OutputStoreOptions {
  /** `<home>`; the store is the folder `output` in it. */
  readonly home: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly journal: Pick<Journal, 'record'>;
  readonly ttlHours: number;
  readonly maxBytes: number;
  /** Names the boot in which the monotonic clock counts. Default: asked of the system. */
  readonly boot?: string;
  readonly fs?: StoreFileSystem;
}

/** Complete payloads on disk. Several servers may share one. */
export interface OutputStore extends OutputStoreInfo, OutputKeeping {
  /** @throws `store_full`, `store_write_failed` */
  create(options: OutputWriterOptions): Promise<OutputWriter>;
  /** @throws `output_handle_not_found`, `store_corrupt`, `store_read_failed`. The caller closes it. */
  open(handle: string): Promise<StoredOutput>;
  /** A person deletes one. @throws `output_handle_not_found`, `store_corrupt`, `store_write_failed` */
  delete(handle: string): Promise<void>;
  /** Removes what has ended; calls at the same time share one sweep. */
  sweep(): Promise<SweepReport>;
}

/** Attempts at a folder that a sweeper may remove, or a name that may be taken, in between. */
const CREATE_ATTEMPTS = 8;

class DiskStore implements OutputStore {
  readonly #context: StoreContext;
  readonly #clock: Clock;
  readonly #catalog: Catalog;
  readonly #keeper: Keeper;
  readonly #cleanup: Cleanup;
  readonly #writing = new Set<string>();
  /** Bytes stored as far as this process knows; undefined before the first look. */
  #sizeBytes: number | undefined;
  #sweeping: Promise<SweepReport> | undefined;

  constructor(context: StoreContext, clock: Clock) {
    this.#context = context;
    this.#clock = clock;
    this.#catalog = new Catalog(context);
    this.#keeper = new Keeper(context, this.#catalog);
    const { keeper, catalog } = { keeper: this.#keeper, catalog: this.#catalog };
    this.#cleanup = new Cleanup(context, { catalog, keeper, own: this.#writing });
  }

  async create(options: OutputWriterOptions): Promise<OutputWriter> {
    const folder = join(this.#context.root, dateFolder(this.#clock.now()));
    try {
      const files = await this.#createFiles(folder, options);
      this.#writing.add(files.handle);
      return new StoreWriter(this.#context, options, files, {
        admit: (sizeBytes) => this.#admit(sizeBytes),
        committed: (meta) => this.#record(folder, meta),
        ended: (handle) => this.#writing.delete(handle),
      });
    } catch (thrown) {
      throw toWriteError(thrown, folder);
    }
  }

  async #createFiles(folder: string, options: OutputWriterOptions): Promise<OpenFiles> {
    for (let attempt = 1; ; attempt += 1) {
      const handle = createHandle();
      try {
        await this.#makeFolder(folder);
        if ((await this.#catalog.find(handle)) !== undefined) continue;
        return await this.#openFiles(folder, handle, options);
      } catch (thrown) {
        const isRace = isMissing(thrown) || errnoOf(thrown) === 'EEXIST';
        if (!isRace || attempt === CREATE_ATTEMPTS) throw thrown;
      }
    }
  }

  async #openFiles(folder: string, handle: string, options: OutputWriterOptions): Promise<OpenFiles> {
    const { fs } = this.#context;
    const paths = handlePaths(folder, handle, options.mimeType);
    const payloadPath = temporaryPath(paths.payload, ownProcess());
    const payload = await fs.create(payloadPath);
    try {
      const isItems = options.kind === 'items';
      const index = isItems ? await fs.create(temporaryPath(paths.index, ownProcess())) : undefined;
      return { handle, paths, payload, index };
    } catch (thrown) {
      await payload.close();
      await fs.unlink(payloadPath);
      throw thrown;
    }
  }

  /** Makes the folder, and the names of all that was made on the way durable. */
  async #makeFolder(folder: string): Promise<void> {
    const { fs } = this.#context;
    const first = await fs.makeFolder(folder);
    if (first === undefined) return;
    for (let path = folder; path.length >= first.length; path = dirname(path))
      await fs.syncFolder(dirname(path));
  }

  async #admit(sizeBytes: number): Promise<void> {
    if (this.#sizeBytes === undefined || this.#sizeBytes + sizeBytes > this.#context.maxBytes)
      this.#sizeBytes = await this.#cleanup.makeRoom(sizeBytes);
    this.#sizeBytes += sizeBytes;
  }

  #record(folder: string, meta: Meta): void {
    const { handle, source_tool, size_bytes, mime_type } = meta;
    const { logger, journal } = this.#context;
    journal.record({ event: 'output_handle_created', handle, source_tool, size_bytes, mime_type });
    logger.debug({ folder, handle, sizeBytes: toEntry(folder, meta).sizeBytes }, 'output stored');
  }

  onEnd(listener: (handle: string) => void): () => void {
    return this.#context.ended.add(listener);
  }

  open(handle: string): Promise<StoredOutput> {
    return openOutput(this.#context, this.#catalog, handle);
  }

  async delete(handle: string): Promise<void> {
    const entry = await this.#entryOf(handle);
    await this.#cleanup.delete(entry);
    if (this.#sizeBytes !== undefined) this.#sizeBytes -= entry.sizeBytes;
  }

  /** Any reader that has it open reads it to its end. @throws see {@link OutputStore.open} */
  async #entryOf(handle: string): Promise<CatalogEntry & { readonly meta: Meta; readonly isKept: boolean }> {
    const output = await this.open(handle);
    await output.close();
    const found = await this.#catalog.find(handle);
    if (found === undefined) throw notFound(handle, 'expired');
    return { ...toEntry(found.folder, found.meta), meta: found.meta, isKept: found.isKept };
  }

  async keep(handle: string, note: CleanText | undefined, by: KeptBy = 'agent'): Promise<KeptUsage> {
    const entry = await this.#entryOf(handle);
    await this.#keeper.keep(entry, { note, by }, Math.floor(this.#clock.now()));
    // A person who deletes it at the same time has the last word.
    if (await this.#catalog.isDeleted(handle)) {
      await this.#keeper.drop(handle, 'person');
      throw notFound(handle, 'deleted');
    }
    this.#tell('output_handle_kept', entry.meta);
    return this.#keptUsage(entry.meta);
  }

  async release(handle: string, by: KeptBy = 'agent'): Promise<KeptUsage> {
    const entry = await this.#entryOf(handle);
    if (await this.#keeper.drop(handle, by)) {
      this.#tell('output_handle_released', entry.meta);
      if ((await this.#catalog.dayOf(handle)) === undefined) this.#cleanup.released(entry);
    }
    return this.#keptUsage(entry.meta);
  }

  #tell(event: string, { handle, source_tool, size_bytes }: Meta): void {
    this.#context.journal.record({ event, handle, source_tool, size_bytes });
  }

  async #keptUsage({ handle, expires_at_ms }: Meta): Promise<KeptUsage> {
    const [kept, all] = await Promise.all([this.#keeper.read(handle), this.#keeper.entries()]);
    const keptBytes = all.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    return { kept, expires_at_ms, keptBytes, keptMaxBytes: this.#keeper.maxBytes };
  }

  sweep(): Promise<SweepReport> {
    this.#sweeping ??= this.#sweep().finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  async #sweep(): Promise<SweepReport> {
    const { sizeBytes, ...report } = await this.#cleanup.sweep();
    this.#sizeBytes = sizeBytes;
    return report;
  }

  async list(): Promise<readonly ListedOutput[]> {
    const entries = (await this.#live()).flatMap(({ meta, isKept }) =>
      meta === undefined ? [] : [{ meta, isKept }],
    );
    entries.sort(
      ({ meta: a }, { meta: b }) => b.created_at_ms - a.created_at_ms || (a.handle < b.handle ? 1 : -1),
    );
    const outputs: ListedOutput[] = [];
    for (const { meta, isKept } of entries)
      outputs.push(listed(meta, isKept === true ? await this.#keeper.read(meta.handle) : null));
    return outputs;
  }

  async #live(): Promise<readonly CatalogEntry[]> {
    const { root, expiry } = this.#context;
    const { entries } = await this.#catalog.scan().catch((thrown: unknown) => {
      throw toReadError(thrown, root);
    });
    return entries.filter(
      ({ meta, isKept }) => meta !== undefined && (isKept === true || !expiry.isExpired(meta)),
    );
  }

  async usage() {
    const { root, maxBytes } = this.#context;
    const live = await this.#live();
    const sizeBytes = live.reduce((sum, entry) => sum + entry.sizeBytes, 0);
    return { directory: root, handles: live.length, sizeBytes, maxBytes };
  }
}

function listed(meta: Meta, kept: KeptFacts | null): ListedOutput {
  const { handle, source_tool, mime_type, kind, size_bytes, item_count, untrusted_from: page } = meta;
  const { created_at_ms, expires_at_ms } = meta;
  const what = { handle, source_tool, mime_type, kind, size_bytes, item_count, page };
  return { ...what, created_at_ms, expires_at_ms, kept };
}

/** Nothing is read or written before the first use. */
export function createOutputStore(options: OutputStoreOptions): OutputStore {
  const { clock, logger, journal, maxBytes, fs = nodeFileSystem } = options;
  const context: StoreContext = {
    fs,
    root: join(options.home, 'output'),
    expiry: createExpiry(clock, options.ttlHours * 3_600_000, options.boot),
    maxBytes,
    logger,
    journal,
    ended: new Listeners(),
  };
  return new DiskStore(context, clock);
}
