import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SHARED_MEMORY = '/dev/shm';
/** The tests need less; browsers keep shared memory of their own there. */
const MIN_FREE_BYTES = 4 * 2 ** 30;

/**
 * A folder in memory for temporary files: thousands of small commits to a disk take longer than the tests that make
 * them. Null if none has enough room and allows programs to run.
 * @param {string} folder
 */
export function memoryFolder(folder = SHARED_MEMORY) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= MIN_FREE_BYTES && canExecuteIn(folder) ? folder : null;
  } catch {
    return null;
  }
}

/** Containers often forbid it there, and tests put launchers into temporary folders. */
function canExecuteIn(folder) {
  const own = mkdtempSync(join(folder, 'spillway-probe-'));
  try {
    const program = join(own, 'program');
    writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o700 });
    execFileSync(program);
    return true;
  } finally {
    rmSync(own, { recursive: true });
  }
}
