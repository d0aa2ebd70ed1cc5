import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  ErrorCode,
  ElicitRequestSchema,
  TaskStatusNotificationSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { serveHttp } from '../../../server/adapters/mcp/http/serve.ts';
import { callTool } from '../../support/call-tool.ts';
import type { MemoryServer } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import { connectClient, keptLog, program, startWithUpstreams, TASKS } from '../../support/upstream-rig.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

let log = keptLog();
async function start(flags: readonly string[] = [], more: object = {}): Promise<MemoryServer> {
  log = keptLog();
  const server = await startWithUpstreams([program('far', [TASKS, ...flags], more)], { logger: log });
  ends.push(() => server.close());
  return server;
}

/** A client whose person is Ada. */
async function connectAda(
  server: MemoryServer,
  answer: () => ElicitResult | Promise<ElicitResult>,
): Promise<Client> {
  const client = await connectClient(server, { elicitation: { form: {} } }, (made) =>
    made.setRequestHandler(ElicitRequestSchema, answer),
  );
  ends.push(() => client.close());
  return client;
}

const ADA: ElicitResult = { action: 'accept', content: { name: 'Ada' } };

/** Calls as a task; answers the result and what was said of it. */
async function callAsTask(client: Client, name: string, args: object = {}) {
  const statuses: string[] = [];
  client.setNotificationHandler(
    TaskStatusNotificationSchema,
    ({ params }) => void statuses.push(params.status),
  );
  const stream = client.experimental.tasks.requestStream(
    { method: 'tools/call', params: { name, arguments: args } },
    CallToolResultSchema,
    { task: {} },
  );
  for await (const message of stream)
    if (message.type === 'result') return { result: CallToolResultSchema.parse(message.result), statuses };
    else if (message.type === 'error') throw message.error;
  throw new Error('there was no end');
}

describe('a tool that runs as a task alone', () => {
  it.each([[[]], [['quiet']]])('is called plainly, with its progress, with flags %j', async (flags) => {
    const { client } = await start(flags);
    const steps: unknown[] = [];
    const result = await client.callTool({ name: 'far_works', arguments: { value: 'a' } }, undefined, {
      onprogress: (step) => void steps.push(step),
    });
    expect(result.content).toEqual(expect.arrayContaining([expect.objectContaining({ text: 'a' })]));
    expect(steps).toContainEqual({ progress: 5, total: 10, message: 'five' });
  });

  it('gives the same as a task', async () => {
    const { client } = await start();
    const plain = await client.callTool({ name: 'far_works', arguments: { value: 'a' } });
    const { result } = await callAsTask(client, 'far_works', { value: 'a' });
    expect(result.content).toEqual(plain.content);
    expect(JSON.stringify(plain._meta ?? {})).not.toContain('related-task');
  });

  it('says what it does where it counts no steps', async () => {
    const { client } = await start(['quiet']);
    const messages: unknown[] = [];
    await client.callTool({ name: 'far_says', arguments: {} }, undefined, {
      onprogress: ({ message }) => void messages.push(message),
    });
    expect(messages).toEqual(['half of it']);
  });

  it('answers what is too large for memory as a handle', async () => {
    const { call } = await start();
    const big = await call('far_big', { value: '20000000' });
    expect(big.json<{ size_bytes: number }>().size_bytes).toBe(20_000_000);
  });

  it.each([
    ['far_fails', 'no such file'],
    ['far_fails_without_result', 'the disk is full'],
  ])('that %s says why', async (name, why) => {
    const { call } = await start();
    const failed = await call(name);
    expect(failed.isError).toBe(true);
    expect(failed.text).toContain(why);
  });

  it('is called plainly where its server does not take tasks', async () => {
    const { call, client } = await start(['undeclared']);
    expect((await call('far_works', { value: 'a' })).text).toBe('a');
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'far_works')?.execution).toBeUndefined();
  });

  it('is listed as one that may be called either way', async () => {
    const { client } = await start();
    const supportOf = async (name: string) =>
      (await client.listTools()).tools.find((tool) => tool.name === name)?.execution?.taskSupport;
    expect(await supportOf('far_works')).toBe('optional');
    expect(await supportOf('far_either')).toBe('optional');
    expect(await supportOf('far_plain')).toBeUndefined();
  });
});

