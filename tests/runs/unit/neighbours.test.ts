import { expect, it, onTestFinished, vi } from 'vitest';
import type { JsonObject } from '../../../shared/base/json.ts';
import type { Outcome } from '../../../server/core/result.ts';
import type { RunScope } from '../../../server/core/runs.ts';
import { runNotes } from '../../../server/core/calls/produce.ts';
import { clean, cleanRecord } from '../../../server/libraries/redaction/clean.ts';
import { RunOwner } from '../../../server/runs/owner.ts';
import { EMPTY_TALLY } from '../../../server/runs/records.ts';
import { RunStore } from '../../../server/runs/run-store.ts';
import { codeOf } from '../../support/code-of.ts';
import { temporaryHome } from '../../support/home.ts';
import { DONE, gate, request, setUp, untilAborted, waiting } from './support.ts';

it('two servers in one process leave the runs of the other alone, until it has stopped', async () => {
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

const RECORDS = {
  facts: {
    ...({
      version: 1,
      run_id: '',
      tool: 'crawl',
      args: cleanRecord({}),
      has_long_args: false,
      is_redacted: false,
    } as const),
    ...({
      source: clean`here`,
      session: 'test',
      output_mode: 'inline',
      output_inline_limit_bytes: 1,
    } as const),
    ...{ started_at_ms: 0, is_elsewhere: false, calls_tools: false },
  },
  args: cleanRecord({}),
  life: {
    ...({ status: 'running', owner: null, ended_at_ms: null, error: null, outcome: null } as const),
    output_handle: null,
    lifetime: { created_at_ms: 0, expires_at_ms: 0, boot: 'test', monotonic_ms: 0 },
  },
  tally: EMPTY_TALLY,
} as const;

it('the runs of a stopped server can be resumed, in the same process and in another', async () => {
  const store = new RunStore(await temporaryHome());
  onTestFinished(() => store.close());
  const near = new RunOwner(store);
  const { runId } = store.create((run_id) => ({ ...RECORDS, facts: { ...RECORDS.facts, run_id } }));
  near.claim(store.open(runId));
  vi.resetModules();
  const again = await import('../../../server/runs/owner.ts');
  const far = [new RunOwner(store), new again.RunOwner(store)];
  const seen = (): boolean[] => [near, ...far].map((owner) => owner.isElsewhere(store.open(runId).life()));
  expect(seen()).toEqual([false, true, true]);
  near.leave();
  expect(seen()).toEqual([false, false, false]);
});

it('a run whose secret a neighbour has is left to it, and continues there; once that has gone, nowhere', async () => {
  const ended = (given: JsonObject, { signal }: RunScope): Promise<Outcome> =>
    given['hold'] === true ? untilAborted(signal) : Promise.resolve(DONE);
  const work = vi.fn(ended).mockRejectedValueOnce(new Error('a defect'));
  const near = await setUp({ work });
  const far = await setUp({ home: near.home, work });
  const args = { url: 'https://example.org/?token=s3cr3t-t0k3n-0f-a-us3r' };
  const { run_id } = await near.runs.start(request(args));
  expect((await near.runs.wait(run_id, waiting()))?.view.status).toBe('failed');
  expect(runNotes(await far.runs.get(run_id)).join(' ')).toContain('resume it from the server that has it');
  await expect(far.runs.resume(run_id)).rejects.toMatchObject({
    code: 'run_not_resumable',
    message: `${run_id}: its arguments contain a secret that this server does not have.`,
    hint: expect.stringContaining('Resume it from the server that has it'),
  });
  await near.runs.resume(run_id);
  expect((await near.runs.wait(run_id, waiting()))?.view.status).toBe('completed');
  const stopped = await near.runs.start(request({ ...args, hold: true }));
  const waited = near.runs.wait(stopped.run_id, waiting()).catch((thrown: unknown) => thrown);
  await near.runs.close();
  expect(await waited).toMatchObject({ hint: expect.stringContaining('start a new run') });
  expect(runNotes(await far.runs.cancel(stopped.run_id, 'a test')).join()).toContain('start a new run');
});
