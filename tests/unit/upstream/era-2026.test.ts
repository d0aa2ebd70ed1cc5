import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ElicitRequestSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseEntry, type UpstreamEntry } from '../../../server/upstream/index.ts';
import { NewEraHttp } from '../../../server/upstream/mcp/era-2026-http.ts';
import { NewEraTransport } from '../../../server/upstream/mcp/era-2026.ts';
import { onAbort } from '../../../shared/async.ts';
import { callTool } from '../../support/call-tool.ts';
import { connectClient, program, startWithUpstreams } from '../../support/upstream-rig.ts';

const SERVER = fileURLToPath(new URL('../../support/new-era-server.mjs', import.meta.url));
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const ENTRIES: Readonly<Record<string, () => Promise<UpstreamEntry>>> = {
  stdio: async () => program('new', [SERVER]),
  HTTP: async () => {
    const child = spawn(process.execPath, [SERVER, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] });
    ends.push(() => child.kill());
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    return parseEntry({ id: 'new', url: `http://127.0.0.1:${String(port).trim()}/` }, 'new');
  },
};

describe.each(Object.entries(ENTRIES))('an upstream by %s that opens no sessions', (_how, entryOf) => {
  it('is called, and asks the person of the client', async () => {
    const server = await startWithUpstreams([await entryOf()]);
    ends.push(() => server.close());
    expect(server.upstreams.report()).toMatchObject([{ id: 'new', state: 'ready', tools: 2 }]);
    const echoed = await server.call('new_echo', { text: ' grüße', deep: { loud: false } });
    expect(echoed.text).toContain('echo  grüße false');
    const client = await connectClient(server, { elicitation: { form: {} } }, (asked) =>
      asked.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        expect(params.message).toContain('Who are you?');
        return { action: 'accept', content: { name: 'Ada' } };
      }),
    );
    ends.push(() => client.close());
    expect((await callTool(client, 'new_greet')).text).toContain('Hello, Ada!');
  });
});

/** A request over HTTP, and what is answered to it. */
function asking(answer: (request: Request) => Response | Promise<Response>) {
  const http = new NewEraHttp(async (input, init) => answer(new Request(input, init)));
  const body = JSON.stringify({ id: 3, method: 'tools/call' });
  const ask = () => http.fetch('http://127.0.0.1/', { method: 'POST', body });
  return { http, ask };
}

it.each([
  [404, '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"None."}}', 200],
  [404, '<h1>Not found</h1>', 404],
  [401, '{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"Sign in."}}', 401],
])('the error of a request is read, whatever its status: %i %s', async (status, text, shown) => {
  const answer = await asking(() => new Response(text, { status })).ask();
  expect(answer.status).toBe(shown);
  if (shown === 200) expect(await answer.json()).toMatchObject({ id: 3, error: { message: 'None.' } });
});

it.each([
  ['even before', 202],
  ['before', 202],
  ['during', 200],
])('a request is cancelled by the end of its stream, %s its answer', async (when, status) => {
  const { http, ask } = asking(async ({ signal }) => {
    const stopped = new Promise<never>((_, reject) => onAbort(signal, () => reject(new Error('stopped'))));
    if (when !== 'during') return stopped;
    return new Response(new ReadableStream({ start: (to) => stopped.catch((thrown) => to.error(thrown)) }));
  });
  if (when === 'even before') http.cancel(3);
  const answer = ask();
  if (when === 'during') await answer;
  if (when !== 'even before') http.cancel(3);
  expect([(await answer).status, await (await answer).text()]).toEqual([status, '']);
});

it.each<[string, object | null, number]>([
  ['its stream ends', null, 3],
  ['the server ends it', { id: 'listen-1', result: {} }, 3],
  ['it is withdrawn', { method: 'notifications/cancelled', params: { requestId: 'listen-1' } }, 3],
  ['it is refused', { id: 'listen-1', error: { code: -32_601, message: 'No.' } }, 0],
])('changes that were missed are looked for when listening has ended: %s', async (_why, said, changes) => {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers();
  const [send, heard] = [vi.fn(async () => undefined), vi.fn()];
  const inner: Transport = { start: async () => undefined, close: async () => undefined, send };
  const { http } = asking(() => new Response());
  const transport = Object.assign(new NewEraTransport(inner, http, () => null), { onmessage: heard });
  await transport.start();
  await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  if (said === null) http.onEnd('listen-1');
  else inner.onmessage?.({ jsonrpc: '2.0', ...said } as JSONRPCMessage);
  await vi.advanceTimersByTimeAsync(60_000);
  await transport.close();
  expect([send.mock.calls.length, heard.mock.calls.length]).toEqual([changes === 0 ? 1 : 2, changes]);
});
