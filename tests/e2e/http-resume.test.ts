import { setImmediate as turn } from 'node:timers/promises';
import { rounds } from '../support/depth.ts';
import fc from '../support/property.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { GatedCall } from '../support/gated-tool.ts';
import { openRawSession, rawRequest, type Message, type RawAnswer } from '../support/raw-http.ts';
import { startResumableServer, STEPS, upTo, type ResumableServer } from '../support/resumable-server.ts';
import { PATIENCE } from '../support/patience.ts';
import { within } from '../support/within.ts';

// What a client misses while its connection is broken is kept for it, and given once and in order.

let server: ResumableServer;
beforeAll(async () => {
  server = await startResumableServer();
});
afterAll(() => server.close());

const callOf = (id: number, name = 'gated', meta: object = { progressToken: `p${id}` }): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {}, _meta: meta },
});

const progressOf = (messages: readonly Message[]): unknown[] =>
  messages.flatMap(({ method, params }) =>
    method === 'notifications/progress' ? [params?.['progress']] : [],
  );
const answersOf = (messages: readonly Message[], id: number): string[] =>
  messages.flatMap((message) =>
    message.id === id ? [message.result?.content?.[0]?.text ?? message.error?.message ?? ''] : [],
  );

/** Asks again with the last id until the answer is there. Answers every message, as it came. */
async function resumeUntilAnswered(
  first: RawAnswer,
  { session, id, cuts }: { session: string; id: number; cuts: readonly number[] },
): Promise<Message[]> {
  const messages = [...first.messages];
  let { lastEventId } = first;
  for (let round = 0; answersOf(messages, id).length === 0; round++) {
    expect(lastEventId).toBeDefined();
    const cutAtBytes = cuts[round];
    const resumed = await rawRequest(server.http.url, {
      method: 'GET',
      session,
      lastEventId,
      ...(cutAtBytes === undefined ? {} : { cutAtBytes }),
    });
    expect(resumed.status).toBe(200);
    messages.push(...resumed.messages);
    lastEventId = resumed.lastEventId ?? lastEventId;
  }
  return messages;
}

async function work(call: GatedCall, from: number, to: number): Promise<void> {
  for (let step = from; step <= to; step++) {
    call.progress(step);
    await turn();
  }
}

let nextId = 100;

describe('a call whose connection is cut', () => {
  const PRIMING_BYTES = 40;

  test('continues, and every message arrives once and in order, wherever it is cut', async () => {
    const session = await openRawSession(server.http.url);
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          steps: fc.integer({ min: 0, max: STEPS }),
          before: fc.integer({ min: 0, max: STEPS }),
          first: fc.integer({ min: PRIMING_BYTES, max: 1_000 }),
          cuts: fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 4 }),
          endsBefore: fc.boolean(),
        }),
        async ({ steps, before, first, cuts, endsBefore }) => {
          const id = (nextId += 1);
          const cut = new AbortController();
          const answered = rawRequest(server.http.url, {
            body: callOf(id),
            session,
            cutAtBytes: first,
            signal: cut.signal,
          });
          const call = await server.gated.next();
          const early = Math.min(before, steps);
          await work(call, 1, early);
          cut.abort();
          const read = await within(20_000, answered, 'the cut');
          if (endsBefore) {
            await work(call, early + 1, steps);
            call.end();
          }
          const all = resumeUntilAnswered(read, { session, id, cuts });
          if (!endsBefore) {
            await turn();
            await work(call, early + 1, steps);
            call.end();
          }
          const messages = await within(20_000, all, 'the answer');
          expect(progressOf(messages)).toEqual(upTo(steps));
          expect(answersOf(messages, id)).toEqual(['done']);
        },
      ),
      { numRuns: rounds(60, 12) },
    );
  });

  test.each([
    ['in the middle of an event', (body: string) => body.length - 20],
    ['at the end of an event', (body: string) => body.length],
    ['before the last line break of the answer', (body: string) => body.length - 1],
  ])('%s', async (_name, at) => {
    const session = await openRawSession(server.http.url);
    const whole = rawRequest(server.http.url, { body: callOf(7), session });
    (await server.gated.next()).end();
    const { body } = await whole;
    const again = rawRequest(server.http.url, { body: callOf(8), session, cutAtBytes: at(body) });
    (await server.gated.next()).end();
    const messages = await resumeUntilAnswered(await again, { session, id: 8, cuts: [] });
    expect(answersOf(messages, 8)).toEqual(['done']);
  });

  test('can be asked for twice, and a stream that was answered ends by itself', async () => {
    const session = await openRawSession(server.http.url);
    const asked = rawRequest(server.http.url, {
      body: callOf(1),
      session,
      cutWhen: (body) => body.includes('retry'),
    });
    const call = await server.gated.next();
    const { lastEventId } = await asked;
    call.end();
    for (const _ of [1, 2]) {
      const resumed = await within(
        5_000,
        rawRequest(server.http.url, { method: 'GET', session, lastEventId }),
        'the end of the stream',
      );
      expect(answersOf(resumed.messages, 1)).toEqual(['done']);
    }
  });

  test('a second connection for the same stream takes it over', async () => {
    const session = await openRawSession(server.http.url);
    const first = rawRequest(server.http.url, { body: callOf(1), session });
    const call = await server.gated.next();
    // Its client has lost it; the server has not noticed yet.
    const resumed = rawRequest(server.http.url, { method: 'GET', session, lastEventId: '1-1' });
    expect((await within(20_000, first, 'the end of the first connection')).messages).toEqual([]);
    call.end();
    expect(answersOf((await resumed).messages, 1)).toEqual(['done']);
  });

  test('is cancelled by DELETE of its session', async () => {
    const session = await openRawSession(server.http.url);
    const cutWhen = (body: string): boolean => body.includes('retry');
    const asked = rawRequest(server.http.url, { body: callOf(1), session, cutWhen });
    const call = await server.gated.next();
    const { lastEventId } = await asked;
    expect(call.signal.aborted).toBe(false);
    await rawRequest(server.http.url, { method: 'DELETE', session });
    await vi.waitFor(() => expect(call.signal.aborted).toBe(true), PATIENCE);
    expect(String(call.signal.reason)).toContain('the end of the connection');
    const late = await rawRequest(server.http.url, { method: 'GET', session, lastEventId });
    expect(late.status).toBe(404);
  });
});

