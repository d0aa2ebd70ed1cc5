import { join } from 'node:path';
import { SpillwayError } from '../../shared/errors.ts';
import type { StoreFile } from './file-system.ts';
import { INDEX_ENTRY_BYTES } from './item-format.ts';
import {
  deletedPath,
  isDateFolder,
  isKeptFolder,
  keptFolder,
  keptRoot,
  metaPath,
  parseKeptName,
  parseName,
  type StoreName,
} from './layout.ts';
import { parseMeta, type Meta } from './meta.ts';
import type { StoreContext } from './store-context.ts';
import { errnoOf, isMissing } from '../machine/errno.ts';
import { corrupt } from './store-error.ts';

/** A meta of a whole store of 1 TiB is smaller; what is larger was not written by us. */
const META_MAX_BYTES = 64 * 1024 * 1024;

/** One handle found on the disk. */
export interface CatalogEntry {
  readonly handle: string;
  readonly folder: string;
  /** Bytes of payload and index. */
  readonly sizeBytes: number;
  /** Undefined when the meta is damaged. */
  readonly meta: Meta | undefined;
  /** Wall time of the damaged meta file. */
  readonly damagedAt?: number;
  /** It neither expires nor makes room for others. */
  readonly isKept?: boolean;
}

/** What a look at the whole store found. */
export interface Scan {
  /** One of each handle. */
  readonly entries: readonly CatalogEntry[];
  /** Of kept ones, what would be there if they were not. */
  readonly unkept: readonly CatalogEntry[];
  readonly folders: readonly { readonly folder: string; readonly names: readonly StoreName[] }[];
}

async function readAll(file: StoreFile, handle: string): Promise<{ bytes: Buffer; modifiedAt: number }> {
  const { sizeBytes, modifiedAt } = await file.stat();
  if (sizeBytes > META_MAX_BYTES) throw corrupt(handle, `its meta file has ${sizeBytes} bytes`);
  const bytes = Buffer.allocUnsafe(sizeBytes);
  const length = await file.read(bytes, 0);
  return { bytes: bytes.subarray(0, length), modifiedAt };
}

/** Finds handles. Metas never change, so each is read once. */
export class Catalog {
  readonly #context: StoreContext;
  /** By the path of the meta. */
  #known = new Map<string, CatalogEntry>();

  constructor(context: StoreContext) {
    this.#context = context;
  }

  /** Folders of days, oldest first; none before the store was first used. */
  async folders(): Promise<string[]> {
    return this.#daysOf(await this.#folders(this.#context.root));
  }

  #daysOf(names: readonly string[]): string[] {
    return names
      .filter(isDateFolder)
      .sort()
      .map((name) => join(this.#context.root, name));
  }

  /** Names of folders of kept outputs, temporary ones included. */
  keptNames(): Promise<readonly string[]> {
    return this.#folders(keptRoot(this.#context.root));
  }

  async #folders(path: string): Promise<readonly string[]> {
    try {
      return await this.#context.fs.listFolders(path);
    } catch (thrown) {
      if (isMissing(thrown)) return [];
      throw thrown;
    }
  }

  /** Names of ours in a folder; none when it has just been removed. */
  async names(folder: string): Promise<StoreName[]> {
    try {
      const names = await this.#context.fs.listFiles(folder);
      return names.map(parseName).filter((name) => name !== undefined);
    } catch (thrown) {
      if (isMissing(thrown)) return [];
      throw thrown;
    }
  }

