import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { callOf, gatedHttp, statusOf } from '../support/gated-http.ts';
import { openRawSession, rawRequest } from '../support/raw-http.ts';
import { within } from '../support/within.ts';

const { serve } = gatedHttp();

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

interface BegunBody {
  readonly finish: () => void;
  readonly ended: Promise<unknown>;
}
/** Sends the head of a request, gets 100 Continue, and sends no more until released. */
async function beginBody(url: string, session: string): Promise<BegunBody> {
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
  sent.flushHeaders();
  await once(sent, 'continue');
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
  const session = await openRawSession(url);
  const { ended } = await beginBody(url, session);
  expect(await within(60_000, ended, 'the end of the connection')).toBe(408);
  expect(await statusOf(url, session)).toBe(200);
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
