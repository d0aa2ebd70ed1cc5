import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { expect, it } from 'vitest';
import { HomeDatabase, type SqlValue } from '../../../server/core/home/database.ts';
import type { JsonValue } from '../../../shared/base/json.ts';
import { MIME } from '../../../shared/base/mime.ts';
import { itemsPayload, textPayload } from '../../support/payloads.ts';
import { codeOf } from '../../support/code-of.ts';
import { temporaryHome } from '../../support/home.ts';
import { allBytes, filesBelow, setUp } from './support.ts';
import { hookedFileSystem, type Operation } from './hooked-file-system.ts';

/*
 * A model of a disk that loses power. Writes after a file's last fsync may be lost or torn at a sector; renames after a
 * folder's last fsync may be lost, each independently.
 */

const SECTOR_BYTES = 512;

type Inode = { durable: Buffer; pending: { position: number; bytes: Buffer }[] };

type NameChange = { readonly from?: string; readonly to?: string; readonly inode: number | 'folder' };

/** True: unsynced writes are on the disk anyway. */
type Luck = () => boolean;

function apply(target: Buffer, { position, bytes }: { position: number; bytes: Buffer }): Buffer {
  const grown = Buffer.alloc(Math.max(target.length, position + bytes.length));
  target.copy(grown);
  bytes.copy(grown, position);
  return grown;
}

class Disk {
  readonly #inodes = new Map<number, Inode>();
  readonly #durableNames = new Map<string, number | 'folder'>();
  readonly #names = new Map<string, number | 'folder'>();
  readonly #unsynced = new Map<string, NameChange[]>();

  perform(operation: Operation): void {
    switch (operation.op) {
      case 'create':
        this.#inodes.set(operation.file, { durable: Buffer.alloc(0), pending: [] });
        this.#change(operation.path, { to: operation.path, inode: operation.file });
        break;
      case 'makeFolder':
        this.#makeFolders(operation.path);
        break;
      case 'write':
        this.#inodes.get(operation.file)?.pending.push(operation);
        break;
      case 'sync':
        this.#sync(operation.file);
        break;
      case 'unlink':
        this.#remove(operation.path);
        break;
      case 'syncFolder':
        this.#unsynced.get(operation.path)?.forEach((change) => this.#commit(change));
        this.#unsynced.delete(operation.path);
        break;
    }
  }

