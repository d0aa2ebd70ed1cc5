import {
  CallToolResultSchema,
  CancelTaskResultSchema,
  CreateTaskResultSchema,
  GetTaskResultSchema,
  TaskStatusNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { beforeEach, expect, it } from 'vitest';
import type { Gate, GatedCall } from '../../../server/core/calls/prepare.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { produceJson } from '../../../server/core/calls/produce.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { testTools } from '../../support/test-tool.ts';
import { codeOf } from '../../support/code-of.ts';

const asked: GatedCall[] = [];
const gate: Gate = {
  check: async (call) => {
    if (call.definition.manifest.name !== 'test_act') return { allow: true };
    asked.push(call);
    return { ask: { question: 'May it?', note: `ghp_${'aB3dE6gH9'.repeat(4)}` } };
  },
};

const performed: string[] = [];
const works = {
  test_act: async ({ value = '' }: { readonly value?: string | undefined }) => {
    performed.push(value);
    return produceJson({ value });
  },
};

let server: MemoryServer;
beforeEach(async () => {
  asked.length = 0;
  performed.length = 0;
  server = await startMemoryServer({}, { ...testTools(works), gate });
});

const call = async (value: string): Promise<string> =>
  (await server.call('test_act', { value })).json<{ pending: { call_id: string } }>().pending.call_id;

it('a plain call about which a person is asked answers the question and what it is about, redacted, and executes nothing', async () => {
  const answer = await server.call('test_act', { value: `token ghp_${'aB3dE6gH9'.repeat(4)}` });
  expect(answer.isError).toBe(false);
  expect(answer.raw._meta).toBeUndefined();
  expect(answer.json()).toEqual({
    pending: {
      call_id: asked[0]?.callId,
      tool: 'test_act',
      arguments: { value: expect.not.stringContaining('ghp_') },
      interaction: { question: 'May it?', note: expect.not.stringContaining('ghp_') },
    },
  });
  expect(performed).toEqual([]);
});

it('a plain call about which a person is asked waits on when the edited arguments do not fit', async () => {
  const callId = await call('a');
  const decide = (args: JsonObject) =>
    server.executor.questions.decide(callId, { approve: true, by: 'Ada', args });
  for (const args of [{ value: [] }, { other: 'b' }])
    expect(await codeOf(decide(args))).toBe('invalid_argument');
  expect(server.executor.questions.listPending()).toHaveLength(1);
  expect((await decide({ value: 'b' })).ok).toBe(true);
  expect(performed).toEqual(['b']);
});

it('a plain call about which a person is asked is refused by name and reason, and journalled so', async () => {
  const callId = await call('a');
  const result = await server.executor.questions.decide(callId, {
    approve: false,
    by: 'Ada',
    reason: 'not this page',
  });
  expect(result.error).toMatchObject({
    code: 'call_denied',
    message: 'test_act was denied by Ada: not this page.',
  });
  expect(performed).toEqual([]);
  expect((await server.call('oc_journal', { action: 'recent', tool: 'test_act' })).json()).toMatchObject([
    { call_id: callId, ok: true, pending: true },
    { call_id: callId, ok: false, code: 'call_denied', message: result.error?.message },
  ]);
});

const start = async (value: string) => {
  const params = { name: 'test_act', arguments: { value }, task: {} };
  const { task } = await server.client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
  return task.taskId;
};
const get = (taskId: string) =>
  server.client.request({ method: 'tasks/get', params: { taskId } }, GetTaskResultSchema);
const resultOf = (taskId: string) =>
  server.client.request({ method: 'tasks/result', params: { taskId } }, CallToolResultSchema);
const untilAsked = async (taskId: string): Promise<string> => {
  await expect.poll(async () => (await get(taskId)).status).toBe('input_required');
  return asked[0]?.callId ?? '';
};

it('a task about which a person is asked requires input, works once it is approved, and completes with the real result', async () => {
  const statuses: string[] = [];
  server.client.setNotificationHandler(TaskStatusNotificationSchema, ({ params }) => {
    statuses.push(params.status);
  });
  const taskId = await start('a');
  const callId = await untilAsked(taskId);
  expect((await get(taskId)).statusMessage).toBe('Waiting for a person to allow the call.');
  const result = resultOf(taskId);
  await server.executor.questions.decide(callId, { approve: true, by: 'Ada', args: { value: 'b' } });
  expect((await result).content).toEqual([
    { type: 'text', text: '{"value":"b"}' },
    { type: 'text', text: expect.stringContaining('It ran with {"value":"b"}') },
  ]);
  await expect.poll(() => statuses).toEqual(['input_required', 'working', 'completed']);
});

it('a task about which a person is asked is cancelled while it waits, and can no longer be decided; one that is refused fails', async () => {
  const taskId = await start('a');
  const callId = await untilAsked(taskId);
  const params = { taskId };
  await server.client.request({ method: 'tasks/cancel', params }, CancelTaskResultSchema);
  expect(JSON.stringify((await resultOf(taskId)).content)).toContain('cancelled by tasks/cancel');
  expect((await get(taskId)).status).toBe('cancelled');
  expect(await codeOf(server.executor.questions.decide(callId, { approve: true, by: 'Ada' }))).toBe(
    'call_not_pending',
  );
  expect(performed).toEqual([]);
  const refused = await start('b');
  await expect.poll(() => asked).toHaveLength(2);
  await server.executor.questions.decide(asked[1]?.callId ?? '', { approve: false, by: 'Ada' });
  expect(JSON.stringify((await resultOf(refused)).content)).toContain('call_denied');
  expect(await get(refused)).toMatchObject({ status: 'failed' });
});
