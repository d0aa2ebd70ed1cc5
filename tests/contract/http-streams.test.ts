import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { serveHttp, type HttpOptions, type HttpSession } from '../../server/adapters/mcp/http/serve.ts';
import { GatedTool } from '../support/gated-tool.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';
import { openRawSession, rawRequest, type Message } from '../support/raw-http.ts';
import { within } from '../support/within.ts';
import { PATIENCE } from '../support/patience.ts';

// How the streams of an HTTP session end, and what they contain besides responses.

const gated = new GatedTool();
let memory: MemoryServer;
let http: HttpSession;
const serve = (options: Partial<HttpOptions> = {}): Promise<HttpSession> =>
  serveHttp({ ...memory.faces, port: 0, token: null, onClients: () => undefined, ...options });

beforeAll(async () => {
  memory = await startMemoryServer({}, { manifests: [gated.manifest], runtimes: gated.runtimes });
  http = await serve();
});
afterAll(async () => {
  await http.close();
  await memory.close();
});

const callOf = (id: number, meta: object = { progressToken: 'p' }): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'gated', arguments: {}, _meta: meta },
});
const progressOf = (messages: readonly Message[]): unknown[] =>
  messages.flatMap(({ method, params }) =>
    method === 'notifications/progress' ? [params?.['progress']] : [],
  );
const answersOf = (messages: readonly Message[], id: number): unknown[] =>
  messages.flatMap((message) => (message.id === id ? [message.result?.content?.[0]?.text] : []));

describe('a call that its client cancels', () => {
  const cancelOf = (requestId: number): object => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId },
  });

  test('ends its stream without an answer, is not resumed, and does not keep its session', async () => {
    let clients: readonly unknown[] = [];
    const own = await serve({ idleMs: 8_000, onClients: (known) => (clients = known) });
    try {
      const session = await openRawSession(own.url);
      const asked = rawRequest(own.url, { body: callOf(1), session });
      const call = await gated.next();
      call.progress(1);
      await rawRequest(own.url, { body: cancelOf(1), session });
      const { messages, events } = await within(7_500, asked, 'the end of the stream');
      expect(call.signal.aborted).toBe(true);
      expect(progressOf(messages)).toEqual([1]);
      expect(answersOf(messages, 1)).toEqual([]);
      for (const [lastEventId, status] of [
        [events[0]?.id, 200],
        [events.at(-1)?.id, 204],
      ] as const) {
        const resumed = await rawRequest(own.url, { method: 'GET', session, lastEventId });
        expect(resumed.status).toBe(status);
        expect(answersOf(resumed.messages, 1)).toEqual([]);
      }
      expect(clients).toHaveLength(1);
      await vi.waitFor(() => expect(clients).toEqual([]), PATIENCE);
    } finally {
      await own.close();
    }
  });

  test('leaves the stream to the other calls of its batch', async () => {
    const session = await openRawSession(http.url, { version: '2025-03-26' });
    const asked = rawRequest(http.url, { body: [callOf(1), callOf(2)], session, version: '2025-03-26' });
    const calls = [await gated.next(), await gated.next()];
    await rawRequest(http.url, { body: cancelOf(1), session, version: '2025-03-26' });
    await vi.waitFor(() => expect(calls.filter(({ signal }) => signal.aborted)).toHaveLength(1), PATIENCE);
    calls.find(({ signal }) => !signal.aborted)?.end();
    const { messages } = await within(20_000, asked, 'the end of the stream');
    expect(messages).toMatchObject([
      { id: 1, result: {} },
      { id: 2, result: { content: [{ text: 'done' }] } },
    ]);
  });

  test('is answered as before when the answer came first', async () => {
    const session = await openRawSession(http.url);
    const asked = rawRequest(http.url, { body: callOf(1), session });
    (await gated.next()).end();
    const { events } = await asked;
    await rawRequest(http.url, { body: cancelOf(1), session });
    const again = await rawRequest(http.url, { method: 'GET', session, lastEventId: events[0]?.id });
    expect(answersOf(again.messages, 1)).toEqual(['done']);
  });

  test('continues as a task, which is cancelled by tasks/cancel alone', async () => {
    const session = await openRawSession(http.url);
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'gated', arguments: {}, task: {} },
    };
    const [created] = (await rawRequest(http.url, { body, session })).messages;
    const { taskId } = (created?.result as { task: { taskId: string } }).task;
    const call = await gated.next();
    await rawRequest(http.url, { body: cancelOf(1), session });
    const asked = rawRequest(http.url, {
      body: { jsonrpc: '2.0', id: 2, method: 'tasks/result', params: { taskId } },
      session,
    });
    call.end();
    expect(answersOf((await asked).messages, 2)).toEqual(['done']);
    expect(call.signal.aborted).toBe(false);
  });
});

test('progress reaches a call that belongs to a task of its client', async () => {
  const session = await openRawSession(http.url);
  const meta = { progressToken: 'p', 'io.modelcontextprotocol/related-task': { taskId: 'of the client' } };
  const asked = rawRequest(http.url, { body: callOf(1, meta), session });
  const call = await gated.next();
  call.progress(1);
  call.end();
  expect(progressOf((await asked).messages)).toEqual([1]);
});

test('a stream is kept alive by few bytes, before the clients of Node give it up', async () => {
  const session = await openRawSession(http.url);
  const intervals = vi.spyOn(globalThis, 'setInterval');
  const asked = rawRequest(http.url, { body: callOf(1), session });
  (await gated.next()).end();
  await asked;
  expect(intervals.mock.calls.map(([, everyMs]) => everyMs)).toEqual([120_000]);
  intervals.mockRestore();
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
    const { client, gets, errors } = await connectNoted(http.url);
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

  test('hears no more of a call that it cancelled', async () => {
    const { client, gets, errors } = await connectNoted(http.url);
    const cancel = new AbortController();
    const answered = client.callTool({ name: 'gated' }, undefined, { signal: cancel.signal });
    const call = await gated.next();
    cancel.abort();
    await expect(answered).rejects.toThrow();
    await vi.waitFor(() => expect(gets).toEqual([200, 204]), PATIENCE);
    expect(call.signal.aborted).toBe(true);
    expect(errors).toEqual([]);
    await client.close();
  });
});
