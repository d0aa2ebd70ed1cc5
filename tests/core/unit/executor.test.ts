import { getEventListeners } from 'node:events';
import { expect, describe, it, vi } from 'vitest';
import { buildCancelled } from '../../../server/core/calls/call.ts';
import { defer } from '../../../shared/base/async.ts';
import type { Outcome, Produced } from '../../../server/core/result.ts';
import { produceJson } from '../../../server/core/calls/produce.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import { createSession } from '../../support/session.ts';
import { takenIds } from '../../support/taken-ids.ts';
import { echo, produceItems, untilAborted, type Work } from '../../support/test-tool.ts';
import { testExecutor } from './support.ts';

const textOf = (result: { readonly content: readonly unknown[] }): string =>
  JSON.stringify(result.content[0]);

/** Thrown values, and the resulting code and part of the message. */
const thrown: readonly (readonly [string, unknown, string, string])[] = [
  ['an error', new Error('a defect'), 'internal_error', 'a defect'],
  ['coded', new SpillwayError('tab_not_found', 'There is no tab.'), 'tab_not_found', 'There is no tab.'],
  ['a string', 'words', 'internal_error', 'words'],
  ['an empty string', '', 'internal_error', 'threw'],
  ['a symbol', Symbol('mark'), 'internal_error', 'Symbol(mark)'],
  ['undefined', undefined, 'internal_error', 'undefined'],
  ['an AbortError', new DOMException('Aborted', 'AbortError'), 'cancelled', 'cancelled'],
  ['a TimeoutError', new DOMException('Too slow.', 'TimeoutError'), 'timeout', 'Too slow.'],
  [
    'an error that throws when it is read',
    Object.defineProperty(new Error('x'), 'message', {
      get() {
        throw new Error('never read');
      },
    }),
    'internal_error',
    'cannot be displayed',
  ],
];

async function* brokenItems(items: readonly string[], value: unknown): AsyncGenerator<string> {
  yield* items;
  throw value;
}
async function* given(...items: readonly string[]): AsyncGenerator<string> {
  yield* items;
}
const failing = (value: unknown) => (): Outcome => {
  throw value;
};

describe.each(thrown)('%s, thrown', (_, value, code, message) => {
  const fails: Record<string, Work> = {
    'by the runtime at once': () => {
      throw value;
    },
    'by the runtime later': () => Promise.resolve().then(() => Promise.reject(value)),
    'between two items': async () => produceItems(brokenItems(['first'], value)),
    'after the payload': async () => produceItems(given('all'), failing(value)),
    'by the source, and by its outcome': async () => produceItems(brokenItems([], value), failing(value)),
  };

  it.each(Object.entries(fails))('%s is a coded error with content', async (_where, work) => {
    const { executor, call, journal } = testExecutor(work);
    const result = await executor.execute(call());
    expect(result).toMatchObject({ ok: false, error: { code, message: expect.stringContaining(message) } });
    expect(textOf(result)).toContain(code);
    expect(result.content).toHaveLength(1);
    expect(journal).toMatchObject([{ ok: false, code }]);
  });
});

it.each([
  ['ours', buildCancelled('the client'), 'cancelled', 'The call was cancelled by the client.'],
  ['none', undefined, 'cancelled', 'The call was cancelled.'],
  ['null', null, 'cancelled', 'The call was cancelled.'],
  ['a string', 'no need any more', 'cancelled', 'The call was cancelled: no need any more'],
  ['an error', new Error('left'), 'cancelled', 'The call was cancelled: left'],
  ['a timer', new DOMException('It took 5 s.', 'TimeoutError'), 'timeout', 'It took 5 s.'],
])('the reason of an abort that is %s is said by the result', async (_, reason, code, message) => {
  const { executor, call } = testExecutor((__, { signal }) => untilAborted(signal));
  const cancel = new AbortController();
  const end = executor.execute(call({ signal: cancel.signal }));
  cancel.abort(reason);
  expect((await end).error).toMatchObject({ code, message });
  expect((await executor.execute(call({ signal: cancel.signal }))).error).toMatchObject({ code, message });
});

