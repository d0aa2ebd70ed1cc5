import { expect, it, onTestFinished, vi } from 'vitest';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { RunScope } from '../../../server/core/runs.ts';
import { StoredRun } from '../../../server/runs/run-store.ts';
import { codeOf } from '../../support/code-of.ts';
import { DONE, gate, request, setUp, untilAborted, waiting } from './support.ts';

const refusing = () => {
  const refused = new SpillwayError('store_write_failed', 'The disk failed (EIO).');
  const write = vi.spyOn(StoredRun.prototype, 'write').mockImplementation(() => {
    throw refused;
  });
  onTestFinished(() => write.mockRestore());
  return write;
};

it('a disk that refuses the end of a run is what its cancel answers', async () => {
  const work = vi.fn((_args: object, { signal }: RunScope) => untilAborted(signal));
  const { runs } = await setUp({ work });
  const { run_id } = await runs.start(request());
  await expect.poll(() => work.mock.calls).toHaveLength(1);
  const write = refusing();
  expect(await codeOf(runs.cancel(run_id, 'a test'))).toBe('store_write_failed');
  write.mockRestore();
  expect((await runs.get(run_id)).status).toBe('interrupted');
});

it('a disk that refuses the end of a run is what the waiting call hears, with the failure of the worker as its cause', async () => {
  const { open, opened } = gate();
  const defect = new Error('a defect');
  const work = vi.fn(() => opened.then(() => Promise.reject(defect)));
  const { runs } = await setUp({ work });
  const { run_id } = await runs.start(request());
  await expect.poll(() => work.mock.calls).toHaveLength(1);
  refusing();
  open();
  await expect(runs.wait(run_id, waiting())).rejects.toMatchObject({
    code: 'store_write_failed',
    cause: { message: 'a defect' },
  });
});

it('a worker that was left behind writes nothing more to the log, the journal and the progress', async () => {
  const late = gate();
  let isDone = false;
  const { runs, journal } = await setUp({
    work: async (_args, scope) => {
      scope.log('page_failed', { when: 'in time' });
      await late.opened;
      scope.log('page_failed', { when: 'too late' });
      scope.progress({ done: 99, queued: 0, failed: 0 });
      isDone = true;
      return DONE;
    },
  });
  const { run_id } = await runs.start(request());
  await expect.poll(() => journal.some(({ event }) => event === 'page_failed')).toBe(true);
  await runs.cancel(run_id, 'a test');
  late.open();
  await expect.poll(() => isDone).toBe(true);
  const { lines } = await runs.log({ runId: run_id, count: 50 });
  expect(lines.filter(({ event }) => event === 'page_failed')).toMatchObject([{ when: 'in time' }]);
  expect(journal.filter(({ event }) => event === 'page_failed')).toHaveLength(1);
  expect((await runs.get(run_id)).progress.done).toBe(0);
});
