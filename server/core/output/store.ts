import { dirname, join } from 'node:path';
import type { JsonObject } from '../../../shared/base/json.ts';
import type { MimeType } from '../../../shared/base/mime.ts';
import { Listeners } from '../../../shared/base/queue.ts';
import type { Clock, Journal, Logger } from '../services.ts';
import type { KeptBy, KeptUsage, ListedOutput } from './index.ts';
import { newId, toStoreError } from '../home/database.ts';
import { isMissing } from '../machine/errno.ts';
import { createExpiry } from '../machine/expiry.ts';
import { isRunning, ownProcess } from '../machine/process-identity.ts';
import type { CleanText } from '../../libraries/redaction/clean.ts';
import { nodeFileSystem, type StoreFile, type StoreFileSystem } from './checked-file.ts';
import {
  fileOf,
  indexOf,
  markerOf,
  parseFileName,
  stemOf,
  corrupt,
  toReadError,
  sizeOnDisk,
  type Meta,
} from './format.ts';
import { openFiles, withOutput, type StoredOutput } from './reader.ts';
import { OutputRecords, type EndedOutput, type OutputRecord } from './records.ts';
import { StoreWriter, type WrittenFacts } from './writer.ts';

export interface OutputStoreOptions {
  /** `<home>`; payloads are in its folder `output`. */
  readonly home: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly journal: Pick<Journal, 'record'>;
  readonly ttlHours: number;
  readonly maxBytes: number;
  /** Identifies the boot that the monotonic clock counts from. Default: the system's. */
  readonly boot?: string;
  readonly fs?: StoreFileSystem;
}

interface NewOutput {
  readonly tool: string;
  readonly mimeType: MimeType;
  readonly kind: Meta['kind'];
}

/** Of creating a file in a folder that is removed meanwhile. */
const ATTEMPTS = 5;

interface SweepReport {
  readonly evicted: number;
  readonly freedBytes: number;
  /** Files of dead processes that no handle names. */
  readonly leftoversRemoved: number;
}

/** Outputs that any store of this process is writing, by the names without their endings. */
const WRITING = new Set<string>();

/** Complete payloads on disk. Several servers may share one. */
export class OutputStore {
  readonly #fs: StoreFileSystem;
  readonly #root: string;
  readonly #records: OutputRecords;
  readonly #ended = new Listeners<string>();
  #sweeping: Promise<SweepReport> | undefined;

  constructor(private readonly options: OutputStoreOptions) {
    const { home, clock, ttlHours, maxBytes, boot, fs = nodeFileSystem } = options;
    this.#fs = fs;
    this.#root = join(home, 'output');
    this.#records = new OutputRecords(home, createExpiry(clock, ttlHours * 3_600_000, boot), maxBytes);
  }

