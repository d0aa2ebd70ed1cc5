import { expect, test } from 'vitest';
import { FrameSessions } from '../../../extension/background/act/frame-sessions.ts';
import type { DebuggerLease } from '../../../extension/background/chromium/debugger/sessions.ts';

/** The debugger of a tab with one frame in another process, which has the script `inner`. */
function attached({ answers = () => true }: { readonly answers?: () => boolean } = {}) {
  const sent: string[] = [];
  const lease: Partial<DebuggerLease> = {
    sessions: () => ['frame'],
    autoAttaches: () => true,
    announcements: () => [
      {
        sessionId: null,
        method: 'Target.attachedToTarget',
        params: { sessionId: 'frame', targetInfo: { type: 'iframe' } },
      },
    ],
    contexts: { in: () => [1], of: () => 1 },
    send: (method) => {
      sent.push(method);
      if (!answers()) return Promise.reject(new Error('The frame is stuck.'));
      return Promise.resolve(method === 'Runtime.evaluate' ? { result: { value: 'inner' } } : {});
    },
  };
  return { sessions: new FrameSessions(lease as DebuggerLease), sent };
}

test('a document is found in the session that draws it', async () => {
  const { sessions } = attached();
  expect(await sessions.of('inner')).toBe('frame');
});

test('frames that do not draw a document are looked at once', async () => {
  const { sessions, sent } = attached();
  expect(await sessions.of('top')).toBeNull();
  expect(sent).toContain('Runtime.evaluate');
  sent.length = 0;
  expect(await sessions.of('top')).toBeNull();
  expect(sent).toEqual([]);
});

test('a frame that did not answer is looked at again', async () => {
  let answers = false;
  const { sessions } = attached({ answers: () => answers });
  expect(await sessions.of('inner')).toBeNull();
  answers = true;
  expect(await sessions.of('inner')).toBe('frame');
});
