import { open, rm, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { errnoOf, isMissing } from './errno.ts';

const LOCK_STALE_MS = 45_000;
const LOCK_RETRY_MS = 50;

/**
 * Runs something while no other holder of the lock runs, in this program or another.
 *
 * @param path of the lock, in a folder that exists
 * @throws the signal's reason, what the disk refuses, and what `work` throws
 */
export async function withFileLock<T>(path: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  while (!(await takes(path))) await delay(LOCK_RETRY_MS, undefined, { signal });
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** Makes the lock. False if another program has it. */
async function takes(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close();
    return true;
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown;
  }
  const made = await stat(path).catch((thrown: unknown) => {
    if (isMissing(thrown)) return null;
    throw thrown;
  });
  if (made !== null && Date.now() - made.mtimeMs > LOCK_STALE_MS) await rm(path, { force: true });
  return false;
}
