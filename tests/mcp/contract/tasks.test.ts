import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CallToolResultSchema,
  CancelTaskResultSchema,
  CreateTaskResultSchema,
  GetTaskResultSchema,
  ProgressNotificationSchema,
  TaskStatusNotificationSchema,
  type Task,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import type { RunScope } from '../../../server/core/runs.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { takenIds } from '../../support/taken-ids.ts';
import { echo, testTools, untilAborted, type Work } from '../../support/test-tool.ts';
import { codeOf } from '../../support/code-of.ts';

const aborted: string[] = [];
const callIds: string[] = [];

const works = {
  test_echo: echo,
  test_fail: async () => {
    throw new SpillwayError('tab_not_found', 'There is no tab b1:9.');
  },
  test_wait: async (_, { signal, callId }) => {
    callIds.push(callId);
    return untilAborted(signal).catch((reason: unknown) => {
      aborted.push(String(reason));
      throw reason;
    });
  },
} satisfies Readonly<Record<string, Work>>;

let goOn: () => void = () => undefined;
const crawl = {
  async run(_: JsonObject, scope: RunScope) {
    for (let page = 0; page < 3; page += 1) {
      await scope.commit({ items: [{ page }] });
      scope.progress({ done: page + 1, queued: 2 - page, failed: 0 });
    }
    await Promise.race([new Promise<void>((resolve) => (goOn = resolve)), untilAborted(scope.signal)]);
    return { state: {}, coverage: [] };
  },
};

let server: MemoryServer;
let client: Client;
beforeEach(async () => {
  aborted.length = 0;
  callIds.length = 0;
  server = await startMemoryServer(
    { syncWaitMs: 1 },
    { ...testTools(works), workers: { crawl: () => Promise.resolve(crawl) } },
  );
  server.bridge.addBrowser();
  client = server.client;
});
afterEach(() => server.close());

const start = async (name: string, args: JsonObject = {}, task = {}, of = client): Promise<Task> => {
  const params = { name, arguments: args, task };
  return (await of.request({ method: 'tools/call', params }, CreateTaskResultSchema)).task;
};
const get = (taskId: string, of = client) =>
  of.request({ method: 'tasks/get', params: { taskId } }, GetTaskResultSchema);
const resultOf = (taskId: string, of = client) =>
  of.request({ method: 'tasks/result', params: { taskId } }, CallToolResultSchema);
const cancel = (taskId: string, of = client) =>
  of.request({ method: 'tasks/cancel', params: { taskId } }, CancelTaskResultSchema);
it('a task answers at once, works, and gives the result that a plain call gives', async () => {
  const task = await start('test_echo', { value: 'a' }, { ttl: 5_000 });
  expect(task).toMatchObject({ status: 'working', ttl: 5_000 });
  const result = await resultOf(task.taskId);
  const { raw } = await server.call('test_echo', { value: 'a' });
  const _meta = { 'io.modelcontextprotocol/related-task': { taskId: task.taskId } };
  expect(result).toEqual({ ...raw, _meta });
  expect(await get(task.taskId)).toMatchObject({ taskId: task.taskId, status: 'completed', ttl: 5_000 });
});

it('a task whose work fails has failed, and says why', async () => {
  const { taskId } = await start('test_fail');
  expect((await resultOf(taskId)).isError).toBe(true);
  const statusMessage = expect.stringContaining('There is no tab b1:9.');
  expect(await get(taskId)).toMatchObject({ status: 'failed', statusMessage });
});

it('a task of a crawl waits to its end, however short a plain call waits, and tells how far it is', async () => {
  const progress: { progress: number; taskId: unknown }[] = [];
  const statuses: string[] = [];
  client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => {
    const related = params._meta?.['io.modelcontextprotocol/related-task'];
    progress.push({ progress: params.progress, taskId: related?.taskId });
  });
  client.setNotificationHandler(TaskStatusNotificationSchema, ({ params }) => {
    statuses.push(`${params.taskId} ${params.status}`);
  });
  const _meta = { progressToken: 'mine' };
  const params = { name: 'crawl', arguments: { url: 'https://example.org' }, task: {}, _meta };
  const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
  await expect.poll(async () => (await get(task.taskId)).statusMessage).toMatch(/^\d done, \d queued/);
  expect(progress[0]).toEqual({ progress: expect.any(Number), taskId: task.taskId });
  await expect.poll(async () => JSON.parse((await server.call('run_list')).text).runs[0]?.items).toBe(3);
  goOn();
  const [first] = (await resultOf(task.taskId)).content;
  expect(first?.type === 'text' && JSON.parse(first.text)).toEqual([{ page: 0 }, { page: 1 }, { page: 2 }]);
  await expect.poll(() => statuses).toEqual([`${task.taskId} completed`]);
});

it('a task keeps its result for its ttl and no longer; a longer ttl than the longest is cut', async () => {
  const short = await start('test_echo', {}, { ttl: 20 });
  await resultOf(short.taskId);
  await expect.poll(() => codeOf(get(short.taskId))).toBe('-32602');
  expect((await start('test_echo', {}, { ttl: 1e12 })).ttl).toBe(24 * 60 * 60_000);
});

it('tasks/cancel stops the work before it answers, and says who cancelled', async () => {
  const { taskId } = await start('test_wait');
  await expect.poll(() => callIds).toHaveLength(1);
  expect(await cancel(taskId)).toMatchObject({
    status: 'cancelled',
    statusMessage: 'Cancelled by tasks/cancel.',
  });
  expect(aborted).toEqual(['SpillwayError: The call was cancelled by tasks/cancel.']);
  const result = await resultOf(taskId);
  expect(result.isError).toBe(true);
  expect(JSON.stringify(result.content)).toContain('The call was cancelled by tasks/cancel.');
  expect(await codeOf(cancel(taskId))).toBe('-32602');
  expect((await get(taskId)).status).toBe('cancelled');
});

const expectUnknown = async (taskId: string, to = client): Promise<void> => {
  for (const ask of [get, resultOf, cancel]) expect(await codeOf(ask(taskId, to))).toBe('-32602');
};

it('tasks of another session, and of no session, are unknown to every method', async () => {
  for (const taskId of ['', 'x'.repeat(10_000), '__proto__']) await expectUnknown(taskId);
  const { taskId } = await start('test_wait');
  const other = await server.connect();
  await expectUnknown(taskId, other);
  await other.close();
  expect((await get(taskId)).status).toBe('working');
});

it('a session keeps a limited number of tasks: only an ended one makes room', async () => {
  const first = await start('test_echo');
  await resultOf(first.taskId);
  const going: string[] = [];
  for (let made = 0; made < 64; made += 1) going.push((await start('test_wait')).taskId);
  expect(await codeOf(get(first.taskId))).toBe('-32602');
  expect(await codeOf(start('test_wait'))).toBe('-32603');
  await cancel(going[0] ?? '');
  expect((await start('test_echo')).status).toBe('working');
});

it('a session that ends ends its tasks, and says so', async () => {
  const other = await server.connect();
  await start('test_wait', {}, {}, other);
  await expect.poll(() => callIds).toHaveLength(1);
  await other.close();
  await expect
    .poll(() => aborted)
    .toEqual(['SpillwayError: The call was cancelled by the end of the connection.']);
  expect(callIds).toHaveLength(1);
  await expect.poll(() => takenIds(server.executor, callIds)).toEqual([]);
});
