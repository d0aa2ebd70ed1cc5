import { expect, it } from 'vitest';
import type { JsonObject } from '../../../shared/base/json.ts';
import { runsRig, SECRET } from '../../support/runs-rig.ts';

const rig = runsRig();

interface Listed {
  readonly runs: readonly { readonly run_id: string; readonly status: string }[];
  readonly total: number;
}
interface Logged {
  readonly status: string;
  readonly lines: readonly (JsonObject & { readonly event: string; readonly ts: string })[];
  readonly total: number;
}

const list = async (args: JsonObject = {}): Promise<Listed> =>
  (await rig.server.call('run_list', args)).json<Listed>();
const log = async (run_id: string, args: JsonObject = {}): Promise<Logged> =>
  (await rig.server.call('run_log', { run_id, ...args })).json<Logged>();

it('run_list lists the newest first, up to a limit, of one status or of all', async () => {
  expect(await list()).toEqual({ runs: [], total: 0 });
  const ids: string[] = [];
  for (const isFailing of [true, false, true]) ids.push(await rig.ended(isFailing ? { then: 'fail' } : {}));
  const newest = ids.toReversed();
  const all = await list();
  expect(all.runs.map(({ run_id }) => run_id)).toEqual(newest);
  expect(all.total).toBe(3);
  expect(await list({ count: 1 })).toMatchObject({ runs: [{ run_id: newest[0] }], total: 3 });
  expect(await list({ status: 'failed' })).toMatchObject({
    runs: [
      { run_id: ids[2], status: 'failed', error: { code: 'internal_error', message: 'a defect' } },
      { run_id: ids[0], status: 'failed' },
    ],
    total: 2,
  });
  expect(await list({ status: 'interrupted' })).toEqual({ runs: [], total: 0 });
  for (const args of [{ count: 0 }, { count: 101 }, { status: 'over' }])
    expect((await rig.server.call('run_list', args)).code()).toBe('invalid_argument');
});

it('a run’s omissions are in run_status and at the end of run_log', async () => {
  const run_id = await rig.ended({ gaps: 2 });
  const answer = await rig.server.call('run_status', { run_id });
  for (const gap of [0, 1]) expect(answer.notes).toContain(`gap ${gap} was not read`);
  const { lines } = await log(run_id);
  expect(lines.at(-1)).toMatchObject({ notes: ['gap 0 was not read', 'gap 1 was not read'] });
});

it('run_log shows the last lines, oldest first, redacted, and how the run ended', async () => {
  const run_id = await rig.ended({ lines: 10 });
  const answer = await rig.server.call('run_log', { run_id, count: 3 });
  const { lines, total } = answer.json<Logged>();
  expect(total).toBe(11);
  expect(lines.map(({ event, line }) => [event, line])).toEqual([
    ['page_failed', 8],
    ['page_failed', 9],
    ['run_ended', undefined],
  ]);
  expect(answer.text).not.toContain(SECRET);
  expect(answer.notes).toContain('Untrusted page text from https://example.org/start');
});

it('run_log answers no more than a page holds, however long the lines are', async () => {
  const run_id = await rig.ended({ lines: 40, length: 4_000 });
  const answer = await rig.server.call('run_log', { run_id });
  const { lines, total } = answer.json<Logged>();
  expect(total).toBe(41);
  expect(lines.at(-1)?.event).toBe('run_ended');
  expect(lines.length).toBeGreaterThan(5);
  expect(Buffer.byteLength(answer.text)).toBeLessThan(33_000);
  const [long] = (await log(await rig.ended({ lines: 1, length: 100_000 }))).lines;
  expect(long?.event).toBe('page_failed');
  expect(JSON.stringify(long).length).toBeLessThan(3_000);
});
