import { expect, it, vi } from 'vitest';
import { answerRequests, type PagePort } from '../../../extension/dom/doorway.ts';
import type { ToPage } from '../../../extension/core/page/protocol.ts';

function serve(handle: () => void = () => undefined) {
  let say: (request: ToPage) => void = () => undefined;
  const postMessage = vi.fn();
  const handled = vi.fn(handle);
  const forget = vi.fn();
  const port: PagePort<ToPage> = {
    postMessage,
    onMessage: { addListener: (listener) => void (say = listener) },
    onDisconnect: { addListener: () => undefined },
  };
  answerRequests(port, { handle: handled, forget });
  return { say: (request: ToPage): void => say(request), postMessage, handled, forget };
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
