import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Removes a folder, even if a server that stopped with work left still writes to it. */
export const REMOVED = { recursive: true, force: true, maxRetries: 20 } as const;

/** A new folder, removed with the test after everything the test created later. */
export async function temporaryHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'spillway-test-'));
  onTestFinished(() => rm(home, REMOVED));
  return home;
}
