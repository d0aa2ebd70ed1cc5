import { request } from 'node:http';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import type { Gate } from '../../../server/core/calls/prepare.ts';
import { answersOf, callOf, gatedHttp, statusOf } from '../../support/gated-http.ts';
import type { GatedCall } from '../../support/gated-tool.ts';
import { startMemoryServer } from '../../support/memory-client.ts';
import { openRawSession, rawRequest, type RawAnswer } from '../../support/raw-http.ts';
import { PATIENCE } from '../../support/patience.ts';

const { gated, serve } = gatedHttp();

interface Broken {
  readonly session: string;
  readonly call: GatedCall;
  readonly lastEventId: string | undefined;
}
/** A session with an active call, whose client has lost its connection. */
async function breakCall(url: string): Promise<Broken> {
  const session = await openRawSession(url);
  const cutWhen = (body: string): boolean => body.includes('retry');
  const asked = rawRequest(url, { body: callOf(1), session, cutWhen });
  const call = await gated.next();
  return { session, call, lastEventId: (await asked).lastEventId };
}
const resume = (url: string, { session, lastEventId }: Broken): Promise<RawAnswer> =>
  rawRequest(url, { method: 'GET', session, lastEventId });

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'more', version: '1' } },
};
const statusOfOneMore = async (url: string): Promise<number> =>
  (await rawRequest(url, { body: INITIALIZE, version: null })).status;

/** A client that only listens; returns a function that stops it. */
async function listen(url: string): Promise<{ readonly session: string; readonly stop: () => void }> {
  const session = await openRawSession(url);
  const headers = { accept: 'text/event-stream', 'mcp-session-id': session };
  const sent = request(url, { headers, agent: false });
  sent.on('error', () => undefined);
  sent.end();
  await once(sent, 'response');
  return { session, stop: () => sent.destroy() };
}

test('one session more than a port keeps ends the one that was used longest ago, and none with work or a listener', async () => {
  const url = await serve({ maxSessions: 4 });
  const broken = await breakCall(url);
  const listening = await listen(url);
  const [older, newer] = [await openRawSession(url), await openRawSession(url)];
  expect(await statusOf(url, older)).toBe(200);
  const more = await openRawSession(url);
  const statuses = async (...sessions: string[]): Promise<number[]> =>
    Promise.all(sessions.map((session) => statusOf(url, session)));
  expect(await statuses(broken.session, listening.session, older, newer, more)).toEqual([
    200, 200, 200, 404, 200,
  ]);
  // The merely listening client's session ends if the others are at work.
  const busy = [await breakCall(url), await breakCall(url), await breakCall(url)];
  expect(await statuses(broken.session, listening.session)).toEqual([200, 404]);
  expect(broken.call.signal.aborted).toBe(false);
  for (const { call } of [broken, ...busy]) call.end();
  expect(answersOf(await resume(url, broken), 1)).toEqual(['done']);
  listening.stop();
});

test('one session more than a port keeps is refused while all are busy, also with tasks, and accepted when one has ended', async () => {
  const url = await serve({ maxSessions: 2 });
  const broken = await breakCall(url);
  const session = await openRawSession(url);
  await rawRequest(url, { body: callOf(1, { task: {} }), session });
  const task = await gated.next();
  const refused = await rawRequest(url, { body: INITIALIZE, version: null });
  expect(refused.status).toBe(503);
  expect(JSON.parse(refused.body)).toMatchObject({
    error: { code: -32_000, data: { error: { code: 'too_many_sessions', retryable: true } } },
  });
  expect([broken.call.signal.aborted, task.signal.aborted]).toEqual([false, false]);
  task.end();
  await vi.waitFor(async () => expect(await statusOfOneMore(url)).toBe(200), PATIENCE);
  expect(await statusOf(url, session)).toBe(404);
  broken.call.end();
});

