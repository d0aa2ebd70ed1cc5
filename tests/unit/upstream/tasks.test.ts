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
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sample } from '../../support/depth.ts';
import { serveHttp } from '../../../server/adapters/mcp/http/serve.ts';
import { callTool } from '../../support/call-tool.ts';
import type { MemoryServer } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import { keptLog, program, TASKS } from '../../support/upstream-rig.ts';
import { startClient, startUpstreams } from '../../support/upstream-test.ts';

let log = keptLog();
function start(flags: readonly string[] = [], more: object = {}): Promise<MemoryServer> {
  log = keptLog();
  return startUpstreams([program('far', [TASKS, ...flags], more)], { logger: log });
}
const logged = (text: string): Promise<void> =>
  vi.waitFor(() => expect(log.lines.join('\n')).toContain(text), PATIENCE);

const ADA: ElicitResult = { action: 'accept', content: { name: 'Ada' } };
const FORMS = { elicitation: { form: {} } };

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
  it.each(sample([[['quiet']], [[]]], 2))(
    'is called plainly, with its steps, and as a task, with flags %j',
    async (flags) => {
      const { client } = await start(flags);
      const steps: unknown[] = [];
      const works = { name: 'far_works', arguments: { value: 'a' } };
      const plain = await client.callTool(works, undefined, { onprogress: (step) => void steps.push(step) });
      expect(plain.content).toContainEqual({ type: 'text', text: 'a' });
      expect(JSON.stringify(plain._meta ?? {})).not.toContain('related-task');
      expect(steps).toContainEqual({ progress: 5, total: 10, message: 'five' });
      expect((await callAsTask(client, 'far_works', { value: 'a' })).result.content).toEqual(plain.content);
    },
  );

  it('answers what is too large for memory as a handle, and says why it failed', async () => {
    const { call } = await start();
    const big = await call('far_big', { value: '20000000' });
    expect(big.json<{ size_bytes: number }>().size_bytes).toBe(20_000_000);
    for (const [name, why] of [
      ['far_fails', 'no such file'],
      ['far_fails_without_result', 'the disk is full'],
    ] as const) {
      const failed = await call(name);
      expect(failed.isError).toBe(true);
      expect(failed.text).toContain(why);
    }
  });

  it('is called plainly where its server does not take tasks', async () => {
    const { call, client } = await start(['undeclared']);
    expect((await call('far_works', { value: 'a' })).text).toBe('a');
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'far_works')?.execution).toBeUndefined();
  });
});

it('a tool that may be a task is one where our client makes it one, and is listed so', async () => {
  const { client, call } = await start();
  const { tools } = await client.listTools();
  const support = Object.fromEntries(tools.map(({ name, execution }) => [name, execution?.taskSupport]));
  expect(support).toMatchObject({ far_works: 'optional', far_either: 'optional', far_plain: undefined });
  expect((await call('far_either', { value: 'a' })).text).toBe('a');
  await logged('call either plainly');
  const { result } = await callAsTask(client, 'far_either', { value: 'b' });
  expect(result.content).toContainEqual({ type: 'text', text: 'b' });
  await logged('call either as a task');
});

describe('what a task asks', () => {
  it('goes to the client of its call, also while another client waits', async () => {
    const server = await start();
    const gone = new AbortController();
    const other = server.call('far_never', {}, gone.signal).catch(() => undefined);
    await server.call('far_plain');
    const metas: unknown[] = [];
    const client = await startClient(server, FORMS, (made) =>
      made.setRequestHandler(ElicitRequestSchema, (_request, { _meta: meta }) => {
        metas.push(meta);
        return ADA;
      }),
    );
    expect((await callTool(client, 'far_asks')).text).toBe(JSON.stringify(ADA));
    gone.abort();
    await other;
    // A task of ours waits for its person, who is asked in its name.
    metas.length = 0;
    const { result, statuses } = await callAsTask(client, 'far_asks');
    expect(result.content).toContainEqual({ type: 'text', text: JSON.stringify(ADA) });
    expect(statuses).toContain('input_required');
    expect(metas).toEqual([{ 'io.modelcontextprotocol/related-task': { taskId: expect.any(String) } }]);
  });

  it('reaches its client over HTTP, where the call has been answered', async () => {
    const server = await start();
    const http = await serveHttp({ ...server.faces, port: 0, token: null, onClients: () => undefined });
    onTestFinished(() => http.close());
    const client = new Client({ name: 'far', version: '1' }, { capabilities: FORMS });
    client.setRequestHandler(ElicitRequestSchema, () => ADA);
    // The SDK's class declares what exactOptionalPropertyTypes tells apart.
    await client.connect(new StreamableHTTPClientTransport(new URL(http.url)) as Transport);
    onTestFinished(() => client.close());
    const { result } = await callAsTask(client, 'far_asks');
    expect(result.content).toContainEqual({ type: 'text', text: JSON.stringify(ADA) });
  });

  it('fails as the protocol says where it is a page, plainly and as a task of ours', async () => {
    const client = await startClient(await start(), { elicitation: { url: {} } });
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
});

describe('a task at an upstream', () => {
  it('is cancelled with its call', async () => {
    const { call } = await start();
    const cancel = new AbortController();
    const waiting = call('far_never', {}, cancel.signal);
    await call('far_plain');
    cancel.abort();
    await expect(waiting).rejects.toThrow();
    await logged('tasks/cancel t1');
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
    await logged('tasks/cancel t1');
  });

  it('is not known to have ended when its connection ends', async () => {
    const { call } = await start();
    const lost = await call('far_dies');
    expect(lost.text).toContain('Its task may still be at work there');
    expect(lost.json<{ error: object }>().error).toMatchObject({ code: 'upstream_error', retryable: false });
  });
});
