import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { answersOf, callOf, callWithProgress, gatedHttp, progressOf } from '../support/gated-http.ts';
import { openRawSession, rawRequest } from '../support/raw-http.ts';
import { PATIENCE } from '../support/patience.ts';

// How the streams of an HTTP session end, and what they contain besides responses.

const { gated, serve } = gatedHttp();
let url: string;
beforeAll(async () => {
  url = await serve();
});

describe('a call that its client cancels', () => {
  const cancelOf = (requestId: number): object => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId },
  });

  test('ends its stream without an answer, is not resumed, and does not keep its session', async () => {
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

  test('is answered as before when the answer came first', async () => {
    const session = await openRawSession(url);
    const asked = rawRequest(url, { body: callOf(1), session });
    (await gated.next()).end();
    const { events } = await asked;
    await rawRequest(url, { body: cancelOf(1), session });
    const again = await rawRequest(url, { method: 'GET', session, lastEventId: events[0]?.id });
    expect(answersOf(again, 1)).toEqual(['done']);
  });

  test('continues as a task, which is cancelled by tasks/cancel alone', async () => {
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
});

describe('the client of the SDK', () => {
  /** A client whose GET requests are noted by the status of their answer, and what it complains of. */
  async function connectNoted(url: string): Promise<{
    readonly client: Client;
    readonly gets: readonly number[];
    readonly errors: readonly Error[];
  }> {
    const [gets, errors]: [number[], Error[]] = [[], []];
    const client = new Client({ name: 'noted', version: '1' });
    client.onerror = (error) => errors.push(error);
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (init?.method === 'GET') gets.push(response.status);
        return response;
      },
    });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    await vi.waitFor(() => expect(gets).toEqual([200]), PATIENCE);
    return { client, gets, errors };
  }

  test('takes an error for an answer, and asks for no more', async () => {
    const { client, gets, errors } = await connectNoted(url);
    // It asks once for what follows the error; without the end, it would before the second one.
    for (const statuses of [
      [200, 204],
      [200, 204, 204],
    ]) {
      const read = client.readResource({ uri: 'spillway://output/oh_AAAAAAAAAAAA' });
      await expect(read).rejects.toMatchObject({ code: -32_002 });
      await vi.waitFor(() => expect(gets).toEqual(statuses), PATIENCE);
    }
    expect(errors).toEqual([]);
    await client.close();
  });
});
