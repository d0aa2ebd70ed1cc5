import { expect, it } from 'vitest';
import { temporaryHome } from '../../support/home.ts';
import {
  answerOf,
  asLines,
  killedSoon,
  onDisk,
  runProgram,
  startOf,
  traced,
  type Wreck,
} from '../../support/traced.ts';

const LONG = { timeout: 120_000 };
const [ledger, store, runs] = await Promise.all(
  ['ledger-program.ts', 'store-program.ts', 'runs-program.ts'].map(startOf),
);
if (ledger === undefined || store === undefined || runs === undefined) throw new Error('no program');

it.each([
  ['a ledger', ledger],
  ['a store', store],
])('kill -9 at any moment loses nothing that %s has taken', LONG, async (_what, node) => {
  const wrecks: Wreck[] = [];
  for (let round = 0; round < 25; round += 1) {
    const home = await temporaryHome();
    const { signal, said } = await killedSoon(node('endless', home));
    expect(signal).toBe('SIGKILL');
    wrecks.push({ home, said });
  }
  expect(wrecks.every(({ said }) => said.length > 0)).toBe(true);
  expect(await answerOf(node('verify'), asLines(wrecks))).toEqual({ homes: wrecks.length, problems: {} });
});

it('a folder that became read-only refuses acts', async () => {
  const home = await temporaryHome();
  expect(await answerOf(onDisk('ro,mode=500', home, ledger('faulty', home)))).toEqual({
    refused: Array(8).fill('ledger_unavailable'),
    acknowledged: 0,
    problems: [],
  });
});

it('a disk that does not answer refuses acts instead of holding them', async () => {
  const home = await temporaryHome();
  const command = traced('fdatasync', 'delay_enter=2s', 1, ledger('slow', home));
  expect(await answerOf(command)).toEqual({ refused: 'ledger_unavailable' });
});

it('four servers keep and sweep what expires at the same time', LONG, async () => {
  const home = await temporaryHome();
  const racers = Array.from({ length: 4 }, () =>
    answerOf<{ kept: number; problems: string[] }>(store('keep-race', home, '40')),
  );
  const answers = await Promise.all(racers);
  expect(answers.flatMap(({ problems }) => problems)).toEqual([]);
  expect(answers.reduce((sum, { kept }) => sum + kept, 0)).toBeGreaterThan(0);
});

it('a disk that is full already refuses a run with its code', async () => {
  const home = await temporaryHome();
  const ended = await runProgram(onDisk('size=200k,mode=700', home, runs('faulty', home, '6', '10', '2')));
  expect(ended).toMatchObject({ code: 0, stderr: '', said: [{ refused: 'store_full' }] });
});
