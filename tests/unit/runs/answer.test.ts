import { expect, it } from 'vitest';
import { cancelledBy } from '../../../server/core/calls/call.ts';
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

it.each([true, false])(
  'a call that started a run and is cancelled before it answers cancels the run, async: %s',
  async (async) => {
    const { cancel, answer, end } = await started();
    cancel.abort(cancelledBy('the client'));
    await expect(answer({ async })).rejects.toMatchObject({ code: 'cancelled' });
    expect(await end()).toEqual(CANCELLED);
  },
);

it('a call that started a run and is cancelled while its answer is delivered cancels the run', async () => {
  const { cancel, answer, complete, end } = await started();
  await answer({ async: true });
  cancel.abort(cancelledBy('the client'));
  await complete();
  expect(await end()).toEqual(CANCELLED);
});

it('a call that started a run and is cancelled after its answer leaves the run alone', async () => {
  const { cancel, answer, complete, end } = await started();
  await answer({ async: true });
  await complete();
  cancel.abort(cancelledBy('the client'));
  expect((await end()).status).toMatch(/^(queued|running)$/);
});
