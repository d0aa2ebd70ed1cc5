import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { bundleProgram } from '../../support/bundle-program.ts';
import { temporaryHome } from '../../support/home.ts';
import { runProgram, traced, type Ended, type RunOptions } from '../../support/traced.ts';

const DEADLINE_MS = 110_000;

const program = await bundleProgram(new URL('../../support/store-program.ts', import.meta.url));

const run = (command: readonly string[], options?: RunOptions): Promise<Ended> =>
  runProgram(command, { ...options, deadlineMs: DEADLINE_MS });

const node = (...args: string[]): string[] => [process.execPath, program, ...args];

async function answerOf<T>(command: readonly string[], options?: RunOptions): Promise<T> {
  const { code, stdout, stderr } = await run(command, options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** A store after its server died, with the answers that had left it. */
interface Wreck {
  readonly home: string;
  readonly answered: readonly object[];
}

/** A line that was cut off by the death is not an answer. */
const wreckOf = (home: string, { stdout }: Ended): Wreck => ({
  home,
  answered: stdout
    .slice(0, stdout.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line)),
});

/** Checked by a process of its own, as the next server would see it. */
async function expectWhole(wrecks: readonly Wreck[]): Promise<void> {
  const stdin = wrecks.map((wreck) => JSON.stringify(wreck)).join('\n');
  expect(await answerOf(node('verify'), { stdin })).toEqual({ homes: wrecks.length, problems: {} });
}

/** Opened before the outputs are written, so that the `openat`s of Node's own start are not counted. */
const OPENS = 100;

// Three outputs: blocks, index and metas; an fsync a file and two of the folder; a rename a file.
it.each([
  ['pwrite64', 0, 8],
  ['fsync', 0, 13],
  ['rename', 0, 7],
  ['mkdir', 0, 3],
  ['unlink', 0, 3],
  ['openat', OPENS, 25],
])(
  'kill -9 at every %s leaves whole outputs or none',
  { timeout: 120_000 },
  async (call, before, atLeast) => {
    const wrecks: Wreck[] = [];
    for (;;) {
      const home = await temporaryHome();
      if (call === 'unlink') await run(node('expired', home));
      const at = before + wrecks.length + 1;
      const ended = await run(traced(call, 'signal=KILL', at, node('write', home, String(before))));
      wrecks.push(wreckOf(home, ended));
      if (ended.code === 0) break;
      expect(ended.signal).toBe('SIGKILL');
    }
    expect(wrecks.at(-1)?.answered).toHaveLength(3);
    expect(wrecks.length - 1).toBeGreaterThanOrEqual(atLeast);
    await expectWhole(wrecks);
  },
);

it('kill -9 at any moment leaves whole outputs or none', { timeout: 120_000 }, async () => {
  const wrecks: Wreck[] = [];
  for (let round = 0; round < 25; round += 1) {
    const home = await temporaryHome();
    const delayMs = randomInt(60);
    const ended = await run(node('endless', home), { onOutput: (kill) => void delay(delayMs).then(kill) });
    expect(ended.signal).toBe('SIGKILL');
    wrecks.push(wreckOf(home, ended));
  }
  await expectWhole(wrecks);
});

it.each([
  ['pwrite64', 'ENOSPC', 'store_full'],
  ['fsync', 'EIO', 'store_write_failed'],
  ['rename', 'EROFS', 'store_write_failed'],
])(
  '%s failing with %s at any call refuses that output alone',
  { timeout: 120_000 },
  async (call, error, code) => {
    for (let at = 1; ; at += 1) {
      const home = await temporaryHome();
      const faulty = traced(call, `error=${error}`, at, node('faulty', home));
      const answer = await answerOf<{ refused: string[] }>(faulty);
      if (answer.refused.length === 0) {
        expect(at).toBeGreaterThan(8);
        break;
      }
      expect(answer).toEqual({ refused: [code], answered: 3, problems: [] });
    }
  },
);

it.each([
  ['pwrite64', 'EDQUOT', 'store_full'],
  ['pwrite64', 'EFBIG', 'store_full'],
  ['fsync', 'EDQUOT', 'store_full'],
  ['mkdir', 'EACCES', 'store_write_failed'],
  ['rename', 'EIO', 'store_write_failed'],
])('%s failing with %s has its code', async (call, error, code) => {
  const home = await temporaryHome();
  const answer = await answerOf(traced(call, `error=${error}`, 1, node('faulty', home)));
  expect(answer).toEqual({ refused: [code], answered: 3, problems: [] });
});

it('a full disk refuses what does not fit, and takes it when there is room again', async () => {
  const home = await temporaryHome();
  const script = 'mount -t tmpfs -o size=1m,mode=700 none "$1" && shift && exec "$@"';
  const command = ['unshare', '-rm', 'sh', '-c', script, 'sh', home, ...node('full', home)];
  expect(await answerOf(command)).toEqual({ refused: ['store_full', 'store_full'], problems: [] });
});

it('eight servers share one store, with sweeps, evictions and kills', { timeout: 120_000 }, async () => {
  const home = await temporaryHome();
  const racers = Array.from({ length: 8 }, (_, id) => run(node('race', home, `s${id}`, '40')));
  const victims = Array.from({ length: 4 }, () =>
    run(node('endless', home), { onOutput: (kill) => void delay(randomInt(200)).then(kill) }),
  );
  for (const victim of await Promise.all(victims)) expect(victim.signal).toBe('SIGKILL');
  let whole = 0;
  for (const { code, stdout, stderr } of await Promise.all(racers)) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const answer: { whole: number; problems: string[] } = JSON.parse(stdout);
    expect(answer.problems).toEqual([]);
    whole += answer.whole;
  }
  expect(whole).toBeGreaterThan(0);
  expect(await answerOf(node('verify-empty', home))).toEqual({ problems: [] });
});

