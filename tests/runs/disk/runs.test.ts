import { expect, it } from 'vitest';
import { codeOf } from '../../support/code-of.ts';
import { rounds, sample } from '../../support/depth.ts';
import { temporaryHome } from '../../support/home.ts';
import { expectFinishes, program, SMALL, undisturbed, type Line } from '../../support/runs-checks.ts';
import { committedPages, findRun, LONG_WAIT, openGraphRuns } from '../../support/runs-graph.ts';
import { killAtEvery, onDisk, runProgram, traced } from '../../support/traced.ts';

// The calls of a whole run, from the creation of the database to the sealing of its items.
const KILLS = [
  ['pwrite64', 20],
  ['fsync', 6],
  ['mkdir', 2],
  ['ftruncate', 1],
  ['unlink', 1],
] as const;
it.each(sample(KILLS, 6))('kill -9 at every %s loses and repeats nothing', async (call, atLeast) => {
  const expected = await undisturbed(SMALL);
  const wrecks = await killAtEvery({ ...{ call, atLeast }, command: (home) => program(home, SMALL) });
  for (const { home, lines } of wrecks) await expectFinishes(home, lines, expected);
});

it('a run of another server is seen and paged, and not touched; when that server dies it resumes here', async () => {
  // More than are read before the kill, however slow this process is.
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
  ['pwrite64', 'EIO'],
  ['fsync', 'EIO'],
  ['mkdir', 'EACCES'],
  ['pwrite64', 'ENOSPC'],
] as const;
it.each(sample(FAULTS, 4))('%s failing with %s at any call ends that run alone', async (call, error) => {
  const expected = await undisturbed(SMALL);
  for (let at = 1; at < rounds(60, 2); at += 3) {
    const home = await temporaryHome();
    const command = traced(call, `error=${error}`, at, program(home, SMALL, 'faulty'));
    const { code, stderr, lines } = await runProgram(command);
    expect(code, stderr).toBe(0);
    const { ended, refused }: Line = lines.at(-1) ?? {};
    if (refused !== undefined) expect(refused).toMatch(/^store_(full|write_failed)$/);
    await expectFinishes(home, lines, expected);
    if (ended === 'completed') break;
  }
});

// Large items fill the disk in few transactions, small ones in many.
const DISKS = [
  ['3m', { pages: 300, size: 20_000, at_once: 4 }, /^store_full$/],
  ['300k', { pages: 2_000, size: 10, at_once: 8 }, /^store_(full|write_failed)$/],
] as const;
it.each(sample(DISKS, 2))('a disk of %s fails a run, which loses nothing', async (size, graph, code) => {
  const home = await temporaryHome();
  const command = onDisk(`size=${size},mode=700`, home, program(home, graph, 'full'));
  const ended = await runProgram(command);
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  const failed: unknown = expect.stringMatching(code);
  expect(ended.lines.at(-1)).toEqual({ failed, ended: 'completed', isWhole: true });
});
