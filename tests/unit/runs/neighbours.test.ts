import { expect, it, vi } from 'vitest';
import { runNotes } from '../../../server/core/run-answer.ts';
import { Claimant } from '../../../server/runs/claim.ts';
import type { RunLife } from '../../../server/runs/records.ts';
import { codeOf, DONE, gate, request, setUp, untilAborted, waiting } from './support.ts';

it('two servers in one process leave the runs of the other alone, until it has gone', async () => {
  const { open, opened } = gate();
  const work = vi.fn(() => opened.then(() => DONE));
  const near = await setUp({ work });
  const far = await setUp({ home: near.home, work });
  const { run_id } = await near.runs.start(request());
  await expect.poll(() => work.mock.calls).toHaveLength(1);
  expect((await far.runs.get(run_id)).status).toBe('running');
  expect(await codeOf(far.runs.resume(run_id))).toBe('run_busy');
  expect(await codeOf(far.runs.cancel(run_id, 'the other'))).toBe('run_busy');
  expect((await far.runs.list({ count: 5 })).runs).toMatchObject([{ run_id, status: 'running' }]);
  open();
  expect((await near.runs.wait(run_id, waiting()))?.view.status).toBe('completed');
  expect((await far.runs.get(run_id)).status).toBe('completed');
  expect(work).toHaveBeenCalledTimes(1);
});

const runningFor = (owner: RunLife['owner']): RunLife => ({
  status: 'running',
  owner,
  ended_at_ms: null,
  error: null,
  outcome: null,
  output_handle: null,
  lifetime: { created_at_ms: 0, expires_at_ms: 0, boot: 'test', monotonic_ms: 0 },
});

it('what a server that has gone still owns can be gone on with in the same process', () => {
  const near = new Claimant();
  const far = new Claimant();
  const life = runningFor(near.owner);
  expect([near.isElsewhere(life), far.isElsewhere(life)]).toEqual([false, true]);
  near.leave();
  expect(far.isElsewhere(life)).toBe(false);
});

it('a server of another thread, of which nothing is known here, is taken for one that works', () => {
  const { owner } = new Claimant();
  const life = runningFor({ ...owner, instance: 'of a thread with the same pid' });
  expect(new Claimant().isElsewhere(life)).toBe(true);
});

it('a run whose secret went with its server is to be started again, and says so', async () => {
  const { runs, home } = await setUp({ work: (_args, { signal }) => untilAborted(signal) });
  const { run_id } = await runs.start(request({ url: 'https://example.org/?token=s3cr3t-t0k3n-0f-a-us3r' }));
  expect(runNotes({ ...(await runs.get(run_id)), status: 'interrupted' })).toEqual([
    `The run was interrupted: run_resume ${run_id} goes on with it.`,
  ]);
  const waited = runs.wait(run_id, waiting()).catch((thrown: unknown) => thrown);
  await runs.close();
  expect(await waited).toMatchObject({ hint: expect.stringContaining('start it again') });
  const { runs: next } = await setUp({ home });
  const view = await next.get(run_id);
  expect(view.status).toBe('interrupted');
  expect(runNotes(view)).toEqual([
    'The run was interrupted: its arguments held a secret that is not kept: start it again.',
  ]);
  const cancelled = await next.cancel(run_id, 'a test');
  expect(runNotes(cancelled).join(' ')).toContain('start it again');
});
