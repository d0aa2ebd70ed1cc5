import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  callOf,
  gatedHttp,
  statusOf,
  answersOf,
  callWithProgress,
  progressOf,
} from '../../support/gated-http.ts';
import { openRawSession, rawRequest } from '../../support/raw-http.ts';
import { within } from '../../support/within.ts';
import { PATIENCE } from '../../support/patience.ts';

const { gated, serve } = gatedHttp();

test('a batch is refused', async () => {
  const url = await serve();
  const version = '2025-03-26';
  const session = await openRawSession(url, { version });
  const answered = await rawRequest(url, { body: [callOf(1), callOf(2)], session, version });
  expect(answered.status).toBe(400);
  expect(JSON.parse(answered.body)).toMatchObject({
    error: { code: -32_600, message: expect.stringContaining('Batches are not supported') },
  });
  expect(await statusOf(url, session)).toBe(200);
});

test('an idle connection has a time, which ends before the server closes it', async () =>
  expect((await fetch(await serve())).headers.get('keep-alive')).toBe('timeout=60'));

/** Sends the head of a request, gets 100 Continue, and sends no more until released. */
async function beginBody(url: string, session: string) {
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'content-length': 100,
    expect: '100-continue',
    'mcp-session-id': session,
  };
  const sent = request(url, { method: 'POST', agent: false, headers });
  const ended = once(sent, 'response').then(([response]: IncomingMessage[]) => {
    response?.resume();
    return response?.statusCode;
  });
  ended.catch(() => undefined);
  sent.on('error', () => undefined);
  sent.flushHeaders();
  await Promise.race([once(sent, 'continue'), ended]);
  sent.write('{');
  return { finish: () => sent.end('}'.padStart(99)), ended };
}

test('a body that is not there yet is a use, and no work', async () => {
  const url = await serve({ maxSessions: 2 });
  const [slow, other] = [await openRawSession(url), await openRawSession(url)];
  await beginBody(url, slow);
  await openRawSession(url);
  expect([await statusOf(url, other), await statusOf(url, slow)]).toEqual([404, 200]);
  const begun = await beginBody(url, slow);
  await openRawSession(url);
  await openRawSession(url);
  expect(await statusOf(url, slow)).toBe(404);
  begun.finish();
  expect(await within(60_000, begun.ended, 'the answer')).toBe(404);
});

test('a body that never ends is hung up on', async () => {
  const url = await serve({ bodyMs: 200 });
  // If this process pauses, the time of any request runs out, or the answer is lost in a reset.
  const session = await vi.waitFor(() => openRawSession(url), PATIENCE);
  await vi.waitFor(async () => expect(await (await beginBody(url, session)).ended).toBe(408), PATIENCE);
  await vi.waitFor(async () => expect(await statusOf(url, session)).toBe(200), PATIENCE);
});

test.each(['{', ''])('a body of %j is refused', async (body) => {
  const url = await serve();
  const session = await openRawSession(url);
  const accept = 'application/json, text/event-stream';
  const headers = { 'content-type': 'application/json', accept, 'mcp-session-id': session };
  const answered = await fetch(url, { method: 'POST', body, headers });
  expect(answered.status).toBe(400);
  expect(await answered.json()).toMatchObject({ error: { code: -32_700 } });
  expect(await statusOf(url, session)).toBe(200);
});

const cancelOf = (requestId: number): object => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

test('a call that its client cancels ends its stream without an answer, is not resumed, and does not keep its session', async () => {
  // This time passes only while the test waits for it, by `vi.waitFor`, not in a pause between two requests.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let clients: readonly unknown[] = [];
  const own = await serve({ idleMs: 4_000, onClients: (known) => (clients = known) });
  const session = await openRawSession(own);
  // Belonging to its client's task does not suppress its progress.
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
  const url = await serve();
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
