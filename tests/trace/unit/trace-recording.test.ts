import { expect, it } from 'vitest';
import { Recording } from '../../../extension/trace/worker/trace.handler.ts';
import type { DebuggerLease } from '../../../extension/platform/chromium/debugger/sessions.ts';

const signal = new AbortController().signal;

async function write(data: string, eof: boolean) {
  const sent: string[] = [];
  const answers: Readonly<Record<string, Record<string, unknown>>> = {
    'Page.getFrameTree': { frameTree: { frame: { id: 'F' }, childFrames: [{ frame: { id: 'G' } }] } },
    'IO.read': { data, eof },
  };
  const lease: Pick<DebuggerLease, 'tabId' | 'signal' | 'send' | 'onEvent'> = {
    ...{ tabId: 7, signal },
    send: async (method) => {
      sent.push(method);
      return answers[method] ?? {};
    },
    onEvent: (listener) => {
      const params = { stream: '1', dataLossOccurred: true };
      queueMicrotask(() => listener({ sessionId: null, method: 'Tracing.tracingComplete', params }));
      return () => undefined;
    },
  };
  const recording = await Recording.begin(lease as DebuggerLease);
  const written = recording.write({ write: async () => undefined, flush: async () => undefined }, signal);
  return { sent, written };
}

it('says that the browser lost events, and which frames the tab had', async () => {
  const { written } = await write('{}', true);
  expect(await written).toMatchObject({ is_lossy: true, frames: ['F', 'G'] });
});

it('gives up a trace that is too large, and closes its stream', async () => {
  const { sent, written } = await write('x'.repeat(2 ** 20), false);
  await expect(written).rejects.toMatchObject({ code: 'response_too_large' });
  expect(sent.filter((method) => method === 'IO.read')).toHaveLength(65);
  expect(sent.at(-1)).toBe('IO.close');
});
