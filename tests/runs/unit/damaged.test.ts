import { sample } from '../../support/depth.ts';
import { execFile } from 'node:child_process';
import { mkdir, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { LIMITS } from '../../../shared/base/limits.ts';
import { HomeDatabase } from '../../../server/core/home/database.ts';
import { bundleProgram } from '../../support/bundle-program.ts';
import { DAY_MS, DONE, FakeClock, request, setUp, waiting } from './support.ts';

const PROGRAM = await bundleProgram(new URL('../../support/damaged-program.ts', import.meta.url));

/** A separate process reads the run: damage that crashes SQLite would end the process. */
async function seenElsewhere(home: string, runId: string, ...looks: string[]): Promise<string> {
  const args = [PROGRAM, home, runId, ...looks];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout;
}

async function endedRun() {
  const clock = new FakeClock();
  clock.wall = Date.now();
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
  return { home, clock, run_id, file: join(home, 'home.db') };
}

function damageRow(home: string, sql: string): void {
  const database = new HomeDatabase(home);
  expect(database.run(sql)).toBeGreaterThan(0);
  database.close();
}

const replaceIn = (column: string, text: string, by: string): string =>
  `UPDATE run SET ${column} = replace(${column}, '${text}', '${by}')`;

it.each(
  sample(
    [
      ['a control character in its facts', replaceIn('facts', '"tool":', '"to\u0001l":'), 'get args resume'],
      ['a control character in how it ended', replaceIn('life', '"status":', '"sta\u0001us":'), 'get resume'],
      [
        'a text for a number in its counts',
        replaceIn('tally', '"array_bytes":', '"array_bytes:"'),
        'get page',
      ],
      ['an unknown status', replaceIn('life', '"status":"completed"', '"status":"c0mpleted"'), 'get resume'],
      ['an empty owner', `UPDATE run SET owner = '{}'`, 'get resume'],
      ['a missing item', 'DELETE FROM run_item WHERE position = 1', 'page'],
      ['an item that is not JSON', `UPDATE run_item SET line = x'7b' WHERE position = 1`, 'page'],
    ],
    3,
  ),
)('a run with %s is damaged; the others are unaffected', async (_, sql, looks) => {
  const { home, clock, run_id } = await endedRun();
  damageRow(home, sql);
  const { runs } = await setUp({ home, clock });
  const other = await runs.start(request());
  await runs.wait(other.run_id, waiting());
  await runs.close();
  const seen = await seenElsewhere(home, run_id, ...looks.split(' '));
  expect(seen).toBe(looks.replaceAll(/\w+/g, 'store_corrupt'));
  expect(await seenElsewhere(home, other.run_id, 'get', 'list')).toMatch(/^completed [12] listed$/);
});

it('a damaged run hides no other that waits', async () => {
  const body = { goes_on: true, waiting: [] };
  const { runs, home } = await setUp({
    work: () => Promise.reject(new SpillwayError('workflow_waits', 'It waits.', { body })),
  });
  await Promise.all([runs.start(request()), runs.start(request())]);
  await expect.poll(() => runs.listParked()).toHaveLength(2);
  damageRow(home, `UPDATE run SET facts = 'x' WHERE number = 1`);
  expect(await runs.listParked()).toHaveLength(1);
});

it('a damaged run goes when it is old', async () => {
  const { home, run_id } = await endedRun();
  damageRow(home, `UPDATE run SET life = 'x'`);
  const later = new FakeClock();
  later.wall = Date.now() + (LIMITS.runTtlDays + 1) * DAY_MS;
  const { runs } = await setUp({ home, clock: later });
  await runs.close();
  expect(await seenElsewhere(home, run_id)).toBe('run_not_found');
});

it.each<[string, (file: string, sizeBytes: number) => Promise<unknown>]>(
  sample(
    [
      ['cut to its first two pages', (file) => truncate(file, 8 * 1024)],
      ['cut to half', (file, sizeBytes) => truncate(file, sizeBytes / 2)],
      ['cut within its first page', (file) => truncate(file, 100)],
      ['of zeros', (file, sizeBytes) => writeFile(file, Buffer.alloc(sizeBytes))],
      ['of garbage', (file, sizeBytes) => writeFile(file, Buffer.alloc(sizeBytes, 'not a database'))],
    ],
    2,
  ),
)('a database that is %s is damaged, and ends no server', async (_, damage) => {
  const { home, run_id, file } = await endedRun();
  const { size } = await stat(file);
  expect(size).toBeGreaterThan(100 * 1024);
  expect(await seenElsewhere(home, run_id)).toBe('completed');
  await damage(file, size);
  for (const rest of ['-wal', '-shm']) await rm(`${file}${rest}`, { force: true });
  const seen = await seenElsewhere(home, run_id, 'get', 'page', 'list');
  expect(seen).toBe('store_corrupt store_corrupt store_corrupt');
});

it.each<[string, (file: string) => Promise<unknown>]>([
  ['folder', (file) => mkdir(file)],
  ['link', (file) => symlink('/dev/null', file)],
])('a %s in the place of a file of the database is not opened', async (_, plant) => {
  for (const end of ['', '-wal', '-shm']) {
    const { home, run_id, file } = await endedRun();
    await rm(`${file}${end}`, { force: true });
    await plant(`${file}${end}`);
    expect(await seenElsewhere(home, run_id)).toBe('store_read_failed');
  }
});

it('a home of an earlier build says what to do', async () => {
  const { runs, home } = await setUp();
  await mkdir(join(home, 'runs'));
  await expect(runs.list({ count: 1 })).rejects.toMatchObject({
    code: 'store_corrupt',
    hint: expect.stringContaining('remove'),
  });
});