  #change(path: string, change: NameChange): void {
    const folder = dirname(path);
    this.#unsynced.set(folder, [...(this.#unsynced.get(folder) ?? []), change]);
    if (change.from !== undefined) this.#names.delete(change.from);
    if (change.to !== undefined) this.#names.set(change.to, change.inode);
  }

  #commit({ from, to, inode }: NameChange): void {
    if (from !== undefined && this.#durableNames.get(from) === inode) this.#durableNames.delete(from);
    if (to !== undefined) this.#durableNames.set(to, inode);
  }

  #makeFolders(folder: string): void {
    for (let path = folder; !this.#names.has(path) && path !== dirname(path); path = dirname(path))
      this.#change(path, { to: path, inode: 'folder' });
  }

  #sync(file: number): void {
    const inode = this.#inodes.get(file);
    if (!inode) return;
    inode.durable = inode.pending.reduce(apply, inode.durable);
    inode.pending = [];
  }

  #remove(from: string): void {
    const inode = this.#names.get(from);
    if (inode !== undefined) this.#change(from, { from, inode });
  }

  cutPower(luck: Luck): { files: Map<string, Buffer>; folders: Set<string> } {
    for (const changes of this.#unsynced.values())
      changes.filter(luck).forEach((change) => this.#commit(change));
    const files = new Map<string, Buffer>();
    const folders = new Set<string>();
    for (const [path, inode] of this.#durableNames) {
      if (inode === 'folder') folders.add(path);
      else files.set(path, contentOf(this.#inodes.get(inode), luck));
    }
    return { files, folders };
  }
}

function contentOf(inode: Inode | undefined, luck: Luck): Buffer {
  if (!inode) throw new Error('a name without a file');
  let content = inode.durable;
  for (const write of inode.pending) {
    if (!luck()) continue;
    const sectors = Math.ceil(write.bytes.length / SECTOR_BYTES);
    for (let sector = 0; sector < sectors; sector += 1) {
      const bytes = write.bytes.subarray(sector * SECTOR_BYTES, (sector + 1) * SECTOR_BYTES);
      if (luck()) content = apply(content, { position: write.position + sector * SECTOR_BYTES, bytes });
    }
  }
  return content;
}

/** A name is on the disk only if every folder above it is. */
async function restore(home: string, from: string, disk: ReturnType<Disk['cutPower']>): Promise<void> {
  for (const [path, content] of disk.files) {
    let isReachable = true;
    for (let folder = dirname(path); folder !== from; folder = dirname(folder))
      isReachable &&= disk.folders.has(folder);
    if (!isReachable) continue;
    const restored = join(home, path.slice(from.length));
    await mkdir(dirname(restored), { recursive: true });
    await writeFile(restored, content);
  }
}

function copyRecords(from: string, to: string, handles: readonly string[]): void {
  const [source, target] = [new HomeDatabase(from), new HomeDatabase(to)];
  for (const handle of handles)
    for (const row of source.rows('SELECT * FROM output WHERE handle = ?', handle))
      target.write(() =>
        target.run(
          `INSERT INTO output VALUES (${row.map(() => '?').join()})`,
          ...(row as readonly SqlValue[]),
        ),
      );
  source.close();
  target.close();
}

it('a power cut at any step loses no output that was answered, and shows none that is not whole', async () => {
  const operations: Operation[] = [];
  // Committed rows of the database are on the disk.
  const committed: { handle: string; at: number }[] = [];
  const { keep, home, store } = await setUp({
    fs: hookedFileSystem((operation) => operations.push(operation)),
    journal: { record: ({ handle }) => committed.push({ handle: String(handle), at: operations.length }) },
  });
  const items: JsonValue[] = Array.from({ length: 200 }, (_, index) => ({ index }));
  const answered: { handle: string; at: number }[] = [];
  const stored = new Map<string, string>();
  for (const payload of [itemsPayload(items), textPayload(MIME.text, 'y'.repeat(3000)), itemsPayload([])]) {
    const handle = await keep(payload);
    answered.push({ handle, at: operations.length });
    const output = await store.open(handle);
    stored.set(handle, (await output.read(0, output.meta.size_bytes)).toString());
    await output.close();
  }
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: operations.length }),
      fc.array(fc.boolean(), { minLength: 5, maxLength: 60 }),
      async (length, choices) => {
        let choice = 0;
        const luck: Luck = () => choices[choice++ % choices.length] === true;
        const after = await temporaryHome();
        const disk = new Disk();
        for (const operation of operations.slice(0, length)) disk.perform(operation);
        await restore(after, home, disk.cutPower(luck));
        const handles = committed.filter(({ at }) => at <= length).map(({ handle }) => handle);
        copyRecords(home, after, handles);
        const { fetch, store: found } = await setUp({ home: after });
        for (const [handle, content] of stored) {
          const isAnswered = answered.some((one) => one.handle === handle && one.at <= length);
          const code = await codeOf(fetch({ output_handle: handle }));
          if (code === 'output_handle_not_found') expect(isAnswered).toBe(false);
          else expect((await allBytes(fetch, { output_handle: handle }, 'utf8')).toString()).toBe(content);
        }
        const visible = (await found.usage()).handles;
        await found.sweep();
        expect((await found.usage()).handles).toBe(visible);
        expect((await filesBelow(after)).filter((name) => !name.endsWith('.index'))).toHaveLength(visible);
      },
    ),
    { numRuns: rounds(300, 60) },
  );
});
