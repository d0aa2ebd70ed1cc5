import { expect, it } from 'vitest';
import { runFunction } from '../../../extension/platform/chromium/evaluate.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';

const { signal } = new AbortController();
const idle = () => Promise.resolve({});
const busy = () => Promise.reject(new SpillwayError('page_unresponsive', 'It is busy.'));
const never = () => new Promise<never>(() => undefined);

it.each([
  ['only waits', [idle], idle, ': it may still run.'],
  ['is busy', [busy, idle], idle, ', and was stopped.'],
  ['does not stop', [busy, busy], idle, ': it may still run.'],
  ['cannot be paused', [busy, idle], busy, ': it may still run.'],
])('a late function that %s ends as its answer says', async (_what, probes, pause, end) => {
  const send = (method: string): Promise<object> => {
    if (method === 'Runtime.callFunctionOn') return never();
    if (method === 'Debugger.pause') return pause();
    return method === 'Runtime.evaluate' ? (probes.shift() ?? idle)() : idle();
  };
  const lease = { onEvent: () => () => undefined, send };
  const running = { lease, code: '1', args: [], timeout_ms: 1, isAsked: () => false, signal };
  const late = runFunction({ session: null, within: 'w', element: null }, running as never);
  await expect(late).rejects.toThrow(`within 1 ms${end}`);
});
