import { join } from 'node:path';
import type { Catalog, CatalogEntry, Scan } from './catalog.ts';
import { namesOf, type Keeper } from './keeper.ts';
import { dateFolder, deletedPath, keptFolder, metaPath, type StoreName } from './layout.ts';
import type { Meta } from './meta.ts';
import { isRunning } from '../machine/process-identity.ts';
import type { StoreContext } from './store-context.ts';
import { errnoOf, isMissing } from '../machine/errno.ts';
import { toWriteError } from './store-error.ts';
import { SpillwayError } from '../../shared/errors.ts';

/** Why a handle was taken away. */
export type EvictionReason = 'expired' | 'size_bound' | 'damaged';

/** `missing`: another server was faster. */
type Removal = 'removed' | 'missing' | 'failed';

/** What one sweep did. */
export interface SweepReport {
  readonly evicted: number;
  readonly freedBytes: number;
  /** Temporary files of dead processes, and payloads that never got their meta. */
  readonly leftoversRemoved: number;
  readonly foldersRemoved: number;
}

/** Removes what has ended. Every step is safe while other servers do the same. */
export class Cleanup {
  readonly #context: StoreContext;
  readonly #catalog: Catalog;
  readonly #keeper: Keeper;
  /** Handles that this process is about to publish. */
  readonly #own: ReadonlySet<string>;

  constructor(
    context: StoreContext,
    { catalog, keeper, own }: { catalog: Catalog; keeper: Keeper; own: ReadonlySet<string> },
  ) {
    this.#context = context;
    this.#catalog = catalog;
    this.#keeper = keeper;
    this.#own = own;
  }

  /** Expired handles, the oldest beyond the bound, leftovers of the dead, empty folders. */
  async sweep(): Promise<SweepReport & { readonly sizeBytes: number }> {
    const scan = await this.#catalog.scan();
    const evicted = await this.#evictEnded(scan, 0);
    let leftoversRemoved = await this.#keeper.sweep();
    let foldersRemoved = 0;
    for (const { folder, names } of scan.folders) {
      leftoversRemoved += await this.#removeLeftovers(folder, names);
      foldersRemoved += (await this.#removeIfEmpty(folder)) ? 1 : 0;
    }
    return { ...evicted, leftoversRemoved, foldersRemoved };
  }

  /**
   * Evicts until `neededBytes` more fit; returns what is stored then.
   * @throws SpillwayError `store_full` when kept outputs leave too little room
   */
  async makeRoom(neededBytes: number): Promise<number> {
    return (await this.#evictEnded(await this.#catalog.scan(), neededBytes)).sizeBytes;
  }

  async #evictEnded(scan: Scan, neededBytes: number) {
    const { maxBytes } = this.#context;
    const kept = scan.entries.filter(({ isKept }) => isKept);
    const keptBytes = kept.reduce((sum, entry) => sum + entry.sizeBytes, 0);
    if (neededBytes > 0 && keptBytes > 0 && keptBytes + neededBytes > maxBytes)
      throw noRoom(neededBytes, kept, maxBytes);
    const live: CatalogEntry[] = [];
    const report = { evicted: 0, freedBytes: 0, sizeBytes: 0 };
    const evict = async (entry: CatalogEntry, reason: EvictionReason): Promise<Removal> => {
      const removal = await this.#evict(entry, reason);
      if (removal === 'removed') report.evicted += 1;
      if (removal === 'removed') report.freedBytes += entry.sizeBytes;
      return removal;
    };
    // What is kept stays readable by its other names.
    for (const entry of scan.unkept) if (this.#endOf(entry) === 'expired') await this.#unlinkAll(entry);
    for (const entry of scan.entries) {
      const end = this.#endOf(entry);
      if (end === 'damaged' || (end === 'expired' && !entry.isKept)) await evict(entry, end);
      else if (!entry.isKept) live.push(entry);
    }
    live.sort((a, b) => (a.meta?.created_at_ms ?? 0) - (b.meta?.created_at_ms ?? 0));
    report.sizeBytes = live.reduce((sum, entry) => sum + entry.sizeBytes, keptBytes);
    for (const entry of live) {
      if (report.sizeBytes + neededBytes <= maxBytes) break;
      if ((await evict(entry, 'size_bound')) !== 'failed') report.sizeBytes -= entry.sizeBytes;
    }
    return report;
  }

  #endOf({ meta, damagedAt = 0 }: CatalogEntry): 'expired' | 'damaged' | null {
    const { expiry } = this.#context;
    if (meta !== undefined) return expiry.isExpired(meta) ? 'expired' : null;
    return expiry.isStale(damagedAt) ? 'damaged' : null;
  }

  /**
   * Removes what a person has deleted, for good: what says so is written first, so that no reader takes it for expired.
   * @throws SpillwayError `store_write_failed`, `store_full`: it is still there then
   */
  async delete(entry: CatalogEntry & { readonly meta: Meta }): Promise<void> {
    const { fs, root, ended } = this.#context;
    const { handle, meta } = entry;
    const day = (await this.#catalog.dayOf(handle)) ?? join(root, dateFolder(meta.created_at_ms));
    const mark = deletedPath(day, handle);
    try {
      // Of a kept one, the folder may have gone.
      await fs.makeFolder(day);
      await fs.create(mark).then((file) => file.close());
    } catch (thrown) {
      if (errnoOf(thrown) !== 'EEXIST') throw toWriteError(thrown, day);
    }
    try {
      const removal = await this.#unlinkAll({ handle, folder: day });
      if (removal === 'failed') throw new Error('a file could not be removed');
      const wasKept = await this.#keeper.drop(handle, 'person');
      ended.notify(handle);
      if (removal === 'removed' || wasKept) this.#record(entry, { event: 'output_handle_deleted' });
    } catch (thrown) {
      await this.#remove(mark);
      throw toWriteError(thrown, day);
    }
    await fs.syncFolder(day);
  }

  /** One that was kept for longer than it would have been there has ended. */
  released(entry: CatalogEntry): void {
    this.#context.ended.notify(entry.handle);
    this.#record(entry, { event: 'output_handle_evicted', reason: 'expired' });
  }

  async #evict(entry: CatalogEntry, reason: EvictionReason): Promise<Removal> {
    const removal = await this.#unlinkAll(entry);
    const folder = keptFolder(this.#context.root, entry.handle);
    // It was kept since it was looked at: it has not ended.
    if (removal === 'failed' || (await this.#catalog.exists(folder, entry.handle))) return removal;
    // One that another server removed has ended too.
    this.#context.ended.notify(entry.handle);
    if (removal === 'removed') this.#record(entry, { event: 'output_handle_evicted', reason });
    return removal;
  }

  /** The meta goes first: from then on the handle does not exist, and any file that is left is an orphan. */
  async #unlinkAll({ handle, folder }: Pick<CatalogEntry, 'handle' | 'folder'>): Promise<Removal> {
    const removal = await this.#remove(metaPath(folder, handle));
    if (removal !== 'removed') return removal;
    for (const extension of ['json', 'bin', 'index'])
      await this.#remove(join(folder, `${handle}.${extension}`));
    return removal;
  }

  #record(
    { handle, meta }: CatalogEntry,
    facts: { readonly event: string; readonly reason?: EvictionReason },
  ): void {
    const { event, ...rest } = facts;
    this.#context.journal.record({
      event,
      handle,
      source_tool: meta?.source_tool ?? null,
      size_bytes: meta?.size_bytes ?? null,
      ...rest,
    });
  }

