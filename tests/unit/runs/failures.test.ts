import { constants } from 'node:os';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SpillwayError } from '../../../shared/errors.ts';
import type { RunScope } from '../../../server/core/runs.ts';
import { RunEnvironment } from '../../../server/runs/environment.ts';
import { RunFolders } from '../../../server/runs/folders.ts';
import { codeOf } from '../../support/code-of.ts';
import { DONE, gate, request, setUp, untilAborted, waiting } from './support.ts';

const coded = (code: string, message: string, errno?: number): Error =>
  Object.assign(new Error(message), { code, ...(errno === undefined ? {} : { errno }) });

describe('what a worker throws', () => {
  const thrown: readonly (readonly [string, unknown, string, string])[] = [
    ['the end of a timer', new DOMException('It took 5 s.', 'TimeoutError'), 'timeout', 'It took 5 s.'],
    ['an error of the network', coded('ECONNREFUSED', 'refused', -111), 'internal_error', 'refused'],
    ['a full disk of its own', coded('ENOSPC', 'no room elsewhere', -28), 'internal_error', 'no room'],
  ];

  it.each(thrown)(
    '%s is not taken for a failure of the disk, also in a change',
    async (_, value, code, message) => {
      let caught: unknown;
      const { runs } = await setUp({
        work: async (_args, scope) => {
          const change = (): never => {
            throw value;
          };
          caught = await scope.commit({ items: [1], change }).catch((why: unknown) => why);
          throw value;
        },
      });
      const { run_id } = await runs.start(request());
      expect((await runs.wait(run_id, waiting()))?.view).toMatchObject({
        ...{ status: 'failed', items: 0 },
        error: { code, message: expect.stringContaining(message) },
      });
      expect(caught).toMatchObject({ code, cause: value });
    },
  );
});

/** The next who opens a run is refused, as in a process that has too many files open. */
function refuseNextLease(when = Promise.resolve()): void {
  const refused = coded('EMFILE', 'too many open files', -constants.errno.EMFILE);
  const lease = vi.spyOn(RunFolders.prototype, 'lease');
  lease.mockImplementationOnce(() => when.then(() => Promise.reject(refused)));
  onTestFinished(() => lease.mockRestore());
}

describe('a run that cannot be opened', () => {
  it('to seal it is still complete, and its secret forgotten', async () => {
    const { runs } = await setUp({
      work: async (_args, scope) => {
        await scope.commit({ items: [1, 2] });
        refuseNextLease();
        return DONE;
      },
    });
    const { run_id } = await runs.start(
      request({ url: 'https://example.org/?token=s3cr3t-t0k3n-0f-a-us3r' }),
    );
    expect((await runs.wait(run_id, waiting()))?.view).toMatchObject({
      status: 'completed',
      items: 2,
      output_handle: expect.stringMatching(/^oh_/),
      has_arguments: false,
    });
  });
});

describe('a disk that refuses the end of a run', () => {
  const refusing = () => {
    const refused = new SpillwayError('store_write_failed', 'The disk failed (EIO).');
    const write = vi.spyOn(RunEnvironment.prototype, 'write').mockImplementation(() => {
      throw refused;
    });
    onTestFinished(() => write.mockRestore());
    return write;
  };

  it('is what its cancel answers', async () => {
    const work = vi.fn((_args: object, { signal }: RunScope) => untilAborted(signal));
    const { runs } = await setUp({ work });
    const { run_id } = await runs.start(request());
    await expect.poll(() => work.mock.calls).toHaveLength(1);
    const write = refusing();
    expect(await codeOf(runs.cancel(run_id, 'a test'))).toBe('store_write_failed');
    write.mockRestore();
    expect((await runs.get(run_id)).status).toBe('interrupted');
  });

  it('is what the waiting call hears, with the failure of the worker as its cause', async () => {
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
