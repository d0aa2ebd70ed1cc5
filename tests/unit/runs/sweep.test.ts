import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { LIMITS } from '../../../shared/limits.ts';
import { ownProcess } from '../../../server/machine/process-identity.ts';
import { codeOf } from '../../support/code-of.ts';
import { temporaryHome } from '../../support/home.ts';
import { DAY_MS, DONE, FakeClock, gate, request, setUp, waiting } from './support.ts';

const TTL_MS = LIMITS.runTtlDays * DAY_MS;

/** A home with one run that has ended, as of `clock`. */
async function homeWithRun(clock: FakeClock, touchedAt = clock.wall) {
  const { runs, home } = await setUp({ clock, work: () => Promise.resolve(DONE) });
  const { run_id } = await runs.start(request());
  await runs.wait(run_id, waiting());
  await runs.close();
  // The file says when it was written by the machine's clock, which is not the test's.
  await utimes(join(home, 'runs', run_id, 'data.mdb'), touchedAt / 1000, touchedAt / 1000);
  return { home, run_id };
}

/** Runs that are left when the next server has started and swept. */
async function leftAfterStart(home: string, clock: FakeClock, boot = 'test'): Promise<string[]> {
  const { runs } = await setUp({ home, clock, boot });
  await runs.close();
  return foldersIn(home);
}

/** Marks of stopped servers are next to the folders. */
async function foldersIn(home: string): Promise<string[]> {
  return (await readdir(join(home, 'runs'))).filter((name) => !name.startsWith('left-')).toSorted();
}

it('a run that ended a week ago goes, one that is younger stays', async () => {
  const clock = new FakeClock();
  const { home, run_id } = await homeWithRun(clock);
  clock.pass(TTL_MS - 1_000);
  expect(await leftAfterStart(home, clock)).toEqual([run_id]);
  clock.pass(1_000);
  expect(await leftAfterStart(home, clock)).toEqual([]);
  const { runs } = await setUp({ home, clock });
  expect(await codeOf(runs.get(run_id))).toBe('run_not_found');
});

it('what never became a run goes with the server that made it', async () => {
  const home = await temporaryHome();
  const { pid, startTime } = ownProcess();
  const [dead, alive, foreign] = ['run_AAAAAAAAAAAA', 'run_BBBBBBBBBBBB', 'notes'];
  for (const name of [dead, alive, foreign]) await mkdir(join(home, 'runs', name), { recursive: true });
  await writeFile(join(home, 'runs', dead, `new-${pid}-${startTime}1`), '');
  await writeFile(join(home, 'runs', alive, `new-${pid}-${startTime}`), '');
  await writeFile(join(home, 'runs', 'run_CCCCCCCCCCCC'), 'a file where a folder should be');
  const left = await leftAfterStart(home, new FakeClock());
  expect(left.sort()).toEqual([foreign, alive, 'run_CCCCCCCCCCCC'].sort());
  const { runs } = await setUp({ home });
  for (const id of [dead, alive, 'run_CCCCCCCCCCCC'])
    expect(await codeOf(runs.get(id))).toBe('run_not_found');
});

it('a running server sweeps every hour, and leaves alone what it works on', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const clock = new FakeClock();
  const { open, opened } = gate();
  const work = vi.fn((args: object) => ('hold' in args ? opened.then(() => DONE) : Promise.resolve(DONE)));
  const { runs, home } = await setUp({ clock, work });
  const start = async (args = {}): Promise<string> => (await runs.start(request(args))).run_id;
  const ended = await start();
  await runs.wait(ended, waiting());
  const held = [await start({ hold: 1 }), await start({ hold: 2 }), await start({ hold: 3 })];
  await expect.poll(() => work.mock.calls).toHaveLength(3);
  for (const runId of [ended, ...held]) {
    const at = clock.wall / 1000;
    await utimes(join(home, 'runs', runId, 'data.mdb'), at, at);
  }
  clock.pass(TTL_MS);
  vi.advanceTimersByTime(3_600_000);
  await expect.poll(() => foldersIn(home)).toEqual(held.toSorted());
  open();
  for (const runId of held) expect((await runs.wait(runId, waiting()))?.view.status).toBe('completed');
  await runs.close();
  expect(vi.getTimerCount()).toBe(0);
});
