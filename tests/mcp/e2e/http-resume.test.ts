import { setImmediate as turn } from 'node:timers/promises';
import { rounds } from '../../support/depth.ts';
import fc from '../../support/property.ts';
import { beforeAll, expect, test, vi } from 'vitest';
import type { GatedCall } from '../../support/gated-tool.ts';
import {
  answersOf,
  callOf,
  callWithProgress,
  gatedHttp,
  progressOf,
  upTo,
} from '../../support/gated-http.ts';
import { openRawSession, rawRequest, type Message, type RawAnswer } from '../../support/raw-http.ts';
import { PATIENCE } from '../../support/patience.ts';
import { within } from '../../support/within.ts';

// Messages missed during a broken connection are kept for the client, and sent once and in order.

const { gated, serve } = gatedHttp();
let url: string;
beforeAll(async () => (url = await serve()));

/** Progress steps before and after a client reconnects. */
const STEPS = 12;
const resume = (session: string, lastEventId: string | undefined): Promise<RawAnswer> =>
  rawRequest(url, { method: 'GET', session, lastEventId });
/** A call whose client loses its connection as soon as it can resume. */
async function breakCall(session: string) {
  const cutWhen = (body: string): boolean => body.includes('retry');
  const asked = rawRequest(url, { body: callOf(1), session, cutWhen });
  const call = await gated.next();
  return { call, lastEventId: (await asked).lastEventId };
}

/** Reconnects with the last id until the answer arrives. Returns every message in order. */
async function resumeUntilAnswered(
  first: RawAnswer,
  { session, id, cuts }: { session: string; id: number; cuts: readonly number[] },
): Promise<Message[]> {
  const messages = [...first.messages];
  let { lastEventId } = first;
  for (let round = 0; answersOf({ messages }, id).length === 0; round++) {
    expect(lastEventId).toBeDefined();
    const cutAtBytes = cuts[round];
    const resumed = await rawRequest(url, {
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

const PRIMING_BYTES = 40;

test('a call whose connection is cut continues, and every message arrives once and in order, wherever it is cut', async () => {
  const session = await openRawSession(url);
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
        const answered = rawRequest(url, {
          body: callWithProgress(id),
          session,
          cutAtBytes: first,
          signal: cut.signal,
        });
        const call = await gated.next();
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
        expect(answersOf({ messages }, id)).toEqual(['done']);
      },
    ),
    { numRuns: rounds(60, 12) },
  );
});

test('a call whose connection is cut is cancelled by DELETE of its session', async () => {
  const session = await openRawSession(url);
  const { call, lastEventId } = await breakCall(session);
  expect(call.signal.aborted).toBe(false);
  await rawRequest(url, { method: 'DELETE', session });
  await vi.waitFor(() => expect(call.signal.aborted).toBe(true), PATIENCE);
  expect(String(call.signal.reason)).toContain('the end of the connection');
  expect((await resume(session, lastEventId)).status).toBe(404);
});

test.each(['zz', '0-99', '-1', '1e3', '9999999999999999999'])(
  'what cannot be resumed is refused Last-Event-ID %j',
  async (id) => {
    expect(await resume(await openRawSession(url), id)).toMatchObject({ status: 400, messages: [] });
  },
);

test.each(['2025-06-18', '2025-11-25'])(
  '%s: a client gets an event without data only where it takes one',
  async (version) => {
    const session = await openRawSession(url, { version });
    const asked = rawRequest(url, { body: callOf(1), session, version });
    (await gated.next()).end();
    const empty = (await asked).events.filter(({ data }) => data === '');
    expect(empty.map(({ retry }) => retry)).toEqual(version === '2025-06-18' ? [] : ['500']);
    const unknown = await rawRequest(url, { body: callOf(1), session, version: '1999-01-01' });
    expect(unknown.status).toBe(400);
  },
);
