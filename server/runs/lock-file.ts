import { accessSync, closeSync, constants, openSync, readSync, statSync, type Stats } from 'node:fs';
import { isMissing } from '../machine/errno.ts';
import { runCorrupt } from './records.ts';
import { onDisk } from './run-error.ts';

/** What LMDB begins its lock with (struct MDB_txninfo of mdb.c): a file without it is not one of LMDB. */
const MAGIC = 0xbe_ef_c0_de;
const MAGIC_BYTES = 4;
/** 125 readers, and some more that depends on the system. A file that nobody uses is made that long. */
const LOCK_BYTES_MIN = 8_000;

/** Who else has the environment open. */
export interface Others {
  readonly here: boolean;
  readonly elsewhere: boolean;
}

/**
 * Tries what LMDB does first with its lock, which it makes where it is missing. Where LMDB cannot open or map it,
 * lmdb-js 3.5.6 ends the process.
 * @throws `store_corrupt`, `store_read_failed`
 */
export function assertLockUsable(path: string, runId: string, others: Others): void {
  const why = onDisk(path, 'store_read_failed', () => damageOfLock(path, others));
  if (why !== null) throw runCorrupt(runId, why);
}

function damageOfLock(path: string, { here, elsewhere }: Others): string | null {
  const found = statOf(path);
  if (found === null) return null;
  if (!found.isFile()) return 'its lock is not a file';
  accessSync(path, constants.R_OK | constants.W_OK);
  // LMDB rewrites a lock that nobody uses, and does not look at one that this process has open.
  if (here) return null;
  // Opened in any case: LMDB opens it next.
  const magic = magicOf(path);
  if (!elsewhere) return null;
  if (found.size < LOCK_BYTES_MIN) return `its lock has ${found.size} bytes of at least ${LOCK_BYTES_MIN}`;
  return magic === MAGIC ? null : 'its lock has an invalid header';
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch (thrown) {
    if (isMissing(thrown)) return null;
    throw thrown;
  }
}

/** Only where this process does not use the file: to close it gives up all locks on it (fcntl(2)). */
function magicOf(path: string): number {
  const file = openSync(path, 'r+');
  try {
    const bytes = Buffer.alloc(MAGIC_BYTES);
    readSync(file, bytes, 0, MAGIC_BYTES, 0);
    return bytes.readUInt32LE();
  } finally {
    closeSync(file);
  }
}
