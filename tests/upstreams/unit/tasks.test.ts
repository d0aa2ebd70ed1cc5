import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CallToolResultSchema,
  ElicitRequestSchema,
  TaskStatusNotificationSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { expect, it, vi } from 'vitest';
import { sample } from '../../support/depth.ts';
import { callTool } from '../../support/call-tool.ts';
import type { MemoryServer } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import { keptLog, program, TASKS, startClient, startUpstreams } from '../../support/upstream-rig.ts';

let log = keptLog();
function start(flags: readonly string[] = [], more: object = {}): Promise<MemoryServer> {
  log = keptLog();
  return startUpstreams([program('far', [TASKS, ...flags], more)], { logger: log });
}
const logged = (text: string): Promise<void> =>
  vi.waitFor(() => expect(log.lines.join('\n')).toContain(text), PATIENCE);

const ADA: ElicitResult = { action: 'accept', content: { name: 'Ada' } };
const FORMS = { elicitation: { form: {} } };

/** Calls as a task; returns the result and its status messages. */
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

it.each(sample([[['quiet']], [[]]], 2))(
  'a tool that runs as a task alone is called plainly, with its steps, and as a task, with flags %j',
  async (flags) => {
    const { client } = await start(flags);
    const steps: unknown[] = [];
    const works = { name: 'far_works', arguments: { value: 'a' } };
    const plain = await client.callTool(works, undefined, { onprogress: (step) => void steps.push(step) });
    expect(plain.content).toContainEqual({ type: 'text', text: 'a' });
    expect(JSON.stringify(plain._meta ?? {})).not.toContain('related-task');
    expect(steps).toContainEqual({ progress: 0.5, total: 1, message: 'half' });
    expect((await callAsTask(client, 'far_works', { value: 'a' })).result.content).toEqual(plain.content);
  },
);

it('a task’s question goes to the client of its call, even while another client waits', async () => {
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
  // Our task waits for its person, who is asked in its name.
  metas.length = 0;
  const { result, statuses } = await callAsTask(client, 'far_asks');
  expect(result.content).toContainEqual({ type: 'text', text: JSON.stringify(ADA) });
  expect(statuses).toContain('input_required');
  expect(metas).toEqual([{ 'io.modelcontextprotocol/related-task': { taskId: expect.any(String) } }]);
});

it('a task at an upstream is cancelled with its call', async () => {
  const { call } = await start();
  const cancel = new AbortController();
  const waiting = call('far_never', {}, cancel.signal);
  await call('far_plain');
  cancel.abort();
  await expect(waiting).rejects.toThrow();
  await logged('tasks/cancel t1');
});
