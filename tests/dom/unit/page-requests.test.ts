import { expect, it, vi } from 'vitest';
import { answerRequests, type PagePort } from '../../../extension/dom/doorway.ts';
import type { ToPage } from '../../../extension/core/page/protocol.ts';

function serve(handle: () => void = () => undefined) {
  let say: (request: ToPage) => void = () => undefined;
  const postMessage = vi.fn();
  const handled = vi.fn(handle);
  const [forget, close] = [vi.fn(), vi.fn()];
  let leave: () => void = () => undefined;
  const port: PagePort<ToPage> = {
    postMessage,
    onMessage: { addListener: (listener) => void (say = listener) },
    onDisconnect: { addListener: (listener) => void (leave = listener) },
  };
  answerRequests(port, () => ({ handle: handled, forget, close }));
  return { say: (request: ToPage): void => say(request), postMessage, forget, close, leave: () => leave() };
}

it('a request to a content script fails with a code when its handler throws, and what was kept for it is dropped', () => {
  const { say, postMessage, forget } = serve(() => {
    throw new Error('broken');
  });
  say({ type: 'pulse', id: 4 });
  expect(forget).toHaveBeenCalledWith(4);
  expect(postMessage).toHaveBeenCalledWith({
    type: 'failed',
    id: 4,
    code: 'internal_error',
    message: expect.stringContaining('broken') as string,
  });
});

it('a request that fails when the worker has gone is not answered, and nothing is kept', () => {
  const { say, postMessage, close, leave } = serve(() => {
    leave();
    throw new Error('broken');
  });
  say({ type: 'pulse', id: 4 });
  expect(close).toHaveBeenCalledOnce();
  expect(postMessage).not.toHaveBeenCalled();
});
