import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { JsonValue } from '../../../shared/base/json.ts';
import { HomeDatabase } from '../../../server/core/home/database.ts';
import { DONE, gate, listOf, request, setUp, waiting } from './support.ts';
import { expectOwnerOnly } from '../../support/posix.ts';

async function runOf(items: readonly JsonValue[], options: Parameters<typeof setUp>[0] = {}) {
  const made = await setUp({
    work: async (_args, scope) => {
      await Promise.all(items.map((item) => scope.commit({ items: [item] })));
      return DONE;
    },
    ...options,
  });
  const { run_id } = await made.runs.start(request());
  const result = await made.runs.wait(run_id, waiting());
  if (result === null) throw new Error('it is active');
  return { ...made, run_id, result };
}

it('pages of an active run follow what is committed, and end with the run', async () => {
  const [first, second] = [gate(), gate()];
  const { runs } = await setUp({
    work: async (_args, scope) => {
      await scope.commit({ items: [0, 1, 2] });
      await first.opened;
      await scope.commit({ items: [3] });
      await second.opened;
      return DONE;
    },
  });
  const { run_id } = await runs.start(request());
  await expect.poll(async () => (await runs.get(run_id)).items).toBe(3);
  const page = (offset: number) => runs.page({ runId: run_id, offset, limit: 2 });
  const goingOn = { run_id, status: 'running', output_handle: null, limit: 2, total: 3, eof: false };
  expect(await page(0)).toEqual({ ...goingOn, offset: 0, returned: 2, next_offset: 2, content: [0, 1] });
  expect(await page(2)).toEqual({ ...goingOn, offset: 2, returned: 1, next_offset: 3, content: [2] });
  expect(await page(3)).toEqual({ ...goingOn, offset: 3, returned: 0, next_offset: 3, content: [] });
  first.open();
  await expect.poll(async () => (await runs.get(run_id)).items).toBe(4);
  expect(await page(3)).toMatchObject({ content: [3], next_offset: 4, eof: false });
  second.open();
  const handle = (await runs.wait(run_id, waiting()))?.view.output_handle;
  expect(await page(3)).toEqual({
    ...goingOn,
    ...{ status: 'completed', output_handle: handle, total: 4, eof: true },
    ...{ offset: 3, returned: 1, next_offset: null, content: [3] },
  });
  expect(await page(9)).toMatchObject({ offset: 9, returned: 0, next_offset: null, eof: true });
});

it('the disk has files for their owner alone, and nothing before the first run', async () => {
  const { home, runs } = await setUp();
  expect(await readdir(home)).toEqual([]);
  const { run_id } = await runs.start(request());
  await runs.wait(run_id, waiting());
  const names = (await readdir(home)).filter((name) => name.startsWith('home.db'));
  expect(names.toSorted()).toEqual(['home.db', 'home.db-shm', 'home.db-wal']);
  await expectOwnerOnly(home);
  for (const name of names) await expectOwnerOnly(join(home, name));
});

it('the disk contains no secret of an item or a log line; what was redacted is counted, across a resume too', async () => {
  const secret = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
  const { runs, home, run_id, result, journal } = await runOf([{ text: `my key ${secret}` }], {
    work: async (_args, scope) => {
      await scope.commit({ items: [{ text: `my key ${secret}`, hidden: 'a\u200bb\u2062c' }] });
      scope.log('page_done', { url: `https://example.org/?q=${secret}` });
      if (scope.state.get(['again']) === undefined) {
        await scope.commit({ change: (change) => change.put(['again'], true) });
        throw new Error(`it failed with ${secret}`);
      }
      return { state: { key: secret }, coverage: [`${secret} was seen`] };
    },
  });
  expect(result.view.status).toBe('failed');
  const once = result.redacted;
  expect(Object.values(once.secrets)).toEqual([1]);
  await runs.resume(run_id);
  const twice = await runs.wait(run_id, waiting());
  expect(Object.values(twice?.redacted.secrets ?? {})).toEqual([2]);
  expect(twice?.redacted.invisibleCharacters).toBe(2 * once.invisibleCharacters);
  expect(JSON.stringify([await listOf(result.items()), twice?.outcome, twice?.view])).not.toContain(secret);
  for (const name of (await readdir(home)).filter((name) => name.startsWith('home.db')))
    expect((await readFile(join(home, name))).includes(secret), name).toBe(false);
  expect(journal.find(({ event }) => event === 'page_done')).toMatchObject({ run_id, tool: 'crawl' });
});

it('the disk keeps the newest lines of a log that keeps growing', async () => {
  const { runs } = await setUp({
    work: async (_args, scope) => {
      for (let round = 0; round < 20; round += 1) {
        for (let line = 0; line < 500; line += 1)
          scope.log('page', { number: round * 500 + line, pad: 'x'.repeat(50) });
        await runs.log({ runId: scope.runId, count: 1 });
      }
      return DONE;
    },
  });
  const { run_id } = await runs.start(request());
  await runs.wait(run_id, waiting());
  const { lines, total } = await runs.log({ runId: run_id, count: 3 });
  expect(total).toBe(5_000);
  expect(lines.at(-1)).toMatchObject({ event: 'run_ended' });
  expect(lines.at(-2)).toMatchObject({ event: 'page', number: 9_999 });
});

it.each(['{"ts":"2026-05-19T11:00:00.000Z","event":"to', '\u0001', '[]'])(
  'a log loses only a damaged line: %j',
  async (damaged) => {
    const { runs, home, run_id } = await runOf([], {
      work: async (_args, scope) => {
        scope.log('started', {});
        return DONE;
      },
    });
    const eventsOf = async () =>
      (await runs.log({ runId: run_id, count: 50 })).lines.map(({ event }) => event);
    const before = await eventsOf();
    const database = new HomeDatabase(home);
    database.run('INSERT INTO run_log (run, at_ms, line) VALUES (1, ?, ?)', Date.now(), damaged);
    database.close();
    expect(await eventsOf()).toEqual(before);
    expect(before).toEqual(['started', 'run_ended']);
  },
);
