import { nodeFileSystem, type StoreFile, type StoreFileSystem } from '../../../server/output/file-system.ts';

/** One thing that the store asked of the disk. `file` numbers open files. */
export type Operation =
  | { readonly op: 'create' | 'open'; readonly path: string; readonly file: number }
  | { readonly op: 'write'; readonly file: number; readonly position: number; readonly bytes: Buffer }
  | { readonly op: 'sync' | 'close' | 'read' | 'stat'; readonly file: number }
  | { readonly op: 'rename' | 'link'; readonly path: string; readonly to: string }
  | {
      readonly op: 'unlink' | 'makeFolder' | 'removeFolder' | 'listFiles' | 'listFolders' | 'syncFolder';
      readonly path: string;
    };

/** The real disk, with a hook that is called before each operation and may throw in its place. */
export function hookedFileSystem(before: (operation: Operation) => void): StoreFileSystem {
  let files = 0;
  const wrap = (real: StoreFile, file: number): StoreFile => ({
    write: async (bytes, position) => {
      before({ op: 'write', file, position, bytes: Buffer.from(bytes) });
      await real.write(bytes, position);
    },
    read: async (target, position) => {
      before({ op: 'read', file });
      return real.read(target, position);
    },
    stat: async () => {
      before({ op: 'stat', file });
      return real.stat();
    },
    sync: async () => {
      before({ op: 'sync', file });
      await real.sync();
    },
    close: async () => {
      await real.close();
      before({ op: 'close', file });
    },
  });
  const opening = (op: 'create' | 'open') => async (path: string) => {
    files += 1;
    const file = files;
    before({ op, path, file });
    return wrap(await nodeFileSystem[op](path), file);
  };
  const passing =
    <T>(
      op: 'unlink' | 'makeFolder' | 'removeFolder' | 'listFiles' | 'listFolders' | 'syncFolder',
      run: (path: string) => Promise<T>,
    ) =>
    async (path: string): Promise<T> => {
      before({ op, path });
      return run(path);
    };
  return {
    create: opening('create'),
    open: opening('open'),
    rename: async (path, to) => {
      before({ op: 'rename', path, to });
      await nodeFileSystem.rename(path, to);
    },
    link: async (path, to) => {
      before({ op: 'link', path, to });
      await nodeFileSystem.link(path, to);
    },
    unlink: passing('unlink', nodeFileSystem.unlink),
    makeFolder: passing('makeFolder', nodeFileSystem.makeFolder),
    removeFolder: passing('removeFolder', nodeFileSystem.removeFolder),
    listFiles: passing('listFiles', nodeFileSystem.listFiles),
    listFolders: passing('listFolders', nodeFileSystem.listFolders),
    syncFolder: passing('syncFolder', nodeFileSystem.syncFolder),
  };
}