  /**
   * The meta of a handle whose pattern was checked, or undefined when there is none.
   * @throws `store_corrupt` when it is damaged.
   */
  async find(handle: string): Promise<{ folder: string; meta: Meta; readonly isKept: boolean } | undefined> {
    const { root } = this.#context;
    const names = await this.#folders(root);
    const kept = names.some(isKeptFolder) ? [keptFolder(root, handle)] : [];
    for (const folder of [...kept, ...this.#daysOf(names).reverse()]) {
      const read = await this.#readMeta(folder, handle);
      if (read === undefined) continue;
      return { folder, meta: parseMeta(read.bytes, handle), isKept: folder === kept[0] };
    }
    return undefined;
  }

  /** Where it is apart from being kept. */
  async dayOf(handle: string): Promise<string | undefined> {
    for (const folder of (await this.folders()).reverse())
      if (await this.exists(folder, handle)) return folder;
    return undefined;
  }

  /** Whether any folder has a meta of this name. */
  async exists(folder: string, handle: string): Promise<boolean> {
    try {
      return (await this.#readMeta(folder, handle)) !== undefined;
    } catch {
      return true;
    }
  }

  /** Whether a person has deleted it, not too long ago. */
  async isDeleted(handle: string): Promise<boolean> {
    for (const folder of (await this.folders()).reverse())
      if ((await this.deletedAt(folder, handle)) !== null) return true;
    return false;
  }

  /** When a person has deleted it, by the wall clock; null if nobody has. */
  async deletedAt(folder: string, handle: string): Promise<number | null> {
    try {
      const file = await this.#context.fs.open(deletedPath(folder, handle));
      try {
        return (await file.stat()).modifiedAt;
      } finally {
        await file.close();
      }
    } catch (thrown) {
      if (isMissing(thrown)) return null;
      throw thrown;
    }
  }

  async #readMeta(folder: string, handle: string) {
    let file: StoreFile;
    try {
      file = await this.#context.fs.open(metaPath(folder, handle));
    } catch (thrown) {
      if (isMissing(thrown)) return undefined;
      throw thrown;
    }
    try {
      return await readAll(file, handle);
    } finally {
      await file.close();
    }
  }

  /** Every handle there is, damaged ones included, and every name of ours. */
  async scan(): Promise<Scan> {
    const folders = [];
    const found = new Map<string, CatalogEntry>();
    for (const folder of await this.folders()) {
      const names = await this.names(folder);
      folders.push({ folder, names });
      for (const { handle, role, owner } of names) {
        if (role !== 'meta' || owner !== undefined) continue;
        const entry = await this.#entryOf(folder, handle);
        if (entry) found.set(handle, entry);
      }
    }
    const unkept: CatalogEntry[] = [];
    const all = [...found.values()];
    for (const name of await this.keptNames()) {
      const { handle, owner } = parseKeptName(name) ?? {};
      if (handle === undefined || owner !== undefined) continue;
      const entry = await this.#entryOf(keptFolder(this.#context.root, handle), handle);
      if (entry === undefined) continue;
      const day = found.get(handle);
      if (day !== undefined) unkept.push(day);
      found.set(handle, { ...entry, isKept: true });
      all.push(entry);
    }
    this.#known = new Map(
      all
        .filter(({ meta }) => meta !== undefined)
        .map((entry) => [metaPath(entry.folder, entry.handle), entry]),
    );
    return { entries: [...found.values()], unkept, folders };
  }

  async #entryOf(folder: string, handle: string): Promise<CatalogEntry | undefined> {
    return this.#known.get(metaPath(folder, handle)) ?? (await this.#readEntry(folder, handle));
  }

  async #readEntry(folder: string, handle: string): Promise<CatalogEntry | undefined> {
    let modifiedAt = 0;
    try {
      const read = await this.#readMeta(folder, handle);
      if (read === undefined) return undefined;
      modifiedAt = read.modifiedAt;
      return toEntry(folder, parseMeta(read.bytes, handle));
    } catch (thrown) {
      const isDamaged =
        thrown instanceof SpillwayError || ['EINVAL', 'ELOOP'].includes(errnoOf(thrown) ?? '');
      if (!isDamaged) throw thrown;
      return { handle, folder, sizeBytes: 0, meta: undefined, damagedAt: modifiedAt };
    }
  }
}

/** The catalogue's view of a meta. */
export function toEntry(folder: string, meta: Meta): CatalogEntry {
  const indexBytes = (meta.item_count ?? 0) * INDEX_ENTRY_BYTES;
  return { handle: meta.handle, folder, sizeBytes: meta.size_bytes + indexBytes, meta };
}
