import { basename, join } from 'node:path';
import { z } from 'zod';
import { SpillwayError } from '../../shared/errors.ts';
import type { KeptBy, KeptFacts } from '../core/services.ts';
import { errnoOf, isMissing } from '../machine/errno.ts';
import { isRunning, ownProcess } from '../machine/process-identity.ts';
import type { CleanText } from '../redact/clean.ts';
import { StoredText } from '../redact/stored.ts';
import type { Catalog, CatalogEntry } from './catalog.ts';
import {
  handlePaths,
  keptFolder,
  keptRoot,
  metaPath,
  notePath,
  parseKeptName,
  personPath,
  temporaryKeptFolder,
} from './layout.ts';
import type { Meta } from './meta.ts';
import type { StoreContext } from './store-context.ts';
import { keptByPerson, notFound, toWriteError } from './store-error.ts';

/** `<handle>.note`. */
const NoteFile = z.object({
  note: StoredText.nullable(),
  since_ms: z.int().min(0),
});
/** What is larger was not written by us. */
const NOTE_MAX_BYTES = 16 * 1024;
const NOTHING = { note: null, since_ms: null };
/** How often a change is begun again because another server was faster. */
const ATTEMPTS = 8;

/**
 * Kept outputs. Each is a folder with further names of its files: a sweep takes their first ones away, and no two servers can get in each other's way. The folder appears and goes whole, by one rename.
 */
export class Keeper {
  readonly #context: StoreContext;
  readonly #catalog: Catalog;

  constructor(context: StoreContext, catalog: Catalog) {
    this.#context = context;
    this.#catalog = catalog;
  }

  /** Bytes that kept outputs may take: half of the bound, so that there is always room for what is new. */
  get maxBytes(): number {
    return Math.floor(this.#context.maxBytes / 2);
  }

  /** Resolves once it is kept, on the disk. @throws see `OutputKeeping.keep` */
  keep(
    entry: CatalogEntry & { readonly meta: Meta },
    { note, by }: { readonly note: CleanText | undefined; readonly by: KeptBy },
    at: number,
  ): Promise<void> {
    return this.#guard(async () => {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const before = await this.read(entry.handle);
        if (before === null) await this.#checkRoom(entry);
        const facts: KeptFacts = {
          note: note ?? before?.note ?? null,
          since_ms: before?.since_ms ?? at,
          by,
        };
        if (before !== null) {
          const isNoted = note === undefined || (await this.#write(entry.handle, facts));
          if (isNoted && (by === 'agent' || (await this.#claim(entry.handle)))) return;
        } else if (await this.#make(entry, facts)) {
          // Another server may have kept one at the same time.
          return await this.#checkRoom(entry).catch(async (thrown: unknown) => {
            await this.#drop(entry.handle, by);
            throw thrown;
          });
        }
      }
      throw new Error('other servers change it');
    });
  }

  /**
   * Whether it was kept. What is left is what it was before.
   * @throws SpillwayError `store_write_failed`; `invalid_argument` for an agent, where a person keeps it
   */
  drop(handle: string, by: KeptBy): Promise<boolean> {
    return this.#guard(() => this.#drop(handle, by));
  }

