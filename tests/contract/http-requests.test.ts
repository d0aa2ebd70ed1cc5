import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { answersOf, callOf, gatedHttp, statusOf } from '../support/gated-http.ts';
import { openRawSession, rawRequest } from '../support/raw-http.ts';
import { within } from '../support/within.ts';

// What a session may ask at once, and how requests are refused.

const { gated, serve } = gatedHttp();

describe('a request whose id is in use', () => {
  const withText = (text: string): object => callOf(5, { arguments: { text } });

  test('is refused, and the first is answered where it was asked', async () => {
    const url = await serve();
    const session = await openRawSession(url);
    const first = rawRequest(url, { body: withText('first'), session });
    const call = await gated.next();
    const second = await within(
      20_000,
      rawRequest(url, { body: withText('second'), session }),
      'the refusal',
    );
    expect(second.status).toBe(400);
    expect(JSON.parse(second.body)).toMatchObject({
      error: { code: -32_600, message: expect.stringContaining('5') },
    });
    call.end();
    expect(answersOf(await within(60_000, first, 'the answer'), 5)).toEqual(['first']);
    const third = rawRequest(url, { body: withText('third'), session });
    (await gated.next()).end();
    expect(answersOf(await third, 5)).toEqual(['third']);
  });

  test('is free again once it is cancelled, or was refused', async () => {
    const url = await serve();
    const session = await openRawSession(url);
    const first = rawRequest(url, { body: withText('first'), session });
    await gated.next();
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } };
    await rawRequest(url, { body: cancel, session });
    expect(answersOf(await within(60_000, first, 'the end of the stream'), 5)).toEqual([]);
    expect((await rawRequest(url, { body: withText('bad'), session, version: '1999-01-01' })).status).toBe(
      400,
    );
    const again = rawRequest(url, { body: withText('again'), session });
    (await gated.next()).end();
    expect(answersOf(await within(60_000, again, 'the answer'), 5)).toEqual(['again']);
  });
});

test('a batch of very many messages is refused before any is looked at', async () => {
  const url = await serve();
  const version = '2025-03-26';
  const session = await openRawSession(url, { version });
  // Two have one id, which a batch that is looked at is refused for.
  const body = Array.from({ length: 101 }, (_, index) => callOf(index % 100));
  const answered = await rawRequest(url, { body, session, version });
  expect(answered.status).toBe(400);
  expect(JSON.parse(answered.body)).toMatchObject({
    error: { code: -32_600, message: 'Invalid Request: a batch has at most 100 messages.' },
  });
  expect(await statusOf(url, session)).toBe(200);
});

describe('a body', () => {
  interface BegunBody {
    /** Sends the rest. */
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

  test('that is not there yet is a use, and no work', async () => {
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

  test('that never ends is hung up on', async () => {
    const url = await serve({ bodyMs: 200 });
    const session = await openRawSession(url);
    const { ended } = await beginBody(url, session);
    expect(await within(60_000, ended, 'the end of the connection')).toBe(408);
    expect(await statusOf(url, session)).toBe(200);
  });

  test.each(['{', ''])('of %j is refused', async (body) => {
    const url = await serve();
    const session = await openRawSession(url);
    const accept = 'application/json, text/event-stream';
    const headers = { 'content-type': 'application/json', accept, 'mcp-session-id': session };
    const answered = await fetch(url, { method: 'POST', body, headers });
    expect(answered.status).toBe(400);
    expect(await answered.json()).toMatchObject({ error: { code: -32_700 } });
    expect(await statusOf(url, session)).toBe(200);
  });
});