it.each(['while the gate is asked', 'while the runtime is loaded'])(
  'a call that is cancelled before its tool runs %s starts nothing',
  async (when) => {
    const held = defer<void>();
    const work = vi.fn(echo);
    const { executor, call } = testExecutor(
      work,
      when === 'while the runtime is loaded'
        ? { loading: held.promise }
        : { gate: { check: () => held.promise.then(() => ({ allow: true })) } },
    );
    const cancel = new AbortController();
    const end = executor.execute(call({ signal: cancel.signal }));
    await new Promise((resolve) => setImmediate(resolve));
    cancel.abort(buildCancelled('the client'));
    held.resolve();
    expect((await end).error?.code).toBe('cancelled');
    expect(work).not.toHaveBeenCalled();
  },
);

it('a call that meets another under its id obeys its own signal, and leaves the other alone', async () => {
  const { executor, call } = testExecutor((__, { signal }) => untilAborted(signal));
  const cancelFirst = new AbortController();
  const first = call({ signal: cancelFirst.signal });
  const firstEnd = executor.execute(first);
  const cancelSecond = new AbortController();
  const secondEnd = executor.execute({ ...first, signal: cancelSecond.signal });
  cancelSecond.abort(buildCancelled('who came later'));
  expect((await secondEnd).error?.message).toContain('who came later');
  expect(await takenIds(executor, [first.callId])).toEqual([first.callId]);
  cancelFirst.abort(buildCancelled('who came first'));
  expect((await firstEnd).error?.message).toContain('who came first');
});

it.each(['resolves', 'rejects'])(
  'a runtime that ignores its signal is left behind, and does no harm when it %s late',
  async (how) => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const late = defer<Produced>();
    let callCount = 0;
    const cleaned: string[] = [];
    const work = vi.fn<Work>(async (_, { progress, registerAfterCompletion }) => {
      registerAfterCompletion(() => void cleaned.push('in time'));
      return late.promise.finally(() => {
        progress({ done: 1 });
        registerAfterCompletion(() => void cleaned.push('late'));
      });
    });
    const { executor, call, journal } = testExecutor(work);
    const cancel = new AbortController();
    const end = executor.execute(call({ signal: cancel.signal, progress: () => (callCount += 1) }));
    await expect.poll(() => work.mock.calls).toHaveLength(1);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    cancel.abort(buildCancelled('the client'));
    // A cancelled caller gets its answer within a second.
    await vi.advanceTimersByTimeAsync(1_000);
    vi.useRealTimers();
    expect((await end).error?.message).toBe('The call was cancelled by the client.');
    if (how === 'rejects') late.reject(new Error('too late'));
    else late.resolve(produceJson('too late'));
    await expect.poll(() => cleaned).toEqual(['in time', 'late']);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect({ unhandled: unhandled.mock.calls, callCount: callCount, entries: journal.length }).toEqual({
      unhandled: [],
      callCount: 0,
      entries: 1,
    });
    expect(getEventListeners(cancel.signal, 'abort')).toEqual([]);
  },
);

it('a thousand calls at once finish, each with its own answer, and leave nothing behind', async () => {
  const session = createSession('session');
  const { executor, call, journal } = testExecutor(async (args, context) => {
    context.registerAfterCompletion(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    return echo(args, context);
  });
  const listeners = getEventListeners(session.signal, 'abort').length;
  const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const calls = Array.from({ length: 1_000 }, (_, index) => call({ session, args: { value: `${index}` } }));
  const results = await Promise.all(calls.map((each) => executor.execute(each)));
  expect(results.map((result) => textOf(result))).toEqual(
    results.map((_, index) => JSON.stringify({ type: 'text', text: JSON.stringify({ value: `${index}` }) })),
  );
  expect(journal).toHaveLength(1_000);
  const callIds = calls.map(({ callId }) => callId);
  expect(await takenIds(executor, callIds)).toEqual([]);
  expect(getEventListeners(session.signal, 'abort')).toHaveLength(listeners);
  expect(calls.filter(({ signal }) => getEventListeners(signal, 'abort').length > 0)).toEqual([]);
  expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length).toBeLessThanOrEqual(
    timers,
  );
});
