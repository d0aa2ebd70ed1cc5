import { expect, it, vi } from 'vitest';
import { buildCancelled } from '../../../server/core/calls/call.ts';
import { produceJson } from '../../../server/core/calls/produce.ts';
import { testExecutor } from './support.ts';

it('a runtime’s partial result is in the answer of a cancelled call, redacted, and is not requested otherwise', async () => {
  const secret = `ghp_${'0123456789abcdefghijklmnopqrstuvwxyz'}`;
  const known = vi.fn(() => ({ url: `https://example.org/?t=${secret}` }));
  const cancel = new AbortController();
  const cancelled = testExecutor(async (_, { keepState, signal }) => {
    keepState(known);
    cancel.abort(buildCancelled('the client'));
    signal.throwIfAborted();
    return produceJson({});
  });
  const { state } = await cancelled.executor.execute(cancelled.call({ signal: cancel.signal }));
  expect(state['url']).toContain('https://example.org/');
  expect(JSON.stringify(state)).not.toContain(secret);
  known.mockClear();
  const fine = testExecutor(async (_, { keepState }) => {
    keepState(known);
    return produceJson({ a: 1 }, { b: 2 });
  });
  expect((await fine.executor.execute(fine.call())).state).toEqual({ b: 2 });
  expect(known).not.toHaveBeenCalled();
});
