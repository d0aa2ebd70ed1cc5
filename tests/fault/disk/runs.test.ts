import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codeOf } from '../../support/code-of.ts';
import { rounds, sample } from '../../support/depth.ts';
import { temporaryHome } from '../../support/home.ts';
import {
  committedPages,
  dumpRun,
  findRun,
  LONG_WAIT,
  graphStart,
  openGraphRuns,
} from '../../support/runs-graph.ts';
import { killAtEvery, killedSoon, onDisk, runProgram, startOf, traced } from '../../support/traced.ts';

interface Said {
  readonly done?: number;
  readonly run_id?: string;
  readonly ended?: string;
  readonly refused?: string;
}

type Graph = Parameters<typeof graphStart>[0];

const LONG = { timeout: 240_000 };
const SMALL: Graph = { pages: 6, size: 3_000, at_once: 2 };
const node = await startOf('runs-program.ts');
const program = (home: string, { pages, size, at_once }: Graph, command = 'work'): string[] =>
  node(...[command, home, pages, size, at_once].map(String));

/** What an undisturbed run produces. */
async function undisturbed(graph: Graph) {
  const home = await temporaryHome();
  const runs = openGraphRuns(home);
  const { run_id } = await runs.start(graphStart(graph));
  await runs.wait(run_id, LONG_WAIT);
  await runs.close();
  return dumpRun(home, run_id);
}

/** Every page that was answered is there, once. */
async function expectAnswered(home: string, said: readonly Said[]): Promise<string | undefined> {
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

/** Whatever was answered is there, and the run comes to what it comes to when it is left alone. */
async function expectFinishes(home: string, said: readonly Said[], expected: object): Promise<void> {
  const runId = await expectAnswered(home, said);
  if (runId === undefined) return;
  await finish(home, runId);
  expect(await dumpRun(home, runId)).toEqual(expected);
}

// The calls of a whole run, from the making of its folder to the sealing of its items.
const KILLS = [
  ['pwrite64', 20],
  ['fsync', 6],
  ['mkdir', 4],
  ['writev', 6],
  ['unlink', 1],
  ['fdatasync', 12],
  ['rename', 3],
] as const;
it.each(sample(KILLS, 7))(
  'kill -9 at every %s loses nothing and does nothing twice',
  LONG,
  async (call, atLeast) => {
    const expected = await undisturbed(SMALL);
    const wrecks = await killAtEvery({
      ...{ call, atLeast },
      command: (home) => program(home, SMALL),
    });
    for (const { home, said } of wrecks) await expectFinishes(home, said, expected);
  },
);

it('kill -9 at any moment, again and again, comes to what an undisturbed run comes to', LONG, async () => {
  const graph = { pages: rounds(200, 60), size: 4_000, at_once: 8 };
  const expected = await undisturbed(graph);
  for (let round = rounds(2, 1); round > 0; round -= 1) {
    const home = await temporaryHome();
    // The last time it is left alone: on a busy machine a process may die each time before it came further.
    for (let kills = rounds(6, 1); kills >= 0; kills -= 1) {
      const command = program(home, graph);
      const { said } = await (kills > 0 ? killedSoon(command) : runProgram(command));
      await expectAnswered(home, said);
      if (kills === 0) await expectFinishes(home, said, expected);
    }
  }
});

it('a run of another server is seen and paged, and not touched; when that server dies it resumes here', async () => {
  // More than are read before it is killed, however slow this process is.
  const graph = { pages: 100_000, size: 4_000, at_once: 4 };
  const home = await temporaryHome();
  let kill: () => void = () => undefined;
  const ended = runProgram(program(home, graph), { onOutput: (killProgram) => (kill = killProgram) });
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

const FAULTS = [
  ['writev', 'EIO'],
  ['fsync', 'EIO'],
  ['mkdir', 'EACCES'],
  ['writev', 'ENOSPC'],
  ['fdatasync', 'EIO'],
] as const;
it.each(sample(FAULTS, 5))(
  '%s failing with %s at any call costs at most that run its end',
  LONG,
  async (call, error) => {
    const expected = await undisturbed(SMALL);
    for (let at = 1; at < rounds(60, 2); at += 3) {
      const home = await temporaryHome();
      const command = traced(call, `error=${error}`, at, program(home, SMALL, 'faulty'));
      const { code, stderr, said } = await runProgram(command);
      expect(code, stderr).toBe(0);
      const { ended, refused }: Said = said.at(-1) ?? {};
      if (refused !== undefined) expect(refused).toMatch(/^store_(full|write_failed)$/);
      await expectFinishes(home, said, expected);
      if (ended === 'completed') break;
    }
  },
);

const UNREADABLE = [
  ['openat', 'EIO', 'data.mdb'],
  ['pread64', 'EIO', 'data.mdb'],
  ['openat', 'EACCES', 'lock.mdb'],
  ['openat', 'EIO', 'lock.mdb'],
  ['openat', 'EMFILE', 'data.mdb'],
] as const;
it.each(sample(UNREADABLE, 5))(
  '%s failing with %s for %s of a run ends no process',
  async (call, error, file) => {
    const home = await temporaryHome();
    const { said } = await runProgram(program(home, { pages: 1, size: 10, at_once: 1 }));
    const runId = (said as readonly Said[]).find(({ run_id }) => run_id !== undefined)?.run_id;
    const path = join(home, 'runs', String(runId), file);
    const look = node('look', home, String(runId));
    const fail = [
      ...['strace', '-f', '-qq', '-o', '/dev/null'],
      ...['-P', path, '-e', `inject=${call}:error=${error}`],
    ];
    const refused: unknown = expect.stringMatching(/^store_(full|read_failed)$/);
    expect(await runProgram([...fail, ...look])).toMatchObject({ code: 0, said: [{ refused }] });
    expect(await runProgram(look)).toMatchObject({ code: 0, said: [{ refused: null }] });
  },
);

// Large items fill the disk with the items file, small ones with the environment. What does not fit
// a page of LMDB half is an I/O error to it.
const DISKS = [
  ['3m', { pages: 300, size: 20_000, at_once: 4 }, /^store_full$/],
  ['300k', { pages: 2_000, size: 10, at_once: 8 }, /^store_(full|write_failed)$/],
] as const;
it.each(sample(DISKS, 2))(
  'a disk of %s fails the run with its code; with room again it loses nothing',
  async (size, graph, code) => {
    const home = await temporaryHome();
    const command = onDisk(`size=${size},mode=700`, home, program(home, graph, 'full'));
    const ended = await runProgram(command);
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    const failed: unknown = expect.stringMatching(code);
    expect(ended.said.at(-1)).toEqual({ failed, ended: 'completed', isWhole: true });
  },
);
