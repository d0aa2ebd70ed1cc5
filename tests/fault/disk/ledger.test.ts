import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { bundleProgram } from '../../support/bundle-program.ts';
import { temporaryHome } from '../../support/home.ts';
import { runProgram, traced, type Ended, type RunOptions } from '../../support/traced.ts';

const DEADLINE_MS = 110_000;

const program = await bundleProgram(new URL('../../support/ledger-program.ts', import.meta.url));

const run = (command: readonly string[], options?: RunOptions): Promise<Ended> =>
  runProgram(command, { ...options, deadlineMs: DEADLINE_MS });
const node = (...args: string[]): string[] => [process.execPath, program, ...args];

async function answerOf<T>(command: readonly string[], options?: RunOptions): Promise<T> {
  const { code, stdout, stderr } = await run(command, options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** A ledger after its server died, with what had been acknowledged. */
interface Wreck {
  readonly home: string;
  readonly acknowledged: readonly object[];
}

/** A line that was cut off by the death was not heard. */
const wreckOf = (home: string, { stdout }: Ended): Wreck => ({
  home,
  acknowledged: stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line)),
});

/** Every acknowledged line is there, and nothing looks as if someone had tampered with it. */
async function expectSound(wrecks: readonly Wreck[]): Promise<void> {
  const stdin = wrecks.map((wreck) => JSON.stringify(wreck)).join('\n');
  expect(await answerOf(node('verify'), { stdin })).toEqual({ homes: wrecks.length, problems: {} });
}

/** Opened before the first line is written, so that the `openat`s of Node's own start are not counted. */
const OPENS = 100;

// Key, head and chain are begun; then three acts and three outcomes, each a write, a sync and a head.
it.each([
  ['pwrite64', 0, 16],
  ['fdatasync', 0, 9],
  ['fsync', 0, 5],
  ['rename', 0, 1],
  ['link', 0, 1],
  ['mkdir', 0, 2],
  ['unlink', 0, 1],
  ['openat', OPENS, 10],
])(
  'kill -9 at every %s loses no acknowledged line, and the next server continues',
  { timeout: 120_000 },
  async (call, before, atLeast) => {
    const wrecks: Wreck[] = [];
    for (;;) {
      const home = await temporaryHome();
      const at = before + wrecks.length + 1;
      const ended = await run(traced(call, 'signal=KILL', at, node('write', home, String(before))));
      const next = await run(node('write', home, '0'));
      expect(next).toMatchObject({ code: 0, stderr: '' });
      const [killed, after] = [wreckOf(home, ended), wreckOf(home, next)];
      wrecks.push({ home, acknowledged: [...killed.acknowledged, ...after.acknowledged] });
      if (ended.code === 0) break;
      expect(ended.signal).toBe('SIGKILL');
    }
    expect(wrecks.at(-1)?.acknowledged).toHaveLength(12);
    expect(wrecks.length - 1).toBeGreaterThanOrEqual(atLeast);
    await expectSound(wrecks);
  },
);

it('kill -9 at any moment loses no acknowledged line', { timeout: 120_000 }, async () => {
  const wrecks: Wreck[] = [];
  for (let round = 0; round < 25; round += 1) {
    const home = await temporaryHome();
    const delayMs = randomInt(60);
    const ended = await run(node('endless', home), { onOutput: (kill) => void delay(delayMs).then(kill) });
    expect(ended.signal).toBe('SIGKILL');
    wrecks.push(wreckOf(home, ended));
  }
  expect(wrecks.every(({ acknowledged }) => acknowledged.length > 0)).toBe(true);
  await expectSound(wrecks);
});

it.each([
  ['pwrite64', 'error=ENOSPC'],
  ['fdatasync', 'error=EIO'],
  ['fsync', 'error=EIO'],
  ['mkdir', 'error=EROFS'],
  ['rename', 'error=EACCES'],
])(
  '%s with %s at any call refuses that act alone, and loses nothing',
  { timeout: 120_000 },
  async (call, action) => {
    for (let at = 1; ; at += 1) {
      const home = await temporaryHome();
      const answer = await answerOf<{ refused: string[] }>(traced(call, action, at, node('faulty', home)));
      if (answer.refused.length === 0) {
        expect(at).toBeGreaterThan(1);
        break;
      }
      expect(answer).toEqual({ refused: ['ledger_unavailable'], acknowledged: 7, problems: [] });
    }
  },
);

