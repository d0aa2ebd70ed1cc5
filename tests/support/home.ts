import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new folder, removed with the test after everything the test created later. */
export async function temporaryHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'spillway-test-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return home;
}
