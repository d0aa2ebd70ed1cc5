import { access } from 'node:fs/promises';
import {
  nodeFileSystem,
  type StoreFile,
  type StoreFileSystem,
} from '../../../server/core/output/checked-file.ts';
import { codeOf } from '../../support/code-of.ts';

/** The real disk, without waiting for the hardware: a power cut is tested with a model. */
export const quickFileSystem: StoreFileSystem = {
  ...nodeFileSystem,
  create: async (path) => ({ ...(await nodeFileSystem.create(path)), sync: async () => undefined }),
  syncFolder: (path) => access(path),
};

/** One operation that the store requested; `file` numbers open files. */
export interface Operation {
  readonly op: keyof StoreFileSystem | keyof StoreFile;
  readonly path: string;
  readonly file: number;
  readonly position: number;
  readonly bytes: Buffer;
}

const NOTHING: Operation = { op: 'sizeBytes', path: '', file: 0, position: 0, bytes: Buffer.alloc(0) };

/** A disk with a hook that is awaited before each operation and may throw instead. */
export function hookedFileSystem(before: (operation: Operation) => unknown): StoreFileSystem {
  let files = 0;
  const hook = async (operation: Partial<Operation>): Promise<void> =>
    void (await before({ ...NOTHING, ...operation }));
  const wrap = (real: StoreFile, file: number): StoreFile => ({
    write: async (bytes, position) => {
      await hook({ op: 'write', file, position, bytes: Buffer.from(bytes) });
      await real.write(bytes, position);
    },
    read: async (target, position) => {
      await hook({ op: 'read', file });
      return real.read(target, position);
    },
    sizeBytes: async () => {
      await hook({ op: 'sizeBytes', file });
      return real.sizeBytes();
    },
    sync: async () => {
      await hook({ op: 'sync', file });
      await real.sync();
    },
    close: async () => {
      await real.close();
      await hook({ op: 'close', file });
    },
  });
  return new Proxy(quickFileSystem, {
    get: (target, op: keyof StoreFileSystem) => async (path: string) => {
      const file = op === 'create' || op === 'open' ? (files += 1) : 0;
      await hook({ op, path, file });
      if (op === 'create' || op === 'open') return wrap(await target[op](path), file);
      return target[op](path);
    },
  });
}

export const BY_NAME = ['create', 'open', 'unlink', 'makeFolder', 'listFiles', 'syncFolder'] as const;

/** A disk with one event before the nth operation of the given kinds. */
export function stagedFileSystem(ops?: readonly Operation['op'][]) {
  const plan = { at: 0, seen: 0, act: (): unknown => undefined };
  const fs = hookedFileSystem(async ({ op }) => {
    if (ops?.includes(op) === false) return;
    plan.seen += 1;
    if (plan.seen === plan.at) await plan.act();
  });
  return {
    fs,
    async at(step: number, act: () => unknown, work: () => Promise<unknown>) {
      Object.assign(plan, { at: step, seen: 0, act });
      const code = await codeOf(work());
      plan.at = 0;
      return { code, seen: plan.seen, hasActed: plan.seen >= step };
    },
  };
}

export const failWith = (errno: string) => (): never => {
  throw Object.assign(new Error(`${errno}: injected`), { code: errno });
};