  /** One file that cannot be removed keeps none of the others. */
  async #remove(path: string): Promise<Removal> {
    try {
      await this.#context.fs.unlink(path);
      return 'removed';
    } catch (thrown) {
      if (isMissing(thrown)) return 'missing';
      this.#context.logger.warn({ path, err: thrown }, 'a file of the output store could not be removed');
      return 'failed';
    }
  }

  async #removeLeftovers(folder: string, names: readonly StoreName[]): Promise<number> {
    let removed = 0;
    for (const { name, owner } of names) {
      if (owner === undefined || isRunning(owner)) continue;
      removed += (await this.#remove(join(folder, name))) === 'removed' ? 1 : 0;
    }
    for (const { name } of await this.#orphans(folder, names))
      removed += (await this.#remove(join(folder, name))) === 'removed' ? 1 : 0;
    for (const { name, handle, role } of names)
      if (role === 'deleted' && (await this.#isForgotten(folder, handle)))
        removed += (await this.#remove(join(folder, name))) === 'removed' ? 1 : 0;
    return removed;
  }

  /** A handle that a person has deleted is known as such for as long as it would have been there. */
  async #isForgotten(folder: string, handle: string): Promise<boolean> {
    const at = await this.#catalog.deletedAt(folder, handle).catch(() => null);
    return at !== null && this.#context.expiry.isStale(at);
  }

  /**
   * Payloads and indexes without a meta that no living process is about to give one. Between a
   * payload's rename and its meta's, the temporary meta is there. Since a listing is not a snapshot,
   * it is looked for in a second one, begun after the payload had been seen, and the meta itself
   * after that.
   */
  async #orphans(folder: string, names: readonly StoreName[]): Promise<StoreName[]> {
    const withMeta = new Set(names.filter(isFinalMeta).map(({ handle }) => handle));
    const suspects = names.filter(
      ({ handle, owner, role }) => owner === undefined && role !== 'deleted' && !withMeta.has(handle),
    );
    if (suspects.length === 0) return [];
    const again = await this.#catalog.names(folder);
    const owned = new Set(again.filter(isOwned).map(({ handle }) => handle));
    const orphans = [];
    for (const suspect of suspects) {
      if (owned.has(suspect.handle) || this.#own.has(suspect.handle)) continue;
      if (!(await this.#catalog.exists(folder, suspect.handle))) orphans.push(suspect);
    }
    return orphans;
  }

  async #removeIfEmpty(folder: string): Promise<boolean> {
    try {
      await this.#context.fs.removeFolder(folder);
      return true;
    } catch {
      // Not empty, or already gone: both are as they should be.
      return false;
    }
  }
}

const isFinalMeta = ({ role, owner }: StoreName): boolean => role === 'meta' && owner === undefined;
const isOwned = ({ owner }: StoreName): boolean => owner !== undefined && isRunning(owner);

const noRoom = (neededBytes: number, kept: readonly CatalogEntry[], maxBytes: number): SpillwayError =>
  new SpillwayError(
    'store_full',
    `There is no room for ${neededBytes} bytes in --output-max-bytes ${maxBytes}: ${namesOf(kept)}.`,
    {
      hint: 'Release an output with output_keep { keep: false }, or raise --output-max-bytes.',
    },
  );
