import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  ProtocolError,
  SdkErrorCode,
  SdkHttpError,
  type RequestOptions,
  type Transport,
} from '@modelcontextprotocol/client';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseEntry, type UpstreamEntry } from '../../../server/upstreams/index.ts';
import { fetchWithIntake, Intake } from '../../../server/upstreams/mcp/intake.ts';
import { Sessionless } from '../../../server/upstreams/mcp/sessionless.ts';
import { defer } from '../../../shared/base/async.ts';
import { callTool } from '../../support/call-tool.ts';
import { PATIENCE } from '../../support/patience.ts';
import { connectClient, program, startWithUpstreams } from '../../support/upstream-rig.ts';

const SERVER = fileURLToPath(new URL('../../support/new-era-server.mjs', import.meta.url));
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const ENTRIES: Readonly<Record<string, () => Promise<UpstreamEntry>>> = {
  stdio: async () => program('new', [SERVER], { sampling: true }),
  HTTP: async () => {
    const child = spawn(process.execPath, [SERVER, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] });
    ends.push(() => child.kill());
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    return parseEntry({ id: 'new', url: `http://127.0.0.1:${String(port).trim()}/`, sampling: true }, 'new');
  },
};

describe.each(Object.entries(ENTRIES))('an upstream by %s that opens no sessions', (_how, entryOf) => {
  it('is called, and asks the person of the client', async () => {
    const server = await startWithUpstreams([await entryOf()]);
    ends.push(() => server.close());
    expect(server.upstreams.report()).toMatchObject([{ id: 'new', state: 'ready', tools: 5 }]);
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

  it('shows its page, and asks the model of the client', async () => {
    const server = await startWithUpstreams([await entryOf()]);
    ends.push(() => server.close());
    const capabilities = { elicitation: { url: {} }, sampling: {} };
    const client = await connectClient(server, capabilities, (asked) => {
      asked.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        expect(params).toMatchObject({ mode: 'url', url: 'https://example.com/here' });
        return { action: 'accept' };
      });
      asked.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
        expect(params.systemPrompt).toContain('The server "new" wrote this request');
        return { role: 'assistant', model: 'any', content: { type: 'text', text: 'Because.' } };
      });
    });
    ends.push(() => client.close());
    expect((await callTool(client, 'new_visit')).text).toContain('Visited: accept');
    expect((await callTool(client, 'new_think')).text).toContain('Thought: Because.');
    const lone = await connectClient(server, {}, () => undefined);
    ends.push(() => lone.close());
    expect((await callTool(lone, 'new_visit')).text).toContain('Visited: decline');
    const refused = await callTool(lone, 'new_think');
    expect(refused.text).toContain('The upstream new refused: The client lends no model.');
    expect(server.upstreams.report()).toMatchObject([{ state: 'ready' }]);
  });
});

it('an upstream that opens no sessions tells of its new tools', async () => {
  const server = await startWithUpstreams([program('new', [SERVER])]);
  ends.push(() => server.close());
  expect((await server.call('new_grow')).text).toContain('grown');
  await vi.waitFor(() => expect(server.upstreams.report()).toMatchObject([{ tools: 6 }]), PATIENCE);
});

it.each([
  [404, '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"None."}}', true, 200],
  [404, '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"None."}}', false, 404],
  [404, '<h1>Not found</h1>', true, 404],
  [401, '{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"Sign in."}}', true, 401],
])(
  'the error of a request without a session is read, whatever its status: %i %s, %s',
  async (status, text, isNew, shown) => {
    const send = fetchWithIntake(new Intake('It'), async () => new Response(text, { status }));
    const body = JSON.stringify({ id: 3, method: 'tools/call' });
    const headers = isNew ? { 'Mcp-Method': 'tools/call' } : {};
    const answer = await send('http://127.0.0.1/', { method: 'POST', body, headers });
    expect(answer.status).toBe(shown);
    if (shown === 200) expect(await answer.json()).toMatchObject({ id: 3, error: { message: 'None.' } });
    else expect(await answer.text()).toBe(text);
  },
);

it('a request that was cancelled by the end of its stream has not lost its answer', async () => {
  const intake = new Intake('It');
  const transport: Transport = { start: vi.fn(), close: vi.fn(), send: vi.fn() };
  intake.watch(transport);
  const cancel = new AbortController();
  const asked = { jsonrpc: '2.0', id: 3, method: 'tools/call' } as const;
  await transport.send(asked, { requestSignal: cancel.signal });
  expect(intake.lost(JSON.stringify(asked))?.message).toMatchObject({ id: 3 });
  cancel.abort();
  expect(intake.lost(JSON.stringify(asked))).toBeNull();
});

const subscription = (closed: 'graceful' | 'remote') => ({
  honoredFilter: {},
  close: vi.fn(),
  closed: Promise.resolve(closed),
});
const nothing = { callTool: vi.fn(), discover: vi.fn() };
const refusal = (status: number) =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'No.', { status });

it.each<[string, () => Promise<ReturnType<typeof subscription>>, number]>([
  ['its stream ends', async () => subscription('remote'), 2],
  ['the server ends it', async () => subscription('graceful'), 2],
  ['the server fails', () => Promise.reject(refusal(503)), 2],
  ['it is refused', () => Promise.reject(new ProtocolError(-32_601, 'No.')), 1],
  ['it is refused by HTTP', () => Promise.reject(refusal(404)), 1],
])('changes that were missed are looked for when listening has ended: %s', async (_why, first, times) => {
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers();
  const lasting = { ...subscription('remote'), closed: new Promise<never>(() => undefined) };
  const listen = vi.fn(async () => lasting).mockImplementationOnce(first as () => Promise<typeof lasting>);
  const missed = vi.fn((uris: Iterable<string>) => [...uris]);
  const server = new Sessionless({ client: { ...nothing, listen }, onMissed: missed });
  await server.request('resources/subscribe', { uri: 'file:///a' }, {});
  await vi.advanceTimersByTimeAsync(60_000);
  server.end();
  expect(listen).toHaveBeenCalledTimes(times);
  expect(missed.mock.results.map(({ value }) => value as unknown)).toEqual(
    times === 1 ? [] : [['file:///a']],
  );
});

it('the earlier subscription ends once the server has answered the new one', async () => {
  const signals: AbortSignal[] = [];
  const lasting = { ...subscription('remote'), closed: new Promise<never>(() => undefined) };
  const { promise: answered, resolve } = defer<typeof lasting>();
  const listen = async (_filter: object, { signal }: RequestOptions = {}) => {
    if (signal !== undefined) signals.push(signal);
    return signals.length === 1 ? lasting : answered;
  };
  const server = new Sessionless({ client: { ...nothing, listen }, onMissed: () => undefined });
  server.listen();
  await server.request('resources/subscribe', { uri: 'file:///a' }, {});
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  resolve(lasting);
  await vi.waitFor(() => expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]), PATIENCE);
  server.end();
});
