import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { bundleProgram } from '../../support/bundle-program.ts';
import {
  committedPages,
  dumpRun,
  findRun,
  LONG_WAIT,
  graphStart,
  openGraphRuns,
} from '../../support/runs-graph.ts';
import { codeOf } from '../../support/code-of.ts';
import { temporaryHome } from '../../support/home.ts';

const DEADLINE_MS = 60_000;

const programPath = await bundleProgram(new URL('../../support/runs-program.ts', import.meta.url));

interface Said {
  readonly done?: number;
  readonly run_id?: string;
  readonly ended?: string;
  readonly refused?: string;
}

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
  /** Lines that had left the process. */
  readonly said: readonly Said[];
}

function start(
  command: readonly string[],
  onRun: (kill: () => void) => void = () => undefined,
): Promise<Ended> {
  return new Promise((done, fail) => {
    const [file = '', ...args] = command;
    // One thread for files, since strace counts calls per thread.
    const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };
    const child = spawn(file, args, { env, timeout: DEADLINE_MS, killSignal: 'SIGKILL' });
    const texts = { stdout: '', stderr: '' };
    child.on('error', fail);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (texts.stdout === '') onRun(() => child.kill('SIGKILL'));
      texts.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.stderr += text));
    child.on('close', (code, signal) => {
      const lines = texts.stdout.split('\n').slice(0, -1);
      done({ code, signal, stderr: texts.stderr, said: lines.map((line) => JSON.parse(line)) });
    });
  });
}

type Graph = Parameters<typeof graphStart>[0];

const program = (home: string, { pages, size, at_once }: Graph, command = 'work'): string[] => [
  process.execPath,
  programPath,
  ...[command, home, pages, size, at_once].map(String),
];

/** strace that does something to the `at`th of one system call. */
const disturbed = (call: string, action: string, at: number, command: readonly string[]): string[] => [
  ...['strace', '-f', '-qq', '-o', '/dev/null', '-e', `trace=${call}`],
  ...['-e', `inject=${call}:${action}:when=${at}`],
  ...command,
];

/** What an undisturbed run produces. */
async function undisturbed(graph: Graph) {
  const home = await temporaryHome();
  const runs = openGraphRuns(home);
  const { run_id } = await runs.start(graphStart(graph));
  await runs.wait(run_id, LONG_WAIT);
  await runs.close();
  return dumpRun(home, run_id);
}

/** Every page that was answered is there, once; a cut line was not an answer. */
async function expectAnswered(home: string, { said }: Ended): Promise<string | undefined> {
  const runs = openGraphRuns(home);
  const runId = await findRun(home, runs);
  const answered = said.flatMap(({ done }) => (done === undefined ? [] : [done]));
  const pages = runId === undefined ? [] : await committedPages(runs, runId);
  expect(new Set(pages).size).toBe(pages.length);
  expect(answered.filter((page) => !pages.includes(page))).toEqual([]);
  if (said.some(({ run_id }) => run_id !== undefined)) expect(runId).toBeDefined();
  await runs.close();
  return runId;
}

/** Resumes a killed run, in a separate server, to its end. */
async function finish(home: string, runId: string): Promise<void> {
  const runs = openGraphRuns(home);
  const { status } = await runs.get(runId);
  if (status !== 'completed') await runs.wait((await runs.resume(runId)).run_id, LONG_WAIT);
  await runs.close();
}

// The calls of a whole run, from the making of its folder to the sealing of its items.
it.each([
  ['pwrite64', 20],
  ['writev', 6],
  ['fdatasync', 12],
  ['fsync', 6],
  ['mkdir', 4],
  ['unlink', 1],
  ['rename', 3],
])(
  'kill -9 at every %s loses nothing and does nothing twice',
  { timeout: 240_000 },
  async (call, atLeast) => {
    const graph = { pages: 6, size: 3_000, at_once: 2 };
    const expected = await undisturbed(graph);
    let at = 1;
    for (; ; at += 1) {
      const home = await temporaryHome();
      const ended = await start(disturbed(call, 'signal=KILL', at, program(home, graph)));
      const runId = await expectAnswered(home, ended);
      if (runId !== undefined) {
        await finish(home, runId);
        expect(await dumpRun(home, runId)).toEqual(expected);
      }
      if (ended.code === 0) break;
      expect(ended.signal).toBe('SIGKILL');
    }
    expect(at - 1).toBeGreaterThanOrEqual(atLeast);
  },
);

/** Of one run. */
const KILLS = 6;

it(
  'kill -9 at any moment, again and again, comes to what an undisturbed run comes to',
  { timeout: 240_000 },
  async () => {
    const graph = { pages: 200, size: 4_000, at_once: 8 };
    const expected = await undisturbed(graph);
    for (let round = 0; round < 2; round += 1) {
      const home = await temporaryHome();
      // The last time it is left alone: on a busy machine a process may die each time before it came further.
      for (let kills = 0; ; kills += 1) {
        const delayMs = randomInt(60);
        const endIt = (kill: () => void): void => void (kills < KILLS && delay(delayMs).then(kill));
        const ended = await start(program(home, graph), endIt);
        const runId = await expectAnswered(home, ended);
        const isDone = ended.said.some(({ ended: status }) => status !== undefined);
        if (!isDone) continue;
        expect(await dumpRun(home, runId ?? '')).toEqual(expected);
        break;
      }
    }
  },
);

