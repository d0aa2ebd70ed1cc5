import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { JsonValue } from '../../../shared/base/json.ts';
import { codeOf } from '../../support/code-of.ts';
import { TEST_SCOPE } from '../../support/session.ts';
import { DONE, gate, listOf, request, setUp, untilAborted, waiting } from './support.ts';

const countTo =
  (pages: number) =>
  async (_args: object, scope: Parameters<NonNullable<Parameters<typeof setUp>[0]>['work'] & object>[1]) => {
    for (let page = Number(scope.state.get(['next']) ?? 0); page < pages; page += 1)
      await scope.commit({ items: [{ page }], change: (change) => change.put(['next'], page + 1) });
    return DONE;
  };

/** The same, but it does not end by itself. */
const held =
  (pages: number): ReturnType<typeof countTo> =>
  async (args, scope) => {
    await countTo(pages)(args, scope);
    return untilAborted(scope.signal);
  };

const pagesOf = (count: number): JsonValue[] => Array.from({ length: count }, (_, page) => ({ page }));

it('a run commits items and state together, and is read whole once it has ended', async () => {
  const { runs, store, journal } = await setUp({
    work: async (_args, scope) => {
      for (let page = 0; page < 5; page += 1) {
        await scope.commit({
          items: [{ page, seen: scope.state.get(['seen']) ?? 0 }],
          change: (change) => change.put(['seen'], page + 1),
        });
        scope.progress({ done: page + 1, queued: 4 - page, failed: 0 });
      }
      return { state: { pages: 5 }, coverage: ['one page was closed'] };
    },
  });
  const { run_id } = await runs.start(request({}, { call: TEST_SCOPE }));
  expect(run_id).toMatch(/^run_[A-Z2-7]{12}$/);
  const result = await runs.wait(run_id, waiting());
  if (result === null) throw new Error('it is active');
  const items = [0, 1, 2, 3, 4].map((page) => ({ page, seen: page }));
  expect(await listOf(result.items())).toEqual(items);
  expect(result.outcome).toEqual({ state: { pages: 5 }, coverage: ['one page was closed'] });
  expect(result.view).toMatchObject({
    status: 'completed',
    items: 5,
    progress: { done: 5, queued: 0, failed: 0 },
    error: null,
  });
  const output = await store.open(result.view.output_handle ?? '');
  const stored = (await output.read(0, output.meta.size_bytes)).toString();
  await output.close();
  expect(stored).toBe(`[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]`);
  expect(result.view.size_bytes).toBe(stored.length);
  expect(journal.map(({ event }) => event)).toEqual(['run_started', 'run_ended', 'output_handle_created']);
  expect(journal[0]).toMatchObject({ tool: 'crawl', run_id, call_id: TEST_SCOPE.call?.call_id });
  expect(journal[1]).toMatchObject({ tool: 'crawl', run_id, status: 'completed', items: 5, done: 5 });
});

it.each(['run_AAAAAAAAAAAA', 'run_AAAAAAAAAAA1', '../run_AAAAAAAAAAAA', '', '\0'])(
  'a run is not found by %j',
  async (id) => {
    const { runs } = await setUp();
    await runs.wait((await runs.start(request())).run_id, waiting());
    const questions = [
      () => runs.get(id),
      () => runs.page({ runId: id, offset: 0 }),
      () => runs.result(id),
      () => runs.resume(id),
      () => runs.cancel(id, 'a test'),
      () => runs.args(id),
      () => runs.wait(id, waiting()),
    ];
    for (const ask of questions) expect(await codeOf(ask())).toBe('run_not_found');
  },
);

it('a run keeps no secret of its arguments on disk: only the server that received them can resume', async () => {
  const secret = 's3cr3t-t0k3n-0f-a-us3r';
  const given: unknown[] = [];
  const work: NonNullable<Parameters<typeof setUp>[0]>['work'] = (args, scope) => {
    given.push(args);
    return untilAborted(scope.signal);
  };
  const { runs, home } = await setUp({ work });
  const args = { url: `https://example.org/?token=${secret}` };
  const { run_id } = await runs.start(request(args, { source: args.url }));
  await runs.cancel(run_id, 'a test');
  await runs.resume(run_id);
  await runs.cancel(run_id, 'a test');
  expect(given).toEqual([args, args]);
  await runs.close();
  for (const name of (await readdir(home)).filter((file) => file.startsWith('home.db')))
    expect((await readFile(join(home, name))).includes(secret)).toBe(false);
  const { runs: later } = await setUp({ home, work });
  expect(await codeOf(later.resume(run_id))).toBe('run_not_resumable');
  expect(JSON.stringify(await later.args(run_id))).toContain('redacted');
  const { status, source } = await later.get(run_id);
  expect({ status, source }).toEqual({ status: 'cancelled', source: expect.stringContaining('example.org') });
  expect(source).not.toContain(secret);
});

it('waiting ends when the time is over, and the run continues, and is not resumed', async () => {
  const { open, opened } = gate();
  const { runs } = await setUp({ work: () => opened.then(() => DONE) });
  const { run_id } = await runs.start(request());
  expect(await runs.wait(run_id, waiting(20))).toBeNull();
  expect((await runs.get(run_id)).status).toBe('running');
  expect(await codeOf(runs.resume(run_id))).toBe('run_not_resumable');
  expect(await codeOf(runs.result(run_id))).toBe('run_not_resumable');
  open();
  for (const time of ['first', 'again'])
    expect((await runs.wait(run_id, waiting()))?.view.status, time).toBe('completed');
  expect(await codeOf(runs.resume(run_id))).toBe('run_not_resumable');
});

