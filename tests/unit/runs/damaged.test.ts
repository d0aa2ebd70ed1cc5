import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { LIMITS } from '../../../shared/limits.ts';
import { ownProcess } from '../../../server/machine/process-identity.ts';
import { assertUsable } from '../../../server/runs/environment.ts';
import { sample } from '../../support/depth.ts';
import { bundleProgram } from '../../support/bundle-program.ts';
import { temporaryHome } from '../../support/home.ts';
import { DAY_MS, DONE, FakeClock, request, setUp, waiting } from './support.ts';

const PROGRAM = await bundleProgram(new URL('../../support/damaged-program.ts', import.meta.url));

/** A process of its own looks at the run: what LMDB does not survive ends it. */
async function seenElsewhere(home: string, runId: string, ...looks: string[]): Promise<string> {
  const args = [PROGRAM, home, runId, ...looks];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout;
}

async function endedRun() {
  const clock = new FakeClock();
  const { runs, home } = await setUp({
    clock,
    work: async (_args, scope) => {
      for (let round = 0; round < 3; round += 1)
        await scope.commit({
          items: [round],
          change: (change) => {
            for (let key = 0; key < 300; key += 1)
              change.put(['k', round, key], scope.redact('x'.repeat(200)));
          },
        });
      return DONE;
    },
  });
  const { run_id } = await runs.start(request());
  await runs.wait(run_id, waiting());
  await runs.close();
  return { home, clock, run_id, file: join(home, 'runs', run_id, 'data.mdb') };
}

/** Changes every copy of a text in a file, the stale ones included; the length stays. */
async function overwrite(file: string, text: string, by: string): Promise<void> {
  const bytes = await readFile(file);
  let found = 0;
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) {
    bytes.write(by, at);
    found += 1;
  }
  expect(found).toBeGreaterThan(0);
  await writeFile(file, bytes);
}

const FACTS: readonly [string, string, string, string[]][] = [
  ['a control character in its facts', '"tool":', '"to\u0001l":', ['get', 'page', 'args', 'resume']],
  ['a control character in how it ended', '"status":', '"sta\u0001us":', ['get', 'resume']],
  ['text in place of a number in its counts', '"array_bytes":', '"array_bytes:"', ['get', 'page']],
  ['an unknown status', '"status":"completed"', '"status":"c0mpleted"', ['get', 'resume']],
];
it.each(sample(FACTS, 3))(
  'a run with %s is damaged, and says which run it is',
  async (_, text, by, looks) => {
    const { home, run_id, file } = await endedRun();
    await overwrite(file, text, by);
    const seen = await seenElsewhere(home, run_id, ...looks);
    expect(seen).toBe(looks.map(() => 'store_corrupt').join(' '));
    expect(await seenElsewhere(home, run_id, 'list')).toMatch(/^\d listed$/);
  },
);

const garbage = (sizeBytes: number): Buffer => Buffer.alloc(sizeBytes, 'not an environment of LMDB');

const ENVIRONMENTS: readonly [string, (file: string, sizeBytes: number) => Promise<void>][] = [
  ['cut to its first two pages', (file) => truncate(file, 8 * 1024)],
  ['cut to 100 KiB', (file) => truncate(file, 100 * 1024)],
  ['cut within its first page', (file) => truncate(file, 100)],
  ['of zeros', (file, sizeBytes) => writeFile(file, Buffer.alloc(sizeBytes))],
  ['of garbage', (file, sizeBytes) => writeFile(file, garbage(sizeBytes))],
];
it.each(sample(ENVIRONMENTS, 3))(
  'a run whose environment is %s is damaged, and ends no server',
  async (_, damage) => {
    const { home, run_id, file } = await endedRun();
    const { size } = await stat(file);
    expect(size).toBeGreaterThan(100 * 1024);
    expect(await seenElsewhere(home, run_id)).toBe('completed');
    await damage(file, size);
    expect(await seenElsewhere(home, run_id)).toBe('store_corrupt');
    // Only now, since a damaged file would end the process of this test without the look before.
    const later = new FakeClock();
    later.wall = Date.now() + (LIMITS.runTtlDays + 1) * DAY_MS;
    const { runs } = await setUp({ home, clock: later });
    await runs.close();
    await expect(stat(join(home, 'runs', run_id))).rejects.toMatchObject({ code: 'ENOENT' });
  },
);

const LOCKS: readonly [string, (lock: string) => Promise<unknown>, string][] = [
  ['a folder', (lock) => rm(lock).then(() => mkdir(lock)), 'store_corrupt'],
  ['cut', (lock) => truncate(lock, 100), 'completed'],
  ['garbage', (lock) => writeFile(lock, garbage(8_272)), 'completed'],
  ['empty', (lock) => truncate(lock), 'completed'],
];
it.each(sample(LOCKS, 2))(
  'a run whose lock is %s ends no server, and is damaged while another process uses it',
  async (_, damage, seen) => {
    const { home, run_id } = await endedRun();
    const folder = join(home, 'runs', run_id);
    await damage(join(folder, 'lock.mdb'));
    const { pid, startTime } = ownProcess();
    const other = join(folder, `turn-${pid}-${startTime}-00000000-0000-4000-8000-000000000000`);
    await writeFile(other, '');
    expect(await seenElsewhere(home, run_id)).toBe('store_corrupt');
    await rm(other);
    expect(await seenElsewhere(home, run_id)).toBe(seen);
  },
);

/** The beginning of an environment whose last page is `lastPage`, and whose trees are empty. */
function beginning(lastPage: bigint): Buffer {
  const bytes = Buffer.alloc(8_192);
  for (const page of [0, 4_096]) {
    bytes.writeUInt32LE(0xbeefc0de, page + 24);
    bytes.writeUInt32LE(4_096, page + 48);
    for (const root of [88, 136]) bytes.fill(0xff, page + root, page + root + 8);
    bytes.writeBigUInt64LE(lastPage, page + 144);
  }
  return bytes;
}

it('the last pages may be missing, as LMDB leaves them, but no more', async () => {
  const folder = await temporaryHome();
  const file = join(folder, 'data.mdb');
  await writeFile(file, beginning(5n));
  await expect(assertUsable(folder, 'run_A')).resolves.toBeUndefined();
  await writeFile(file, beginning(6n));
  await expect(assertUsable(folder, 'run_A')).rejects.toMatchObject({ code: 'store_corrupt' });
  await writeFile(file, '');
  await expect(assertUsable(folder, 'run_A')).resolves.toBeUndefined();
});
