import { beforeAll, expect, test, vi } from 'vitest';
import { answersOf, callOf, callWithProgress, gatedHttp, progressOf } from '../support/gated-http.ts';
import { openRawSession, rawRequest } from '../support/raw-http.ts';
import { PATIENCE } from '../support/patience.ts';

const { gated, serve } = gatedHttp();
let url: string;
beforeAll(async () => {
  url = await serve();
});

const cancelOf = (requestId: number): object => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

test('a call that its client cancels ends its stream without an answer, is not resumed, and does not keep its session', async () => {
  let clients: readonly unknown[] = [];
  const own = await serve({ idleMs: 4_000, onClients: (known) => (clients = known) });
  const session = await openRawSession(own);
  // That it belongs to a task of its client does not keep its progress back.
  const meta = { 'io.modelcontextprotocol/related-task': { taskId: 'of the client' } };
  const asked = rawRequest(own, { body: callWithProgress(1, meta), session });
  const call = await gated.next();
  call.progress(1);
  await rawRequest(own, { body: cancelOf(1), session });
  const ended = await asked;
  expect(call.signal.aborted).toBe(true);
  expect(progressOf(ended.messages)).toEqual([1]);
  expect(answersOf(ended, 1)).toEqual([]);
  for (const [lastEventId, status] of [
    [ended.events[0]?.id, 200],
    [ended.events.at(-1)?.id, 204],
  ] as const) {
    const resumed = await rawRequest(own, { method: 'GET', session, lastEventId });
    expect(resumed.status).toBe(status);
    expect(answersOf(resumed, 1)).toEqual([]);
  }
  expect(clients).toHaveLength(1);
  await vi.waitFor(() => expect(clients).toEqual([]), PATIENCE);
});

test('a call that its client cancels continues as a task, which is cancelled by tasks/cancel alone', async () => {
  const session = await openRawSession(url);
  const [created] = (await rawRequest(url, { body: callOf(1, { task: {} }), session })).messages;
  const { taskId } = (created?.result as { task: { taskId: string } }).task;
  const call = await gated.next();
  await rawRequest(url, { body: cancelOf(1), session });
  const asked = rawRequest(url, {
    body: { jsonrpc: '2.0', id: 2, method: 'tasks/result', params: { taskId } },
    session,
  });
  call.end();
  expect(answersOf(await asked, 2)).toEqual(['done']);
  expect(call.signal.aborted).toBe(false);
});
