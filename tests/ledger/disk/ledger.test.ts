import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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

const node = await startOf(new URL('../../support/ledger-program.ts', import.meta.url));

/** Opened before the first line is written, so that the `openat`s of Node's own start are not counted. */
const OPENS = 100;

// Key, head and chain are begun; then three acts and three outcomes, each a write, a sync and a head.
const KILLS = [
  ['pwrite64', 0, 16],
  ['fsync', 0, 5],
  ['mkdir', 0, 2],
  ['unlink', 0, 1],
  ['fdatasync', 0, 9],
  ['rename', 0, 1],
  ['link', 0, 1],
  ['openat', OPENS, 10],
] as const;
it.each(sample(KILLS, 8))('kill -9 at every %s loses no acknowledged line', async (call, before, least) => {
  const command = (home: string) => node('write', home, String(before));
  await expectSound(node, await killAtEvery({ call, before, atLeast: least, command }));
});

const FAULTS = [
  ['pwrite64', 'error=ENOSPC'],
  ['fsync', 'error=EIO'],
  ['rename', 'error=EACCES'],
  ['fdatasync', 'error=EIO'],
  ['mkdir', 'error=EROFS'],
] as const;
it.each(sample(FAULTS, 5))('%s with %s at any call refuses that act alone', async (call, action) => {
  for (let at = 1; at <= rounds(Infinity, 1); at += 1) {
    const home = await temporaryHome();
    const answer = await answerOf<{ refused: string[] }>(traced(call, action, at, node('faulty', home)));
    if (at > 1 && answer.refused.length === 0) break;
    expect(answer).toEqual({ refused: ['ledger_unavailable'], acknowledged: 7, problems: [] });
  }
});

const syncedOf = (path = ''): string[] => {
  if (path.endsWith('.jsonl')) return ['synced'];
  return path.endsWith('/ledger') ? ['folder synced'] : [];
};

function orderOf(log: string): string[] {
  // Another thread may interleave, and a call then takes two lines.
  const begun = new Map<string, string>();
  return log.split('\n').flatMap((line) => {
    const [, thread = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (/^write\(1<.*\{\\"(?:chain|outcome)/.test(text)) return ['acknowledged'];
    if (/^pwrite64\(\d+<[^>]+\.jsonl>/.test(text)) return ['written'];
    if (/^<\.\.\. f(?:data)?sync resumed>/.test(text)) return syncedOf(begun.get(thread));
    const [, path = '', rest = ''] = /^f(?:data)?sync\(\d+<([^>]+)>(.*)$/.exec(text) ?? [];
    if (!rest.includes('<unfinished')) return syncedOf(path);
    begun.set(thread, path);
    return [];
  });
}

it('no line is acknowledged before it is synced, nor the first before its folder is', async () => {
  const home = await temporaryHome();
  const log = join(home, 'calls');
  const { code } = await runProgram([
    // With one thread for files, each call would wait for the one before.
    ...['env', 'UV_THREADPOOL_SIZE=4', 'strace', '-f', '-qq', '-y', '-s', '40', '-o', log],
    ...['-e', 'trace=write,pwrite64,fsync,fdatasync', '-e', 'inject=fsync,fdatasync:delay_exit=20ms'],
    ...node('write', home, '0'),
  ]);
  expect(code).toBe(0);
  const each = ['written', 'synced', 'acknowledged'];
  const begun = ['written', 'synced', 'folder synced'];
  expect(orderOf(await readFile(log, 'utf8'))).toEqual([...begun, ...Array(6).fill(each).flat()]);
});

it('a line that the disk took in part is refused, and its torn end is not damage', async () => {
  const home = await temporaryHome();
  // Files may have 3,072 bytes, some lines: a longer write is cut there.
  const command = ['sh', '-c', 'ulimit -f 6 && exec "$@"', 'sh', ...node('faulty', home)];
  const answer = await answerOf<{ refused: string[]; acknowledged: number; problems: string[] }>(command);
  // A failure ends a chain, and the next act begins another.
  expect(new Set(answer.refused)).toEqual(new Set(['ledger_unavailable']));
  expect(answer).toMatchObject({ acknowledged: 8 - answer.refused.length, problems: [] });
  const { torn } = await answerOf<{ torn: number }>(node('torn', home));
  expect(torn).toBeGreaterThan(0);
});

it('a full disk refuses acts until there is room again', async () => {
  const home = await temporaryHome();
  const command = onDisk('size=1m,mode=700', home, node('full', home));
  expect(await answerOf(command)).toEqual({ refused: Array(3).fill('ledger_unavailable'), problems: [] });
});

it('servers write one ledger while others are killed', async () => {
  const home = await temporaryHome();
  const [writers, acts, killed] = [rounds(8, 2), rounds(200, 50), rounds(4, 1)];
  const racers = Array.from({ length: writers }, (_, id) =>
    runProgram(node('race', home, `s${id}`, String(acts))),
  );
  const victims = Array.from({ length: killed }, () => killedSoon(node('endless', home), 200));
  const looked = await answerOf(node('look', home));
  const ended = [...(await Promise.all(victims)), ...(await Promise.all(racers))];
  expect(looked).toEqual({ problems: [] });
  expect(ended.map(({ code, signal }) => signal ?? code)).toEqual([
    ...Array(killed).fill('SIGKILL'),
    ...Array(writers).fill(0),
  ]);
  const lines = ended.flatMap((each) => each.lines);
  expect(lines.length).toBeGreaterThan(writers * acts);
  await expectSound(node, [{ home, lines }]);
});