it('waiting that is cancelled cancels the run, which says by whom', async () => {
  const { runs } = await setUp({ work: held(1) });
  const { run_id } = await runs.start(request());
  const caller = new AbortController();
  const result = runs.wait(run_id, waiting(20_000, caller.signal));
  caller.abort(new SpillwayError('cancelled', 'The call was cancelled by the client.'));
  expect(await codeOf(result)).toBe('cancelled');
  expect(await runs.get(run_id)).toMatchObject({
    status: 'cancelled',
    error: { code: 'cancelled', message: 'The call was cancelled by the client.' },
  });
});

it('a cancel keeps what is committed, and seals it', async () => {
  const { runs, journal } = await setUp({ work: held(2) });
  const { run_id } = await runs.start(request());
  await expect.poll(async () => (await runs.get(run_id)).items).toBe(2);
  const view = await runs.cancel(run_id, 'run_cancel');
  expect(view).toMatchObject({ status: 'cancelled', items: 2 });
  const result = await runs.result(run_id);
  expect(await listOf(result.items())).toEqual(pagesOf(2));
  expect(result.view.output_handle).toMatch(/^oh_/);
  expect(journal.map(({ event }) => event)).toContain('run_cancelled');
  expect(await runs.cancel(run_id, 'again')).toMatchObject({ status: 'cancelled', error: view.error });
});

it('a cancel does not wait for a worker that does not listen, and refuses what that commits later', async () => {
  const late = gate();
  const commits: Promise<string>[] = [];
  const { runs } = await setUp({
    work: async (_args, scope) => {
      await scope.commit({ items: [1] });
      await late.opened;
      commits.push(codeOf(scope.commit({ items: [2] })));
      return DONE;
    },
  });
  const { run_id } = await runs.start(request());
  await expect.poll(async () => (await runs.get(run_id)).items).toBe(1);
  expect(await runs.cancel(run_id, 'a test')).toMatchObject({ status: 'cancelled', items: 1 });
  late.open();
  await expect.poll(() => commits.length).toBe(1);
  expect(await commits[0]).toBe('cancelled');
  expect((await runs.get(run_id)).items).toBe(1);
});

it('a failure keeps its code and the items, and the run resumes from there', async () => {
  let isBroken = true;
  const { runs, journal } = await setUp({
    work: async (args, scope) => {
      await countTo(3)(args, scope);
      if (isBroken) throw new SpillwayError('browser_disconnected', 'The browser went away.');
      return countTo(6)(args, scope);
    },
  });
  const { run_id } = await runs.start(request());
  expect((await runs.wait(run_id, waiting()))?.view).toMatchObject({
    status: 'failed',
    items: 3,
    error: { code: 'browser_disconnected', message: 'The browser went away.' },
  });
  isBroken = false;
  expect(await runs.resume(run_id)).toMatchObject({ error: null, output_handle: null, ended_at_ms: null });
  const result = await runs.wait(run_id, waiting());
  expect(result?.view).toMatchObject({ status: 'completed', items: 6, error: null });
  expect(await listOf((await runs.result(run_id)).items())).toEqual(pagesOf(6));
  expect(journal.map(({ event }) => event)).toContain('run_resumed');
});

it("a server's end interrupts its runs, queued ones too; the next server resumes them", async () => {
  const { runs, home } = await setUp({ work: held(2) });
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) ids.push((await runs.start(request())).run_id);
  await expect.poll(async () => (await runs.get(ids[1] ?? '')).items).toBe(2);
  expect((await runs.get(ids[2] ?? '')).status).toBe('queued');
  await runs.close();
  const { runs: next } = await setUp({ home, work: countTo(4) });
  for (const id of ids) {
    expect(await next.get(id)).toMatchObject({
      status: 'interrupted',
      ended_at_ms: null,
      output_handle: null,
    });
    await next.resume(id);
    expect(await listOf((await next.wait(id, waiting()))?.items() ?? none())).toEqual(pagesOf(4));
  }
});

async function* none(): AsyncGenerator<JsonValue> {}

it('turns two work at once, the others wait in order, and a queued one is cancelled at once', async () => {
  const gates = Array.from({ length: 5 }, gate);
  const started: unknown[] = [];
  const { runs } = await setUp({
    work: async ({ number }, { signal }) => {
      started.push(number);
      await Promise.race([gates[Number(number)]?.opened, untilAborted(signal)]);
      return DONE;
    },
  });
  const ids: string[] = [];
  for (let number = 0; number < 5; number += 1) ids.push((await runs.start(request({ number }))).run_id);
  const statuses = () => Promise.all(ids.map(async (id) => (await runs.get(id)).status));
  expect((await runs.list({ count: 5 })).runs.map(({ run_id }) => run_id)).toEqual(ids.toReversed());
  await expect.poll(() => started).toEqual([0, 1]);
  expect(await statuses()).toEqual(['running', 'running', 'queued', 'queued', 'queued']);
  expect(await runs.cancel(ids[2] ?? '', 'a test')).toMatchObject({ status: 'cancelled' });
  gates[1]?.open();
  await runs.wait(ids[1] ?? '', waiting());
  await expect.poll(() => started).toEqual([0, 1, 3]);
  await runs.cancel(ids[0] ?? '', 'a test');
  await expect.poll(() => started).toEqual([0, 1, 3, 4]);
  gates[3]?.open();
  gates[4]?.open();
  await Promise.all(ids.slice(3).map((id) => runs.wait(id, waiting())));
  expect(await statuses()).toEqual(['cancelled', 'completed', 'cancelled', 'completed', 'completed']);
});
