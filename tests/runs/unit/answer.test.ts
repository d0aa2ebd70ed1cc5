import { expect, it } from 'vitest';
import { ERRORS, SpillwayError, type ErrorCode } from '../../../shared/base/errors.ts';
import { buildCancelled } from '../../../server/core/calls/call.ts';
import type { CallContext } from '../../../server/core/context.ts';
import { answerRun } from '../../../server/core/calls/produce.ts';
import { callContext } from '../../support/session.ts';
import { request, setUp, untilAborted, type SetUp } from './support.ts';

async function started(work: SetUp['work'] = (_args, { signal }) => untilAborted(signal)) {
  const { runs } = await setUp({ work });
  const view = await runs.start(request());
  const cancel = new AbortController();
  const after: Parameters<CallContext['registerAfterCompletion']>[0][] = [];
  const context = callContext({
    signal: cancel.signal,
    aside: (waiting) => waiting(),
    registerAfterCompletion: (task) => void after.push(task),
  });
  const complete = async (): Promise<void> => {
    for (const task of after) await task({ isSuccess: false });
  };
  const answer = (how: { async: boolean }) => answerRun(runs, view, { ...how, context });
  const end = async () => {
    const { status, error } = await runs.get(view.run_id);
    return { status, said: error?.message };
  };
  return { runs, view, cancel, answer, complete, end };
}

const CANCELLED = { status: 'cancelled', said: 'The call was cancelled by the client.' };

it.each([true, false])('a call cancelled before its answer cancels its run, async: %s', async (async) => {
  const { cancel, answer, end } = await started();
  cancel.abort(buildCancelled('the client'));
  await expect(answer({ async })).rejects.toMatchObject({ code: 'cancelled' });
  expect(await end()).toEqual(CANCELLED);
});

it.each([
  ['before its answer is delivered cancels the run', false, CANCELLED],
  ['after it leaves the run alone', true, { status: expect.stringMatching(/^(queued|running)$/) }],
])('a call that started a run and is cancelled %s', async (_, isDelivered, ended) => {
  const { cancel, answer, complete, end } = await started();
  await answer({ async: true });
  if (isDelivered) await complete();
  cancel.abort(buildCancelled('the client'));
  if (!isDelivered) await complete();
  expect(await end()).toEqual(ended);
});

const [RESUME, ITEMS] = [' Then continue it with run_resume.', ' Read its items with run_output.'];
it.each<[ErrorCode, string | undefined, number, string]>([
  ['target_covered', 'Close the banner. Then call run_resume {}.', 0, ''],
  ['target_covered', undefined, 0, RESUME],
  ['browser_disconnected', 'Look first.', 1, RESUME + ITEMS],
  ['no_worker', undefined, 1, ITEMS],
  ['tab_not_found', undefined, 0, ''],
])('a run that failed with %s and hint %s says the next step', async (code, hint, count, then) => {
  const { answer } = await started(async (_args, scope) => {
    await scope.commit({ items: Array(count).fill(1) });
    throw new SpillwayError(code, 'It stopped.', { hint, retryable: false });
  });
  await expect(answer({ async: false })).rejects.toMatchObject({ hint: (hint ?? ERRORS[code].hint) + then });
});

it('a run that failed for a part of its work answers with the handle of the rest, and says how to go on', async () => {
  const { answer, view, runs } = await started(async (_args, scope) => {
    await scope.commit({ items: [1, 2] });
    const failure = new SpillwayError('page_crashed', 'Pages that crashed: 1.');
    return { state: { pages: 2 }, coverage: ['Crashed: http://a.test/x.'], failure };
  });
  const produced = await answer({ async: false });
  const { state, coverage } = produced.outcome();
  const { status, output_handle } = await runs.get(view.run_id);
  expect(status).toBe('failed');
  expect(produced).toMatchObject({ deliverAs: 'handle', sealed: output_handle });
  expect(state).toMatchObject({ status: 'failed', items: 2 });
  expect(coverage).toEqual([
    `The run is failed: Pages that crashed: 1. These are the items so far; run_resume ${view.run_id} continues it.`,
    'Crashed: http://a.test/x.',
  ]);
});
