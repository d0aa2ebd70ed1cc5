import { describe, expect, it, vi } from 'vitest';
import { FromOffscreen, ToOffscreen } from '../../../extension/offscreen/protocol.ts';
import { ToExtract } from '../../../extension/page/extract/protocol.ts';
import { ToPage } from '../../../extension/page/protocol.ts';
import { answerRequests } from '../../../extension/page/requests.ts';
import { PopupState } from '../../../extension/popup/protocol.ts';

function serve(handle: () => void = () => undefined) {
  let say: (message: unknown) => void = () => undefined;
  const postMessage = vi.fn();
  const handled = vi.fn(handle);
  const forget = vi.fn();
  const port = {
    postMessage,
    onMessage: { addListener: (listener: typeof say) => void (say = listener) },
    onDisconnect: { addListener: () => undefined },
  };
  answerRequests(port, { schema: ToPage, handle: handled, forget });
  return { say: (message: unknown): void => say(message), postMessage, handled, forget };
}

describe('a request to a content script', () => {
  it('is handled when it is well formed', () => {
    const { say, handled, postMessage } = serve();
    say({ type: 'pull', id: 3 });
    expect(handled).toHaveBeenCalledWith({ type: 'pull', id: 3 });
    expect(postMessage).not.toHaveBeenCalled();
  });

  it('fails with a code when it is malformed, and what was kept for it is dropped', () => {
    const { say, handled, postMessage, forget } = serve();
    say({ type: 'read', id: 3, options: { format: 'pdf' } });
    expect(handled).not.toHaveBeenCalled();
    expect(forget).toHaveBeenCalledWith(3);
    expect(postMessage).toHaveBeenCalledWith(
      expect.objectContaining({ type: 'failed', id: 3, code: 'internal_error' }),
    );
  });

  it('is dropped when it has no id', () => {
    const { say, handled, postMessage } = serve();
    for (const message of [null, 7, {}, { type: 'pull' }, { type: 'pull', id: 'x' }]) say(message);
    expect(handled).not.toHaveBeenCalled();
    expect(postMessage).not.toHaveBeenCalled();
  });

  it('fails when its handler throws', () => {
    const { say, postMessage } = serve(() => {
      throw new Error('broken');
    });
    say({ type: 'pulse', id: 4 });
    expect(postMessage).toHaveBeenCalledWith(expect.objectContaining({ type: 'failed', id: 4 }));
  });
});

const JOB = { url: 'https://example.test/', timeoutMs: 1, maxBytes: 1, holdsShell: false };
const FOUND = { fields: [], strategies: ['json_ld'], selectors: null, scope: null, multiple: true };

it.each([
  ['a search', ToExtract, { type: 'extract', id: 1, request: FOUND }],
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