  /** What is known of a kept one; null for one that is not kept. A note that cannot be read keeps it, too. */
  async read(handle: string): Promise<KeptFacts | null> {
    const { root } = this.#context;
    const folder = keptFolder(root, handle);
    if (!(await this.#catalog.exists(folder, handle))) return null;
    // A disk that fails does not open what a person has closed.
    const by = await this.#byOf(folder, handle).catch((): KeptBy => 'person');
    try {
      const file = await this.#context.fs.open(notePath(folder, handle));
      try {
        const bytes = Buffer.alloc(Math.min(NOTE_MAX_BYTES, (await file.stat()).sizeBytes));
        await file.read(bytes, 0);
        return { ...NoteFile.parse(JSON.parse(bytes.toString('utf8'))), by };
      } finally {
        await file.close();
      }
    } catch {
      return { ...NOTHING, by };
    }
  }

  async #byOf(folder: string, handle: string): Promise<KeptBy> {
    const names = await this.#context.fs.listFiles(folder);
    return names.includes(basename(personPath(folder, handle))) ? 'person' : 'agent';
  }

  /** Kept outputs that are whole, the largest first. */
  async entries(): Promise<readonly CatalogEntry[]> {
    const { entries } = await this.#catalog.scan();
    return entries.filter(({ isKept }) => isKept).toSorted((a, b) => b.sizeBytes - a.sizeBytes);
  }

  /** Removes folders of dead processes, and those without an output. Returns how many. */
  async sweep(): Promise<number> {
    const { root } = this.#context;
    let removed = 0;
    for (const name of await this.#catalog.keptNames()) {
      const { handle, owner } = parseKeptName(name) ?? {};
      if (handle === undefined) continue;
      if (owner !== undefined && !isRunning(owner)) {
        await this.#clear(join(keptRoot(root), name), handle);
        removed += 1;
      } else if (owner === undefined && !(await this.#catalog.exists(keptFolder(root, handle), handle)))
        removed += (await this.drop(handle, 'person')) ? 1 : 0;
    }
    return removed;
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      throw toWriteError(thrown, keptRoot(this.#context.root));
    }
  }

  /** False if another server has kept it meanwhile. */
  async #make({ handle, meta }: CatalogEntry & { readonly meta: Meta }, facts: KeptFacts): Promise<boolean> {
    const { fs, root } = this.#context;
    const folder = await this.#catalog.dayOf(handle);
    if (folder === undefined) throw notFound(handle, 'expired');
    const made = temporaryKeptFolder(root, handle, ownProcess());
    const [from, to] = [folder, made].map((place) => handlePaths(place, handle, meta.mime_type));
    if (from === undefined || to === undefined) return false;
    const isFirst = (await fs.makeFolder(made)) !== made;
    try {
      await this.#writeNote(notePath(made, handle), facts);
      if (facts.by === 'person') await this.#writeFile(personPath(made, handle), '');
      await fs.link(from.payload, to.payload).catch(gone(handle));
      if (meta.item_count !== null) await fs.link(from.index, to.index).catch(gone(handle));
      await fs.link(from.meta, to.meta).catch(gone(handle));
      await fs.syncFolder(made);
      await fs.rename(made, keptFolder(root, handle));
    } catch (thrown) {
      await this.#clear(made, handle);
      if (['ENOTEMPTY', 'EEXIST'].includes(errnoOf(thrown) ?? '')) return false;
      throw thrown;
    }
    await fs.syncFolder(keptRoot(root));
    if (isFirst) await fs.syncFolder(root);
    return true;
  }

  /** False if it is kept no longer. */
  async #write(handle: string, facts: KeptFacts): Promise<boolean> {
    const { fs, root } = this.#context;
    const folder = keptFolder(root, handle);
    const written = temporaryKeptFolder(root, handle, ownProcess());
    await fs.makeFolder(written);
    try {
      await this.#writeNote(notePath(written, handle), facts);
      await fs.rename(notePath(written, handle), notePath(folder, handle));
      await fs.syncFolder(folder);
      return true;
    } catch (thrown) {
      if (isMissing(thrown)) return false;
      throw thrown;
    } finally {
      await this.#clear(written, handle);
    }
  }

  /** A file of its own, which no change of the note takes back. False if it is kept no longer. */
  async #claim(handle: string): Promise<boolean> {
    const folder = keptFolder(this.#context.root, handle);
    try {
      await this.#writeFile(personPath(folder, handle), '');
    } catch (thrown) {
      if (isMissing(thrown)) return false;
      if (errnoOf(thrown) !== 'EEXIST') throw thrown;
    }
    await this.#context.fs.syncFolder(folder).catch(unlessMissing);
    return await this.#catalog.exists(folder, handle);
  }

  #writeNote(path: string, { note, since_ms }: KeptFacts): Promise<void> {
    return this.#writeFile(path, `${JSON.stringify({ note, since_ms })}\n`);
  }

  async #writeFile(path: string, text: string): Promise<void> {
    const file = await this.#context.fs.create(path);
    try {
      if (text !== '') await file.write(Buffer.from(text), 0);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  async #drop(handle: string, by: KeptBy): Promise<boolean> {
    const { fs, root } = this.#context;
    const folder = keptFolder(root, handle);
    const dropped = temporaryKeptFolder(root, handle, ownProcess());
    const check = async (place: string): Promise<void> => {
      if (by === 'agent' && (await this.#byOf(place, handle)) === 'person') throw keptByPerson(handle);
    };
    try {
      await check(folder);
      await fs.rename(folder, dropped);
    } catch (thrown) {
      if (isMissing(thrown)) return false;
      throw thrown;
    }
    try {
      // A person may have been faster.
      await check(dropped);
    } catch (thrown) {
      // Or another one has been kept in its place since then.
      await fs.rename(dropped, folder).catch(() => this.#clear(dropped, handle));
      throw thrown;
    }
    try {
      await fs.syncFolder(keptRoot(root));
    } finally {
      await this.#clear(dropped, handle);
    }
    return true;
  }

  /** Removes a temporary folder. What cannot be removed is left to a sweep. */
  async #clear(folder: string, handle: string): Promise<void> {
    const { fs } = this.#context;
    try {
      // A folder that another server has just removed is as it should be.
      const names = await fs.listFiles(folder);
      // What names the output is the first to go, as everywhere.
      for (const path of [metaPath(folder, handle), ...names.map((name) => join(folder, name))])
        await this.#unlink(path);
      await fs.removeFolder(folder);
    } catch (thrown) {
      if (!isMissing(thrown))
        this.#context.logger.warn({ path: folder, err: thrown }, 'a kept output left a folder behind');
    }
  }

  async #unlink(path: string): Promise<void> {
    await this.#context.fs.unlink(path).catch(unlessMissing);
  }

  async #checkRoom(entry: CatalogEntry): Promise<void> {
    const others = (await this.entries()).filter(({ handle }) => handle !== entry.handle);
    const size = others.reduce((sum, { sizeBytes }) => sum + sizeBytes, entry.sizeBytes);
    if (size <= this.maxBytes) return;
    const { handle, sizeBytes } = entry;
    const { maxBytes } = this.#context;
    throw new SpillwayError(
      'kept_full',
      `${handle} (${sizeBytes} bytes) cannot be kept: kept outputs may take ${this.maxBytes} bytes, half of --output-max-bytes ${maxBytes}, and ${namesOf(others)}.`,
    );
  }
}

/** As many as help to choose. */
const NAMED = 5;

/** Which outputs are kept, for the end of a sentence; the largest first. */
export function namesOf(kept: readonly CatalogEntry[]): string {
  const size = kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const names = kept.slice(0, NAMED).map(({ handle, sizeBytes }) => `${handle} ${sizeBytes}`);
  const rest = kept.length - names.length;
  return `${size} bytes are kept${names.length === 0 ? '' : ` (${[...names, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')})`}`;
}

const unlessMissing = (thrown: unknown): void => {
  if (!isMissing(thrown)) throw thrown;
};

/** A sweeper was faster. */
const gone =
  (handle: string) =>
  (thrown: unknown): never => {
    throw isMissing(thrown) ? notFound(handle, 'expired') : thrown;
  };
