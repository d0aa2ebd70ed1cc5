import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger, Scratch, ScratchFolder } from '../core/services.ts';
import { isRunning, ownProcess } from './process-identity.ts';

/** `<pid>-<start time>-<8 hexadecimal characters>`: whose it is, so that what a dead server left goes. */
const FOLDER = /^(?<pid>\d+)-(?<startTime>\d+)-[0-9a-f]{8}$/;

function isAbandoned(name: string): boolean {
  const { pid, startTime } = FOLDER.exec(name)?.groups ?? {};
  if (pid === undefined || startTime === undefined) return false;
  return !isRunning({ pid: Number(pid), startTime });
}

async function removeAbandoned(root: string, logger: Logger): Promise<void> {
  const names = await readdir(root).catch(() => []);
  for (const name of names.filter(isAbandoned)) {
    await rm(join(root, name), { recursive: true, force: true }).catch((err: unknown) =>
      logger.warn({ err, name }, 'a temporary folder was not removed'),
    );
  }
}

/**
 * Temporary folders below `<home>/tmp`, 0700, for content that is too large for memory and not an output yet.
 * Folders of servers that have died are removed with the first one that is made.
 */
export function createScratch({ home, logger }: { readonly home: string; readonly logger: Logger }): Scratch {
  const root = join(home, 'tmp');
  const open = new Set<string>();
  let cleaned: Promise<void> | null = null;
  const remove = async (path: string): Promise<void> => {
    open.delete(path);
    await rm(path, { recursive: true, force: true });
  };
  return {
    async folder(): Promise<ScratchFolder> {
      cleaned ??= removeAbandoned(root, logger);
      await cleaned;
      const { pid, startTime } = ownProcess();
      const path = join(root, `${pid}-${startTime}-${randomBytes(4).toString('hex')}`);
      await mkdir(path, { recursive: true, mode: 0o700 });
      open.add(path);
      return { path, remove: () => remove(path) };
    },
    async close() {
      await Promise.allSettled([...open].map(remove));
    },
  };
}