test.each<[string, unknown, Record<string, string>, number, RegExp]>([
  ['takes no stream', INITIALIZE, { accept: 'application/json' }, 406, /text\/event-stream/],
  ['is not JSON-RPC', { ...INITIALIZE, jsonrpc: undefined }, {}, 400, /jsonrpc/],
  ['is in a batch', [INITIALIZE, { jsonrpc: '2.0', id: 1, method: 'ping' }], {}, 400, /Batches/],
])(
  'one session more than a port keeps is not an initialize that %s, and gets an error that says so',
  async (_what, body, headers, status, message) => {
    const url = await serve({ maxSessions: 1 });
    const session = await openRawSession(url);
    const refused = async (): Promise<unknown> => {
      const all = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const sent = { method: 'POST', body: JSON.stringify(body), headers: { ...all, ...headers } };
      const answer = await fetch(url, sent);
      expect(answer.status).toBe(status);
      return answer.json();
    };
    const fault = { error: { message: expect.stringMatching(message) } };
    expect(await refused()).toMatchObject(fault);
    expect(await statusOf(url, session)).toBe(200);
    // If all are at work it fails in the same way, without a retry hint; so does a request without a session.
    const asked = rawRequest(url, { body: callOf(1), session });
    const call = await gated.next();
    expect(await refused()).toMatchObject(fault);
    expect((await rawRequest(url, { method: 'GET' })).status).toBe(400);
    call.end();
    expect(answersOf(await asked, 1)).toEqual(['done']);
  },
);

test('a session whose call waits for a person does not end for another, until the call that was allowed has ended', async () => {
  const gate: Gate = { check: async () => ({ ask: { question: 'May it?' } }) };
  const parts = { manifests: [gated.manifest], runtimes: gated.runtimes, gate };
  const asking = await startMemoryServer({}, parts);
  const url = await serve({ ...asking.faces, maxSessions: 1 });
  const session = await openRawSession(url);
  const asked = await rawRequest(url, { body: callOf(1), session });
  const { pending } = z
    .object({ pending: z.object({ call_id: z.string() }) })
    .parse(JSON.parse(String(answersOf(asked, 1)[0])));
  expect(await statusOfOneMore(url)).toBe(503);
  const decided = asking.executor.questions.decide(pending.call_id, { approve: true, by: 'Ada' });
  const call = await gated.next();
  expect(await statusOfOneMore(url)).toBe(503);
  call.end();
  expect((await decided).ok).toBe(true);
  expect(await statusOf(url, session)).toBe(200);
  expect(await statusOfOneMore(url)).toBe(200);
  await asking.close();
});

test('a session without use ends, and none with a call, a task or a listener', async () => {
  // This time passes only while the test waits for it, by `vi.waitFor`, not in a pause between two requests.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let clients = 0;
  const url = await serve({ idleMs: 2_000, onClients: ({ length }) => (clients = length) });
  const left = (count: number): Promise<void> => vi.waitFor(() => expect(clients).toBe(count), PATIENCE);
  const listening = await listen(url);
  const broken = await breakCall(url);
  await rawRequest(url, { body: callOf(1, { task: {} }), session: await openRawSession(url) });
  const task = await gated.next();
  // It was used last: a remaining session is kept for another reason.
  await openRawSession(url);
  await left(3);
  expect([broken.call.signal.aborted, task.signal.aborted]).toEqual([false, false]);
  broken.call.end();
  task.end();
  expect(answersOf(await resume(url, broken), 1)).toEqual(['done']);
  await left(1);
  expect(await statusOf(url, listening.session)).toBe(200);
  listening.stop();
  await left(0);
});

test('a session lists what its address selects, and a word that selects nothing is refused', async () => {
  const url = await serve();
  const toolsAt = async (at: string): Promise<string> => {
    const session = await openRawSession(at);
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    return (await rawRequest(at, { body, session })).body;
  };
  expect(await toolsAt(url)).toContain('"crawl"');
  const reading = await toolsAt(`${url}?tools=read`);
  expect(reading).toContain('"read_page"');
  expect(reading).not.toContain('"crawl"');
  const refused = await rawRequest(`${url}?tools=raed`, { body: INITIALIZE, version: null });
  expect(refused).toMatchObject({ status: 400, sessionId: undefined });
  expect(JSON.parse(refused.body)).toMatchObject({
    error: { code: -32_000, message: expect.stringMatching(/\?tools=: .*"raed".*read/) },
  });
});
