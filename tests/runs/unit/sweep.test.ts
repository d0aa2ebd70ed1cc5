import { expect, it, vi } from 'vitest';
import { LIMITS } from '../../../shared/base/limits.ts';
import { RunStore } from '../../../server/runs/run-store.ts';
import { codeOf } from '../../support/code-of.ts';
import { DAY_MS, DONE, FakeClock, gate, request, setUp, waiting } from './support.ts';

const TTL_MS = LIMITS.runTtlDays * DAY_MS;

async function homeWithRun(clock: FakeClock) {
  const { runs, home } = await setUp({ clock, work: () => Promise.resolve(DONE) });
  const { run_id } = await runs.start(request());
  await runs.wait(run_id, waiting());
  await runs.close();
  return { home, run_id };
}

async function leftAfterStart(home: string, clock: FakeClock, boot = 'test'): Promise<string[]> {
  const { runs } = await setUp({ home, clock, boot });
  await runs.close();
  return runsIn(home);
}

function runsIn(home: string): string[] {
  const store = new RunStore(home);
  const ids = store.list().map(({ runId }) => runId);
  store.close();
  return ids;
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

it('a running server sweeps every hour, and leaves alone what it works on', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const clock = new FakeClock();
  const { open, opened } = gate();
  const work = vi.fn((args: object) => ('hold' in args ? opened.then(() => DONE) : Promise.resolve(DONE)));
  const { runs, home } = await setUp({ clock, work });
  const start = async (args = {}): Promise<string> => (await runs.start(request(args))).run_id;
  await runs.wait(await start(), waiting());
  const held = [await start({ hold: 1 }), await start({ hold: 2 }), await start({ hold: 3 })];
  await expect.poll(() => work.mock.calls).toHaveLength(3);
  clock.pass(TTL_MS);
  vi.advanceTimersByTime(3_600_000);
  await expect.poll(() => runsIn(home)).toEqual(held.toReversed());
  open();
  for (const runId of held) expect((await runs.wait(runId, waiting()))?.view.status).toBe('completed');
  await runs.close();
  expect(vi.getTimerCount()).toBe(0);
});