it('a run of another server is seen and paged, and not touched; when that server dies it resumes here', async () => {
  // More than are read before it is killed, however slow this process is.
  const graph = { pages: 100_000, size: 4_000, at_once: 4 };
  const home = await temporaryHome();
  let kill: () => void = () => undefined;
  const ended = start(program(home, graph), (killProgram) => (kill = killProgram));
  const runs = openGraphRuns(home);
  let runId: string | undefined;
  await expect.poll(async () => (runId = await findRun(home, runs))).toBeDefined();
  const id = runId ?? '';
  await expect.poll(async () => (await runs.get(id)).items).toBeGreaterThan(20);
  const before = await runs.get(id);
  expect(before).toMatchObject({ status: 'running', output_handle: null });
  expect((await runs.page({ runId: id, offset: 0, limit: 3 })).returned).toBe(3);
  expect(await runs.wait(id, LONG_WAIT)).toBeNull();
  expect(await codeOf(runs.resume(id))).toBe('run_busy');
  expect(await codeOf(runs.cancel(id, 'a test'))).toBe('run_busy');
  await expect.poll(async () => (await runs.get(id)).items).toBeGreaterThan(before.items);
  kill();
  expect((await ended).signal).toBe('SIGKILL');
  expect(await runs.get(id)).toMatchObject({ status: 'interrupted' });
  const { items } = await runs.get(id);
  await runs.resume(id);
  await expect.poll(async () => (await runs.get(id)).items).toBeGreaterThan(items + 20);
  expect(await runs.cancel(id, 'a test')).toMatchObject({ status: 'cancelled' });
  const pages = await committedPages(runs, id);
  expect(new Set(pages).size).toBe(pages.length);
  await runs.close();
});

it.each([
  ['writev', 'EIO'],
  ['writev', 'ENOSPC'],
  ['fdatasync', 'EIO'],
  ['fsync', 'EIO'],
  ['mkdir', 'EACCES'],
])(
  '%s failing with %s at any call costs at most that run its end',
  { timeout: 240_000 },
  async (call, error) => {
    const graph = { pages: 6, size: 3_000, at_once: 2 };
    const expected = await undisturbed(graph);
    for (let at = 1; at < 60; at += 3) {
      const home = await temporaryHome();
      const ended = await start(disturbed(call, `error=${error}`, at, program(home, graph, 'faulty')));
      expect(ended, ended.stderr).toMatchObject({ code: 0 });
      const { ended: status, refused } = ended.said.at(-1) ?? {};
      if (refused !== undefined) expect(refused).toMatch(/^store_(full|write_failed)$/);
      const runId = await expectAnswered(home, ended);
      if (runId !== undefined) {
        await finish(home, runId);
        expect(await dumpRun(home, runId)).toEqual(expected);
      }
      if (status === 'completed') break;
    }
  },
);

it.each([
  ['openat', 'EIO', 'data.mdb'],
  ['openat', 'EMFILE', 'data.mdb'],
  ['pread64', 'EIO', 'data.mdb'],
  ['openat', 'EIO', 'lock.mdb'],
  ['openat', 'EACCES', 'lock.mdb'],
])('%s failing with %s for %s of a run ends no process', async (call, error, file) => {
  const home = await temporaryHome();
  const graph = { pages: 1, size: 10, at_once: 1 };
  const started = await start(program(home, graph));
  const runId = started.said.find(({ run_id }) => run_id !== undefined)?.run_id;
  const path = join(home, 'runs', String(runId), file);
  const look = [process.execPath, programPath, 'look', home, String(runId)];
  const fail = ['strace', '-f', '-qq', '-o', '/dev/null', '-P', path, '-e', `inject=${call}:error=${error}`];
  const refused: unknown = expect.stringMatching(/^store_(full|read_failed)$/);
  expect(await start([...fail, ...look])).toMatchObject({ code: 0, said: [{ refused }] });
  expect(await start(look)).toMatchObject({ code: 0, said: [{ refused: null }] });
});

// Large items fill the disk with the items file, small ones with the environment. What does not fit
// a page of LMDB half is an I/O error to it.
it.each([
  ['3m', { pages: 300, size: 20_000, at_once: 4 }, /^store_full$/],
  ['300k', { pages: 2_000, size: 10, at_once: 8 }, /^store_(full|write_failed)$/],
])(
  'a disk of %s fails the run with its code; with room again it loses nothing',
  async (size, graph, code) => {
    const home = await temporaryHome();
    const script = `mount -t tmpfs -o size=${size},mode=700 none "$1" && shift && exec "$@"`;
    const command = ['unshare', '-rm', 'sh', '-c', script, 'sh', home, ...program(home, graph, 'full')];
    const ended = await start(command);
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    const failed: unknown = expect.stringMatching(code);
    expect(ended.said.at(-1)).toEqual({ failed, ended: 'completed', isWhole: true });
  },
);

it('a disk that is full already refuses the run with its code', async () => {
  const home = await temporaryHome();
  const script = 'mount -t tmpfs -o size=200k,mode=700 none "$1" && shift && exec "$@"';
  const graph = { pages: 6, size: 10, at_once: 2 };
  const command = ['unshare', '-rm', 'sh', '-c', script, 'sh', home, ...program(home, graph, 'faulty')];
  expect(await start(command)).toMatchObject({ code: 0, stderr: '', said: [{ refused: 'store_full' }] });
});