/** What a sync is of. */
const syncedOf = (path = ''): string[] => {
  if (path.endsWith('.jsonl')) return ['synced'];
  return path.endsWith('/ledger') ? ['folder synced'] : [];
};

/** What strace saw, by the time at which each write begins and each sync ends. */
function orderOf(log: string): string[] {
  // A call takes two lines where another thread's are between its begin and its end.
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
  const strace = ['strace', '-f', '-qq', '-y', '-s', '40', '-o', log];
  const calls = [
    '-e',
    'trace=write,pwrite64,fsync,fdatasync',
    '-e',
    'inject=fsync,fdatasync:delay_exit=20ms',
  ];
  // With one thread for files, each call would wait for the one before.
  const { code } = await run([
    'env',
    'UV_THREADPOOL_SIZE=4',
    ...strace,
    ...calls,
    ...node('write', home, '0'),
  ]);
  expect(code).toBe(0);
  const each = ['written', 'synced', 'acknowledged'];
  const begun = ['written', 'synced', 'folder synced'];
  expect(orderOf(await readFile(log, 'utf8'))).toEqual([...begun, ...Array(6).fill(each).flat()]);
});

it('a line that the disk took in part is refused, and its torn end is not damage', async () => {
  const home = await temporaryHome();
  // Files may have 3,072 bytes, some lines: what crosses that is cut there.
  const command = ['sh', '-c', 'ulimit -f 6 && exec "$@"', 'sh', ...node('faulty', home)];
  const { refused, acknowledged, problems } = await answerOf<{
    refused: string[];
    acknowledged: number;
    problems: string[];
  }>(command);
  expect(problems).toEqual([]);
  // A failure ends a chain, and the next act begins another.
  expect(new Set(refused)).toEqual(new Set(['ledger_unavailable']));
  expect(acknowledged + refused.length).toBe(8);
  const { torn } = await answerOf<{ torn: number }>(node('torn', home));
  expect(torn).toBeGreaterThan(0);
});

it('a full disk refuses acts, and takes them when there is room again', async () => {
  const home = await temporaryHome();
  const script = 'mount -t tmpfs -o size=1m,mode=700 none "$1" && shift && exec "$@"';
  const command = ['unshare', '-rm', 'sh', '-c', script, 'sh', home, ...node('full', home)];
  expect(await answerOf(command)).toEqual({ refused: Array(3).fill('ledger_unavailable'), problems: [] });
});

it('a folder that became read-only refuses acts', async () => {
  const home = await temporaryHome();
  const script = 'mount -t tmpfs -o ro,mode=500 none "$1" && shift && exec "$@"';
  const command = ['unshare', '-rm', 'sh', '-c', script, 'sh', home, ...node('faulty', home)];
  expect(await answerOf(command)).toEqual({
    refused: Array(8).fill('ledger_unavailable'),
    acknowledged: 0,
    problems: [],
  });
});

it('a disk that does not answer refuses acts instead of holding them', async () => {
  const home = await temporaryHome();
  const command = traced('fdatasync', 'delay_enter=2s', 1, node('slow', home));
  expect(await answerOf(command)).toEqual({ refused: 'ledger_unavailable' });
});

it('eight servers write one ledger while others are killed', { timeout: 120_000 }, async () => {
  const home = await temporaryHome();
  const racers = Array.from({ length: 8 }, (_, id) => run(node('race', home, `s${id}`, '200')));
  const victims = Array.from({ length: 4 }, () =>
    run(node('endless', home), { onOutput: (kill) => void delay(randomInt(200)).then(kill) }),
  );
  // A check that runs meanwhile finds nothing.
  let isRacing = true;
  const looking = (async () => {
    const seen: unknown[] = [];
    while (isRacing) seen.push(await answerOf(node('look', home)));
    return seen;
  })();
  const ended = [...(await Promise.all(victims)), ...(await Promise.all(racers))];
  isRacing = false;
  expect(new Set((await looking).map((report) => JSON.stringify(report)))).toEqual(
    new Set(['{"problems":[]}']),
  );
  expect(ended.map(({ code, signal }) => signal ?? code)).toEqual([
    ...Array(4).fill('SIGKILL'),
    ...Array(8).fill(0),
  ]);
  const acknowledged = ended.flatMap((each) => wreckOf(home, each).acknowledged);
  expect(acknowledged.length).toBeGreaterThan(8 * 200);
  await expectSound([{ home, acknowledged }]);
});
