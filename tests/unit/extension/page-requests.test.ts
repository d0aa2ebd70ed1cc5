import { describe, expect, it, vi } from 'vitest';
import { FromOffscreen, ToOffscreen } from '../../../extension/offscreen/protocol.ts';
import type { PagePort } from '../../../extension/page/doorway.ts';
import type { ToPage } from '../../../extension/page/protocol.ts';
import { answerRequests } from '../../../extension/page/requests.ts';
import { PopupState } from '../../../extension/popup/protocol.ts';

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

describe('a request to a content script', () => {
  it('fails with a code when its handler throws, and what was kept for it is dropped', () => {
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
});

const JOB = { url: 'https://example.test/', timeoutMs: 1, maxBytes: 1, holdsShell: false };

it.each([
  ['a job', ToOffscreen, { type: 'fetch', id: 1, job: { ...JOB, what: { kind: 'resource' } } }],
  ['a part', FromOffscreen, { type: 'part', id: 1, text: '', done: null }],
])('%s is accepted, and refused without one of its members', (_, schema, message) => {
  expect(schema.safeParse(message).success).toBe(true);
  for (const name of Object.keys(message))
    expect(schema.safeParse({ ...message, [name]: undefined }).success).toBe(false);
});

it.each([[null], [{}], [{ link: { kind: 'failed' } }]])('the popup refuses the state %j', (state) => {
  expect(PopupState.safeParse(state).success).toBe(false);
});