it('a tool that may be a task is one where our client makes it one', async () => {
  const { client, call } = await start();
  const linesOf = () => log.lines.join('\n');
  expect((await call('far_either', { value: 'a' })).text).toBe('a');
  expect((await callAsTask(client, 'far_either', { value: 'b' })).result.content).toContainEqual({
    type: 'text',
    text: 'b',
  });
  await vi.waitFor(() => expect(linesOf()).toContain('call either as a task'), PATIENCE);
  expect(linesOf()).toContain('call either plainly');
});

describe('what a task asks', () => {
  it('goes to the client of its call, also while another client waits', async () => {
    const server = await start();
    const gone = new AbortController();
    const other = server.call('far_never', {}, gone.signal).catch(() => undefined);
    await server.call('far_plain');
    const client = await connectAda(server, () => ADA);
    expect((await callTool(client, 'far_asks')).text).toBe(JSON.stringify(ADA));
    gone.abort();
    await other;
  });

  it('makes a task of ours wait for its person, who is asked in its name', async () => {
    const metas: unknown[] = [];
    const client = await connectClient(await start(), { elicitation: { form: {} } }, (made) =>
      made.setRequestHandler(ElicitRequestSchema, (_request, { _meta: meta }) => {
        metas.push(meta);
        return ADA;
      }),
    );
    ends.push(() => client.close());
    const { result, statuses } = await callAsTask(client, 'far_asks');
    expect(result.content).toContainEqual({ type: 'text', text: JSON.stringify(ADA) });
    expect(statuses).toContain('input_required');
    expect(metas).toEqual([{ 'io.modelcontextprotocol/related-task': { taskId: expect.any(String) } }]);
  });
});

it('a question of a task of ours reaches its client over HTTP, where the call has been answered', async () => {
  const server = await start();
  const http = await serveHttp({ ...server.faces, port: 0, token: null, onClients: () => undefined });
  ends.push(() => http.close());
  const client = new Client({ name: 'far', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler(ElicitRequestSchema, () => ADA);
  // The SDK's class declares what exactOptionalPropertyTypes tells apart.
  await client.connect(new StreamableHTTPClientTransport(new URL(http.url)) as Transport);
  ends.push(() => client.close());
  const { result } = await callAsTask(client, 'far_asks');
  expect(result.content).toContainEqual({ type: 'text', text: JSON.stringify(ADA) });
});

it('a task that needs a page first fails as the protocol says, plainly and as a task of ours', async () => {
  const client = await connectClient(await start(), { elicitation: { url: {} } });
  ends.push(() => client.close());
  const call = { method: 'tools/call', params: { name: 'far_needs_page', arguments: {} } } as const;
  const needed = {
    code: ErrorCode.UrlElicitationRequired,
    data: {
      elicitations: [expect.objectContaining({ url: 'https://example.com/in', elicitationId: 'far/e1' })],
    },
  };
  await expect(client.callTool(call.params)).rejects.toMatchObject(needed);
  const { task } = await client.request(call, CreateTaskResultSchema, { task: {} });
  await expect(client.experimental.tasks.getTaskResult(task.taskId)).rejects.toMatchObject(needed);
});

describe('a task at an upstream', () => {
  const cancelled = () =>
    vi.waitFor(() => expect(log.lines.join('\n')).toContain('tasks/cancel t1'), PATIENCE);

  it('is cancelled with its call', async () => {
    const { call } = await start();
    const cancel = new AbortController();
    const waiting = call('far_never', {}, cancel.signal);
    await call('far_plain');
    cancel.abort();
    await expect(waiting).rejects.toThrow();
    await cancelled();
  });

  it('may take longer than a call while its upstream says that it is active', async () => {
    const { call } = await start(['quiet'], { timeoutMs: 1_000 });
    expect((await call('far_slow')).text).toContain('at last');
  });

  it('is cancelled when its upstream says nothing of it for too long', async () => {
    const { call } = await start([], { timeoutMs: 1_000 });
    const late = await call('far_deaf');
    expect(late.code()).toBe('timeout');
    expect(late.text).toContain('The end of its task was asked for');
    await cancelled();
  });

  it('is not known to have ended when its connection ends', async () => {
    const { call } = await start();
    const lost = await call('far_dies');
    expect(lost.code()).toBe('upstream_error');
    expect(lost.text).toContain('Its task may still be at work there');
    expect(lost.json<{ error: object }>().error).toMatchObject({ retryable: false });
  });
});
