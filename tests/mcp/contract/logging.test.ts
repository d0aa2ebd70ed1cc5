import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { serveHttp } from '../../../server/mcp/http/serve.ts';
import { produceJson } from '../../../server/core/calls/produce.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { openRawSession, rawRequest } from '../../support/raw-http.ts';
import { testTools, type Work } from '../../support/test-tool.ts';
import { PATIENCE } from '../../support/patience.ts';

type Level = 'debug' | 'info' | 'warn' | 'error';

/** Logs its value at the test's level, a number of times. */
let level: Level;
let count: number;
const works = {
  log_lines: async ({ value = '' }, { logger }) => {
    for (let line = 0; line < count; line += 1) logger[level]({ line, err: new Error('why') }, value);
    return produceJson({ ok: true });
  },
} satisfies Readonly<Record<string, Work>>;

type Heard = { readonly level: string; readonly logger?: string; readonly data: Record<string, unknown> };

let server: MemoryServer;
beforeEach(async () => void (server = await startMemoryServer({}, testTools(works))));

function listen(client: Client): Heard[] {
  const heard: Heard[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    heard.push(params as Heard);
  });
  return heard;
}

function log(client: Client, at: Level, value: string, times = 1) {
  [level, count] = [at, times];
  return client.callTool({ name: 'log_lines', arguments: { value } });
}

/** Lines keep their order: once this last one has arrived, so have the earlier ones. */
async function settle(client: Client, heard: Heard[]): Promise<void> {
  await log(client, 'error', 'the end');
  await vi.waitFor(() => expect(heard.at(-1)?.data['message']).toBe('the end'), PATIENCE);
  heard.pop();
}

it('notifications/message has what is logged about the calls of the session, from the level of the client on', async () => {
  const heard = listen(server.client);
  await log(server.client, 'info', 'not asked for');
  await log(server.client, 'warn', 'a warning');
  await server.client.setLoggingLevel('debug');
  const secret = `ghp_${'aB3dE5gH7jK9mN1pQ4sT'}${'6vX8zB2dF4hJ6kL8'}`;
  await log(server.client, 'debug', `now it is, with ${secret}`);
  await server.client.setLoggingLevel('error');
  await log(server.client, 'warn', 'no more');
  await settle(server.client, heard);
  expect(heard.map(({ level, data }) => [level, data['message']])).toEqual([
    ['warning', 'a warning'],
    ['debug', expect.stringMatching(/^now it is, with «redacted/)],
  ]);
  expect(heard[0]).toEqual({
    level: 'warning',
    logger: 'spillway',
    data: { message: 'a warning', tool: 'log_lines', line: 0, err: { name: 'Error', message: 'why' } },
  });
});

it('notifications/message keeps the lines of one session from another, and gives warnings of the server to all', async () => {
  const other = await server.connect();
  const [mine, theirs] = [listen(server.client), listen(other)];
  await other.setLoggingLevel('debug');
  await log(server.client, 'error', 'of my call');
  const { logger } = server.faces;
  logger.warn({ handle: 'oh_of_another', err: new Error('why') }, 'of the server');
  logger.info({}, 'too little');
  await server.client.transport?.send({ jsonrpc: '2.0', id: 'nobody asked', result: {} });
  await settle(server.client, mine);
  await settle(other, theirs);
  expect(mine.map(({ data }) => data['message'])).toEqual([
    'of my call',
    'of the server',
    'a client message was dropped',
  ]);
  // Its facts may be those of another session.
  expect(theirs.map(({ data }) => data)).toEqual([{ message: 'of the server' }]);
  await other.close();
});

it('notifications/message is bounded: a flood is counted, and no call fails for it', async () => {
  const heard = listen(server.client);
  expect((await log(server.client, 'warn', 'again', 500)).isError).toBeUndefined();
  let logged = 500;
  await vi.waitFor(async () => {
    logged += 1;
    // One of its own each time: an earlier one may come late, and be none of this.
    await log(server.client, 'error', `the end ${logged}`);
    expect(heard.at(-1)?.data['message']).toBe(`the end ${logged}`);
  }, PATIENCE);
  const leftOut = heard.reduce((sum, { data }) => sum + Number(data['lines_left_out'] ?? 0), 0);
  expect(leftOut).toBeGreaterThan(300);
  expect(heard.length + leftOut).toBe(logged);
});

it('goes over HTTP where the answer of the call goes, once the client has set a level', async () => {
  const http = await serveHttp({ ...server.faces, port: 0, token: null, onClients: () => undefined });
  const session = await openRawSession(http.url);
  const ask = (id: number, method: string, params: object) =>
    rawRequest(http.url, { session, body: { jsonrpc: '2.0', id, method, params } });
  [level, count] = ['warn', 1];
  const params = { name: 'log_lines', arguments: { value: 'outside the answer' } };
  // The body of an answer is bounded, without log lines that its client did not request.
  expect((await ask(6, 'tools/call', params)).messages).toMatchObject([{ id: 6 }]);
  await ask(7, 'logging/setLevel', { level: 'warning' });
  expect((await ask(8, 'tools/call', params)).messages).toMatchObject([
    {
      method: 'notifications/message',
      params: { level: 'warning', data: { message: 'outside the answer' } },
    },
    { id: 8, result: {} },
  ]);
  await http.close();
});
