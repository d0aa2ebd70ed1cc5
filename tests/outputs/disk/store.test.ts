import { expect, it } from 'vitest';
import { rounds, sample } from '../../support/depth.ts';
import { temporaryHome } from '../../support/home.ts';
import {
  answerOf,
  expectSound,
  killAtEvery,
  killedSoon,
  onDisk,
  runProgram,
  startOf,
  traced,
} from '../../support/traced.ts';

const node = await startOf(new URL('../../support/store-program.ts', import.meta.url));

/** Opened before the outputs are written, so that the `openat`s of Node's own start are not counted. */
const OPENS = 100;

// Three outputs: blocks and an index; an fsync per file and one of the folder; and SQLite's calls for their records.
const KILLS = [
  ['pwrite64', 0, 20],
  ['fsync', 0, 8],
  ['mkdir', 0, 2],
  ['ftruncate', 0, 1],
  ['unlink', 0, 2],
  ['openat', OPENS, 6],
] as const;
it.each(sample(KILLS, 6))('kill -9 at every %s leaves whole outputs or none', async (call, before, least) => {
  const command = (home: string) => node('write', home, String(before));
  const prepare = async (home: string) => call === 'unlink' && runProgram(node('expired', home));
  await expectSound(node, await killAtEvery({ call, before, atLeast: least, command, prepare }));
});

const FAULTS = [
  ['pwrite64', 'ENOSPC', 'store_full'],
  ['pwrite64', 'EDQUOT', 'store_full'],
  ['pwrite64', 'EFBIG', 'store_full'],
  ['mkdir', 'EACCES', 'store_write_failed'],
  ['fsync', 'EIO', 'store_write_failed'],
  ['fsync', 'EDQUOT', 'store_full'],
] as const;
it.each(sample(FAULTS, 6))('%s failing with %s refuses that output alone', async (call, error, code) => {
  for (let at = 1; at <= rounds(Infinity, 1); at += 1) {
    const home = await temporaryHome();
    const faulty = traced(call, `error=${error}`, at, node('faulty', home));
    const answer = await answerOf<{ refused: string[] }>(faulty);
    if (at > 1 && answer.refused.length === 0) break;
    // The call fails once in the file thread, and once in the database thread.
    const { length } = answer.refused;
    expect([1, 2]).toContain(length);
    // SQLite reports a full disk only as ENOSPC.
    for (const refused of answer.refused) expect([code, 'store_write_failed']).toContain(refused);
    expect(answer).toMatchObject({ answered: 4 - length, problems: [] });
  }
});

it('a full disk refuses a large output, and accepts it once there is room', async () => {
  const home = await temporaryHome();
  const command = onDisk('size=1m,mode=700', home, node('full', home));
  expect(await answerOf(command)).toEqual({ refused: ['store_full', 'store_full'], problems: [] });
});

it('servers share one store, with sweeps, evictions and kills', async () => {
  const home = await temporaryHome();
  const racers = Array.from({ length: rounds(8, 2) }, (_, id) =>
    answerOf<{ whole: number; problems: string[] }>(node('race', home, `s${id}`, String(rounds(40, 10)))),
  );
  const victims = Array.from({ length: rounds(4, 1) }, () => killedSoon(node('endless', home), 200));
  for (const victim of await Promise.all(victims)) expect(victim.signal).toBe('SIGKILL');
  const answers = await Promise.all(racers);
  expect(answers.flatMap(({ problems }) => problems)).toEqual([]);
  expect(answers.reduce((sum, { whole }) => sum + whole, 0)).toBeGreaterThan(0);
  expect(await answerOf(node('verify-empty', home))).toEqual({ problems: [] });
});
