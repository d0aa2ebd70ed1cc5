import { mkdir, open, readdir, unlink, type FileHandle } from 'node:fs/promises';
import { openRegular } from '../machine/regular-file.ts';
import { syncFolder } from '../machine/write-whole.ts';

/** One open file of the store. Positions and lengths are in bytes. */
export interface StoreFile {
  /** Writes all of `bytes` at `position`; short writes of the kernel are continued. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Fills `target` from `position`; returns how many bytes were read. */
  read(target: Uint8Array, position: number): Promise<number>;
  sizeBytes(): Promise<number>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The few operations that the store needs of a file system. It is the store's only doorway to the
 * disk, so that tests can record what was written and replay a power cut. Failures are Node's, with
 * their `code`.
 */
export interface StoreFileSystem {
  /** Creates a file that must not exist, readable and writable by its owner alone. */
  create(path: string): Promise<StoreFile>;
  /** Opens a regular file for reading; links and pipes are refused with `EINVAL` or `ELOOP`. */
  open(path: string): Promise<StoreFile>;
  unlink(path: string): Promise<void>;
  /** Creates a folder and its parents, 0700; returns the first one it had to create. */
  makeFolder(path: string): Promise<string | undefined>;
  listFiles(path: string): Promise<readonly string[]>;
  /** Makes the names in a folder survive a power cut. */
  syncFolder(path: string): Promise<void>;
}

function wrap(handle: FileHandle): StoreFile {
  return {
    write: async (bytes, position) => {
      let done = 0;
      while (done < bytes.length) {
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
        done += bytesWritten;
      }
    },
    read: async (target, position) => {
      let done = 0;
      while (done < target.length) {
        const { bytesRead } = await handle.read(target, done, target.length - done, position + done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
      return done;
    },
    sizeBytes: async () => (await handle.stat()).size,
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
}

/** The real disk. */
export const nodeFileSystem: StoreFileSystem = {
  create: async (path) => wrap(await open(path, 'wx', 0o600)),
  open: async (path) => wrap(await openRegular(path)),
  unlink,
  makeFolder: (path) => mkdir(path, { recursive: true, mode: 0o700 }),
  listFiles: async (path) =>
    (await readdir(path, { withFileTypes: true }))
      .filter((entry) => !entry.isDirectory())
      .map(({ name }) => name),
  syncFolder,
};