describe('what cannot be resumed is refused', () => {
  test.each(['0', '0-99', 'zz-1', '0--1', '0-1e3', '0-9999999999999999999'])(
    'Last-Event-ID %j',
    async (lastEventId) => {
      const session = await openRawSession(server.http.url);
      const got = await rawRequest(server.http.url, {
        method: 'GET',
        session,
        lastEventId,
        cutWhen: (body) => body.includes('data'),
      });
      expect(got.status).toBe(400);
      expect(got.messages).toEqual([]);
    },
  );

  test('events of another session are not there', async () => {
    const [mine, other] = [await openRawSession(server.http.url), await openRawSession(server.http.url)];
    const asked = rawRequest(server.http.url, { body: callOf(1), session: other });
    (await server.gated.next()).end();
    await asked;
    for (const lastEventId of ['1-0', '1-1', '1-2'])
      expect((await rawRequest(server.http.url, { method: 'GET', session: mine, lastEventId })).status).toBe(
        400,
      );
  });
});

test.each([
  ['2025-06-18', 'a client that takes no event without data gets none'],
  ['2025-11-25', 'what was agreed on holds'],
])('%s: %s, whatever a later header says', async (agreed) => {
  const session = await openRawSession(server.http.url, { version: agreed });
  for (const version of ['2025-06-18', '2025-11-25', null]) {
    const asked = rawRequest(server.http.url, { body: callOf(1), session, version });
    (await server.gated.next()).end();
    const empty = (await asked).events.filter(({ data }) => data === '');
    expect(empty.map(({ retry }) => retry)).toEqual(agreed === '2025-06-18' ? [] : ['500']);
  }
  const unknown = await rawRequest(server.http.url, { body: callOf(1), session, version: '1999-01-01' });
  expect(unknown.status).toBe(400);
});

test('nothing is left of a session that ended, or of a request that asked for none', async () => {
  let listening = 0;
  const own = await server.serve({
    logs: {
      onLine: () => {
        listening += 1;
        return () => (listening -= 1);
      },
    },
  });
  try {
    const stray = await rawRequest(own.url, { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
    expect(stray.status).toBe(400);
    await vi.waitFor(() => expect(listening).toBe(0), PATIENCE);
    const session = await openRawSession(own.url);
    expect(listening).toBe(1);
    await rawRequest(own.url, { method: 'DELETE', session });
    await vi.waitFor(() => expect(listening).toBe(0), PATIENCE);
  } finally {
    await own.close();
  }
});

describe('several sessions at once', () => {
  test('each has a list of its own, and hears of its own changes alone', async () => {
    const [grown, other] = [await openRawSession(server.http.url), await openRawSession(server.http.url)];
    const list = async (session: string): Promise<string> =>
      (await rawRequest(server.http.url, { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, session }))
        .body;
    const ear = new AbortController();
    const heard = rawRequest(server.http.url, {
      method: 'GET',
      session: grown,
      cutWhen: (body) => body.includes('list_changed'),
    });
    const silent = rawRequest(server.http.url, { method: 'GET', session: other, signal: ear.signal });
    await rawRequest(server.http.url, { body: callOf(1, 'grow'), session: grown });
    const { messages } = await within(20_000, heard, 'the notification');
    expect(messages.map(({ method }) => method)).toEqual(['notifications/tools/list_changed']);
    ear.abort();
    expect((await silent).messages).toEqual([]);
    expect(await list(grown)).toContain('"name":"console"');
    expect(await list(other)).not.toContain('"name":"console"');
  });

  test('a stream for notifications that broke before the first one is resumed too', async () => {
    const session = await openRawSession(server.http.url);
    const opened = await rawRequest(server.http.url, {
      method: 'GET',
      session,
      cutWhen: (body) => body.includes('data'),
    });
    expect(opened.lastEventId).toBeDefined();
    await rawRequest(server.http.url, { body: callOf(1, 'grow'), session });
    const resumed = await rawRequest(server.http.url, {
      method: 'GET',
      session,
      lastEventId: opened.lastEventId,
      cutWhen: (body) => body.includes('list_changed'),
    });
    expect(resumed.messages.map(({ method }) => method)).toEqual(['notifications/tools/list_changed']);
  });
});