  /** @throws `store_full`, `store_write_failed` */
  async create({ tool, mimeType, kind }: NewOutput): Promise<StoreWriter> {
    const handle = newId('oh_');
    const stem = stemOf(handle, this.options.clock.now());
    const file = fileOf(stem, mimeType);
    const path = join(this.#root, file);
    const marker = join(this.#root, markerOf(stem));
    WRITING.add(stem);
    const discard = async (): Promise<void> => {
      await this.#remove(marker);
      await this.#removeFiles(file);
      WRITING.delete(stem);
    };
    const publish = async (facts: WrittenFacts): Promise<Meta> => {
      const what = { handle, file, source_tool: tool, kind, mime_type: mimeType };
      const meta = { ...what, ...this.#records.expiry.begin(), ...facts };
      // The record comes after the file names are on disk: no power cut leaves it without them.
      await this.#fs.syncFolder(dirname(path));
      const ended = this.#records.add(meta);
      await this.#remove(marker);
      WRITING.delete(stem);
      this.#tell('output_handle_created', handle, meta, { mime_type: mimeType });
      await this.#finish(ended);
      return meta;
    };
    const made: StoreFile[] = [];
    try {
      await this.#mark(marker);
      const payload = await this.#fs.create(path);
      made.push(payload);
      const index = kind === 'items' ? await this.#fs.create(indexOf(path)) : undefined;
      const { maxBytes } = this.options;
      return new StoreWriter({ root: this.#root, maxBytes, payload, index, publish, discard });
    } catch (thrown) {
      for (const one of made) await one.close();
      await discard();
      throw toStoreError(thrown, this.#root, 'store_write_failed');
    }
  }

  /** Creates a marker, and its folder, which a sweep removes while it is empty. */
  async #mark(marker: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1)
      try {
        await this.#makeFolder(dirname(marker));
        await (await this.#fs.create(marker)).close();
        return;
      } catch (thrown) {
        if (!isMissing(thrown) || attempt === ATTEMPTS) throw thrown;
      }
  }

  /** Makes the names of new folders durable. */
  async #makeFolder(folder: string): Promise<void> {
    const first = await this.#fs.makeFolder(folder);
    if (first === undefined) return;
    for (let path = folder; path.length >= first.length; path = dirname(path))
      await this.#fs.syncFolder(dirname(path));
  }

  /** Calls back with each handle that this server found expired or evicted. Returns an unsubscribe function. */
  onEnd(listener: (handle: string) => void): () => void {
    return this.#ended.add(listener);
  }

  /** @throws `output_handle_not_found`, `store_corrupt`, `store_read_failed`. The caller closes it. */
  async open(handle: string): Promise<StoredOutput> {
    const { meta } = this.#records.find(handle);
    try {
      return await openFiles(this.#fs, join(this.#root, meta.file), meta);
    } catch (thrown) {
      if (!isMissing(thrown)) throw toReadError(thrown, handle);
      // Either it was removed meanwhile, or a file is lost.
      this.#records.find(handle, 'expired');
      throw corrupt(handle, 'a file is missing', thrown);
    }
  }

  #expectWhole(handle: string): Promise<void> {
    return withOutput(this, handle, async () => undefined);
  }

  /**
   * A person deletes one. Readers that have it open can finish.
   * @throws `output_handle_not_found`, `store_corrupt`, `store_write_failed`
   */
  async delete(handle: string): Promise<void> {
    await this.#expectWhole(handle);
    const meta = this.#records.markDeleted(handle, this.options.clock.now());
    try {
      await this.#fs.unlink(join(this.#root, meta.file));
    } catch (thrown) {
      this.#records.unmarkDeleted(handle);
      throw toStoreError(thrown, this.#root, 'store_write_failed');
    }
    await this.#removeFiles(meta.file);
    this.#ended.notify(handle);
    this.#tell('output_handle_deleted', handle, meta);
  }

  /**
   * Keeps an output: it neither expires nor makes room for others. If the note is `undefined`, an existing note stays; an
   * output that a person keeps stays the person's.
   * @throws `output_handle_not_found`, `store_corrupt`, `kept_full`, `store_full`, `store_write_failed`
   */
  async keep(handle: string, note: CleanText | undefined, by: KeptBy = 'agent'): Promise<KeptUsage> {
    await this.#expectWhole(handle);
    const record = this.#records.keep(handle, { note, by, at: Math.floor(this.options.clock.now()) });
    this.#tell('output_handle_kept', handle, record.meta);
    return this.#keptUsage(record);
  }

  /**
   * Stops keeping an output: it expires at its original time, which may have passed. An output that is not
   * kept stays as it is.
   * @throws `output_handle_not_found`, `store_write_failed`; `invalid_argument` for an agent if a person
   *   keeps it
   */
  async release(handle: string, by: KeptBy = 'agent'): Promise<KeptUsage> {
    await this.#expectWhole(handle);
    const { meta, isReleased, ended } = this.#records.release(handle, by);
    if (isReleased) this.#tell('output_handle_released', handle, meta);
    await this.#finish(ended);
    return this.#keptUsage({ meta, kept: null });
  }

  #keptUsage({ kept, meta }: OutputRecord): KeptUsage {
    const { keptBytes } = this.#records.sizes();
    return { kept, expires_at_ms: meta.expires_at_ms, keptBytes, keptMaxBytes: this.#records.keptMaxBytes };
  }

  /** Removes ended outputs; concurrent calls share one sweep. */
  sweep(): Promise<SweepReport> {
    this.#sweeping ??= this.#sweep().finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  async #sweep(): Promise<SweepReport> {
    const ended = this.#records.sweep();
    await this.#finish(ended);
    return {
      evicted: ended.length,
      freedBytes: ended.reduce((sum, { diskBytes }) => sum + diskBytes, 0),
      leftoversRemoved: await this.#removeLeftovers(),
    };
  }

  /** Files that no record names and no process is about to name. Another living process removes its own. */
  async #removeLeftovers(): Promise<number> {
    const names = await this.#listFiles();
    // Listed again, since a marker is there before its files and after their record.
    const markers = (await this.#listFiles()).map(parseFileName).filter((parts) => parts?.isMarker === true);
    const owners = new Map(markers.map((parts) => [parts?.stem, parts?.owner]));
    const left = names.flatMap((name) => {
      const parts = parseFileName(name);
      if (parts === undefined || WRITING.has(parts.stem)) return [];
      const owner = parts.owner ?? owners.get(parts.stem) ?? null;
      const isOwn = owner?.pid === ownProcess().pid && owner.startTime === ownProcess().startTime;
      return owner === null || isOwn || !isRunning(owner) ? [{ name, ...parts }] : [];
    });
    // Asked last: from now on, none of them can get a record.
    const named = this.#records.files();
    let removed = 0;
    for (const { name, file, isMarker } of left) {
      if (!isMarker && named.has(file)) continue;
      const path = join(this.#root, name);
      if (await this.#remove(path)) removed += 1;
      await this.#removeFolderOf(path);
    }
    return removed;
  }

  async #listFiles(): Promise<readonly string[]> {
    return this.#fs.listFiles(this.#root).catch((thrown: unknown) => {
      if (isMissing(thrown)) return [];
      throw toStoreError(thrown, this.#root, 'store_read_failed');
    });
  }

  /** Removes the files of outputs whose records are gone. */
  async #finish(ended: readonly EndedOutput[]): Promise<void> {
    for (const { handle, file, meta, reason } of ended) {
      await this.#removeFiles(file);
      this.#ended.notify(handle);
      this.#tell('output_handle_evicted', handle, meta, { reason });
    }
  }

  #tell(event: string, handle: string, meta: Meta | null, more: JsonObject = {}): void {
    const { source_tool = null, size_bytes = null } = meta ?? {};
    this.options.journal.record({ event, handle, source_tool, size_bytes, ...more });
  }

  async #removeFiles(file: string): Promise<void> {
    const path = join(this.#root, file);
    for (const one of [path, indexOf(path)]) await this.#remove(one);
    await this.#removeFolderOf(path);
  }

  /** If it is empty. */
  async #removeFolderOf(path: string): Promise<void> {
    if (dirname(path) !== this.#root) await this.#fs.removeFolder(dirname(path)).catch(() => undefined);
  }

  /** A file that cannot be removed does not affect the others. */
  async #remove(path: string): Promise<boolean> {
    try {
      await this.#fs.unlink(path);
      return true;
    } catch (thrown) {
      if (!isMissing(thrown))
        this.options.logger.warn({ path, err: thrown }, 'a file of the output store could not be removed');
      return false;
    }
  }

  async list(): Promise<readonly ListedOutput[]> {
    return this.#records.list().map(({ meta, kept }) => {
      const { handle, source_tool, mime_type, kind, size_bytes, item_count, untrusted_from: page } = meta;
      const { created_at_ms, expires_at_ms } = meta;
      const what = { handle, source_tool, mime_type, kind, size_bytes, item_count, page };
      return { ...what, created_at_ms, expires_at_ms, kept };
    });
  }

  async usage() {
    const live = this.#records.list();
    const sizeBytes = live.reduce((sum, { meta }) => sum + sizeOnDisk(meta), 0);
    return { directory: this.#root, handles: live.length, sizeBytes, maxBytes: this.options.maxBytes };
  }

  close(): void {
    this.#records.database.close();
  }
}

/** Nothing is read or written before the first use. */
export const createOutputStore = (options: OutputStoreOptions): OutputStore => new OutputStore(options);

/**
 * Sweeps now, and then every `--output-handle-sweep-interval-seconds`. Its timer never keeps the process alive; a failed
 * sweep is logged, and the next one follows. `stop` ends the timer and waits for an active sweep.
 */
export function startSweeper(
  store: Pick<OutputStore, 'sweep'>,
  intervalSeconds: number,
  logger: Logger,
): { stop(): Promise<void> } {
  const sweep = (): Promise<void> =>
    store.sweep().then(
      (report) => logger.debug(report, 'output store swept'),
      (thrown: unknown) => logger.warn({ err: thrown }, 'sweeping the output store failed'),
    );
  let sweeping = sweep();
  const tick = (): void => void (sweeping = sweep());
  const timer = setInterval(tick, intervalSeconds * 1000).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await sweeping;
    },
  };
}
