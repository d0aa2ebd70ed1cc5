import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import PQueue from 'p-queue';
import type { Logger } from '../core/services.ts';
import type { OpenRun, RunFolders } from './folders.ts';

/** Runs that one list looks at: the last that were written to. */
const LOOKED_AT_MAX = 200;
const AT_ONCE = 8;

/** What `read` answers of the runs that were written to last, in no order, and how many were left out. */
export async function readRuns<T>(
  folders: RunFolders,
  read: (run: OpenRun) => T,
  logger: Logger,
): Promise<{ readonly found: readonly T[]; readonly left: number }> {
  const touched = await Promise.all(
    (await folders.list()).map(async (runId) => ({ runId, at: await touchedAt(folders, runId) })),
  );
  const newest = touched.sort((a, b) => b.at - a.at).slice(0, LOOKED_AT_MAX);
  const found: T[] = [];
  const queue = new PQueue({ concurrency: AT_ONCE });
  for (const { runId } of newest)
    void queue.add(async () => {
      try {
        found.push(await folders.glance(runId, read));
      } catch (thrown) {
        // One that is being made or removed, or that is damaged, does not hide the others.
        logger.debug({ run_id: runId, err: thrown }, 'a run was not listed');
      }
    });
  await queue.onIdle();
  return { found, left: touched.length - newest.length };
}

async function touchedAt(folders: RunFolders, runId: string): Promise<number> {
  try {
    return (await stat(join(folders.root, runId, 'data.mdb'))).mtimeMs;
  } catch {
    return 0;
  }
}
