import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../support/test-folder.ts';

const folder = testFolder();
const library = resolve(import.meta.dirname, '../../../scripts/lib/lock.mjs');

/** Runs `body` in a process of its own; `withLock` and `lock`, the path, are in its scope. */
const program = (lock: string, body: string): string[] => [
  '--input-type=module',
  '-e',
  `import { withLock } from ${JSON.stringify(library)};
   import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
   const lock = ${JSON.stringify(lock)};
   ${body}`,
];

test('many processes at once take turns', async () => {
  const lock = join(folder, 'turns');
  const counter = join(folder, 'counter');
  writeFileSync(counter, '0');
  // Read, yield to the event loop, write: two owners at once would lose a count.
  const body = `await withLock(lock, async () => {
    const count = Number(readFileSync(${JSON.stringify(counter)}, 'utf8'));
    await new Promise(setImmediate);
    writeFileSync(${JSON.stringify(counter)}, String(count + 1));
  });`;
  const children = Array.from({ length: 6 }, () => spawn(process.execPath, program(lock, body)));
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as number));
  expect(codes).toEqual([0, 0, 0, 0, 0, 0]);
  expect(readFileSync(counter, 'utf8')).toBe('6');
  expect(existsSync(lock)).toBe(false);
});

test('the lock of a killed process is taken over', () => {
  const lock = join(folder, 'killed');
  const run = (body: string) => spawnSync(process.execPath, program(lock, body), { encoding: 'utf8' });
  run(`await withLock(lock, () => process.kill(process.pid, 'SIGKILL'));`);
  expect(existsSync(lock)).toBe(true);
  expect(run(`await withLock(lock, () => console.log('mine'));`).stdout).toBe('mine\n');
  expect(existsSync(lock)).toBe(false);
});