it.each([
  ['link', 3],
  ['rename', 4],
  ['fsync', 8],
  ['pwrite64', 4],
  ['mkdir', 2],
])(
  'kill -9 at every %s of keeping leaves a kept output or none',
  { timeout: 120_000 },
  async (call, atLeast) => {
    const wrecks: Wreck[] = [];
    for (;;) {
      const home = await temporaryHome();
      const ended = await run(traced(call, 'signal=KILL', wrecks.length + 1, node('kept', home)));
      wrecks.push(wreckOf(home, ended));
      if (ended.code === 0) break;
      expect(ended.signal).toBe('SIGKILL');
    }
    expect(wrecks.at(-1)?.answered).toHaveLength(2);
    expect(wrecks.length - 1).toBeGreaterThanOrEqual(atLeast);
    const stdin = wrecks.map((wreck) => JSON.stringify(wreck)).join('\n');
    expect(await answerOf(node('verify-kept'), { stdin })).toEqual({ problems: [] });
  },
);

it('four servers keep and sweep what expires at the same time', { timeout: 120_000 }, async () => {
  const home = await temporaryHome();
  const racers = Array.from({ length: 4 }, () =>
    answerOf<{ kept: number; problems: string[] }>(node('keep-race', home, '40')),
  );
  const answers = await Promise.all(racers);
  expect(answers.flatMap(({ problems }) => problems)).toEqual([]);
  expect(answers.reduce((sum, { kept }) => sum + kept, 0)).toBeGreaterThan(0);
});

it('an output of 512 MiB takes less than 64 MiB of memory', { timeout: 120_000 }, async () => {
  const home = await temporaryHome();
  const answer = await answerOf<{ growthBytes: number }>(node('large', home, '512'));
  expect(answer).toMatchObject({ sizeBytes: 512 * 1024 * 1024, isRight: true });
  expect(answer.growthBytes).toBeLessThan(64 * 1024 * 1024);
});
