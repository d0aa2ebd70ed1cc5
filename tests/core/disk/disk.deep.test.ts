import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryHome } from '../../support/home.ts';
import {
  expectAnswered,
  expectFinishes,
  node,
  program,
  undisturbed,
  type Line,
} from '../../support/runs-checks.ts';
import {
  answerOf,
  expectSound,
  killedSoon,
  onDisk,
  runProgram,
  startOf,
  traced,
  type Wreck,
} from '../../support/traced.ts';

const ledger = await startOf(new URL('../../support/ledger-program.ts', import.meta.url));
const store = await startOf(new URL('../../support/store-program.ts', import.meta.url));

it.each([
  ['a ledger', ledger],
  ['a store', store],
])('kill -9 at any moment loses nothing that %s has taken', async (_what, taking) => {
  const wrecks: Wreck[] = [];
  for (let round = 0; round < 25; round += 1) {
    const home = await temporaryHome();
    const { signal, lines } = await killedSoon(taking('endless', home));
    expect(signal).toBe('SIGKILL');
    wrecks.push({ home, lines });
  }
  expect(wrecks.every(({ lines }) => lines.length > 0)).toBe(true);
  await expectSound(taking, wrecks);
});

it('a disk that does not answer refuses acts instead of holding them', async () => {
  const home = await temporaryHome();
  const command = traced('fdatasync', 'delay_enter=2s', 1, ledger('slow', home));
  expect(await answerOf(command)).toEqual({ refused: 'ledger_unavailable' });
});

it('a disk that is full already refuses a run with its code', async () => {
  const home = await temporaryHome();
  const ended = await runProgram(onDisk('size=64k,mode=700', home, node('faulty', home, '6', '10', '2')));
  expect(ended).toMatchObject({ code: 0, stderr: '', lines: [{ refused: 'store_full' }] });
});

it('a large output takes less than 64 MiB of memory', async () => {
  const home = await temporaryHome();
  const mebibytes = 512;
  const answer = await answerOf<{ growthBytes: number }>(store('large', home, String(mebibytes)));
  expect(answer).toMatchObject({ sizeBytes: mebibytes * 1024 * 1024, isRight: true });
  expect(answer.growthBytes).toBeLessThan(64 * 1024 * 1024);
});

it('after kill -9 at any moment, repeatedly, a run ends as an undisturbed one', async () => {
  const graph = { pages: 200, size: 4_000, at_once: 8 };
  const expected = await undisturbed(graph);
  for (let round = 2; round > 0; round -= 1) {
    const home = await temporaryHome();
    // The last run is undisturbed: on a busy machine a process may die each time before making progress.
    for (let kills = 6; kills >= 0; kills -= 1) {
      const command = program(home, graph);
      const { lines } = await (kills > 0 ? killedSoon(command) : runProgram(command));
      await expectAnswered(home, lines);
      if (kills === 0) await expectFinishes(home, lines, expected);
    }
  }
});

const UNREADABLE = [
  ['openat', 'EIO', 'home.db'],
  ['pread64', 'EIO', 'home.db'],
  ['openat', 'EACCES', 'home.db-wal'],
  ['openat', 'EIO', 'home.db-wal'],
  ['openat', 'EMFILE', 'home.db'],
] as const;
it.each(UNREADABLE)('%s failing with %s for %s of a run ends no process', async (call, error, file) => {
  const home = await temporaryHome();
  const { lines } = await runProgram(program(home, { pages: 1, size: 10, at_once: 1 }));
  const runId = (lines as readonly Line[]).find(({ run_id }) => run_id !== undefined)?.run_id;
  const path = join(home, file);
  const look = node('look', home, String(runId));
  const fail = [
    ...['strace', '-f', '-qq', '-o', '/dev/null'],
    ...['-P', path, '-e', `inject=${call}:error=${error}`],
  ];
  // SQLite takes a page that the disk does not return for a damaged one.
  const refused: unknown = expect.stringMatching(/^store_(full|read_failed|corrupt)$/);
  expect(await runProgram([...fail, ...look])).toMatchObject({ code: 0, lines: [{ refused }] });
  expect(await runProgram(look)).toMatchObject({ code: 0, lines: [{ refused: null }] });
});
