import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { defer } from '../../../shared/base/async.ts';
import { serveHttp, type HttpSession } from '../../../server/mcp/http/serve.ts';
import { produceJson } from '../../../server/core/calls/produce.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { connectNewEra, connectOver } from '../../support/new-era-client.ts';
import { testProvider, testTool } from '../../support/test-provider.ts';
import { testTools, untilAborted, type Work } from '../../support/test-tool.ts';

// MCP 2026-07-28 over HTTP, with the 2.x SDK's client where it supports the request.

const asked: string[] = [];
const late = defer<void>();
const [ends, ended] = [defer<void>(), defer<void>()];
const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const replies: unknown[] = [];
let ask: () => unknown;
const works = {
  test_session: async (_, { session }) => produceJson({ id: session.id }),
  test_ask: async (_, { askPerson, signal }) => {
    asked.push('work');
    const reply = await askPerson?.({ message: 'Who?', schema }, signal);
    return produceJson({ action: reply?.action ?? null, ...reply?.content });
  },
  test_leave: async (_, { askPerson, registerAfterCompletion }) => {
    const { signal } = new AbortController();
    ask = () => askPerson?.({ message: 'Who?', schema }, signal).catch((thrown: unknown) => thrown);
    replies.push(ask(), ask());
    registerAfterCompletion(() => ended.resolve());
    await ends.promise;
    return produceJson({});
  },
  test_tell: async (_, { progress }) => {
    for (let done = 1; done <= 30; done += 1) progress({ done, message: 'x'.repeat(40) });
    return produceJson({});
  },
  test_late: async () => late.promise.then(() => produceJson({})),
  test_wait: async (_, { signal }) => untilAborted(signal),
} satisfies Readonly<Record<string, Work>>;

const provider = testProvider('test');
let server: MemoryServer;
let http: HttpSession;
beforeEach(async () => {
  asked.length = 0;
  server = await startMemoryServer(
    { mode: 'apps' },
    { ...testTools(works, { spills: true }), providers: [provider] },
  );
  const options = { port: 0, token: null, onClients: () => undefined, maxSessions: 2 };
  http = await serveHttp({ ...server.faces, ...options });
});
afterEach(async () => {
  await http.close();
  await server.close();
});

const connect = () => connectOver(new StreamableHTTPClientTransport(new URL(http.url)));
const named = (name: string, value: unknown) => ({ [`io.modelcontextprotocol/${name}`]: value });

const Answer = z.looseObject({
  result: z
    .looseObject({
      resultType: z.string(),
      content: z.array(z.looseObject({ text: z.string().optional() })).optional(),
      isError: z.boolean().optional(),
      _meta: z.looseObject({ 'spillway/session': z.string().optional() }).optional(),
    })
    .optional(),
  error: z.looseObject({ code: z.number(), data: z.looseObject({}).optional() }).optional(),
});

async function post(
  method: string,
  params: Readonly<Record<string, unknown>>,
  changes: { readonly meta?: object; readonly headers?: Readonly<Record<string, string>> } = {},
) {
  const _meta = {
    ...named('protocolVersion', '2026-07-28'),
    ...named('clientCapabilities', { elicitation: {} }),
    ...changes.meta,
  };
  const response = await fetch(http.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}),
      ...(typeof params['taskId'] === 'string' ? { 'mcp-name': params['taskId'] } : {}),
      ...changes.headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  });
  return { status: response.status, ...Answer.parse(await response.json()) };
}
const call = (name: string, more: object = {}, changes: Parameters<typeof post>[2] = {}) =>
  post('tools/call', { name, arguments: {}, ...more }, changes);
const textOf = ({ result }: z.infer<typeof Answer>): string => result?.content?.[0]?.text ?? '';

const EXTENSIONS = { extensions: named('tasks', {}) };
const WITH_TASKS = { meta: named('clientCapabilities', EXTENSIONS) };
const LATER = '2031-01-01';

it('a question to the person is asked by an answer, and the work is done once', async () => {
  const client = await connect();
  client.setRequestHandler('elicitation/create', async () => ({
    action: 'accept',
    content: { name: 'Ada' },
  }));
  const { content } = await client.callTool({ name: 'test_ask', arguments: {} });
  expect(content[0]).toMatchObject({ text: '{"action":"accept","name":"Ada"}' });
  expect(asked).toEqual(['work']);
  await client.close();
});

it.each([
  ['HTTP, before an inline answer', () => connect(), 'inline'],
  ['a connection', () => connectNewEra(server), 'handle'],
])('all progress comes over %s', async (_wire, open, output_mode) => {
  const client = await open();
  const onprogress = vi.fn();
  await client.callTool({ name: 'test_tell', arguments: { output_mode } }, { onprogress });
  expect(onprogress).toHaveBeenCalledTimes(30);
  await client.close();
});

it('a question to the person is asked again until it is answered, and only for the call that asks', async () => {
  const { result } = await call('test_ask');
  expect(result).toMatchObject({
    resultType: 'input_required',
    inputRequests: { q1: { params: { message: 'Who?' } } },
  });
  const first = result?.['requestState'];
  const unfit = { requestState: first, inputResponses: { q1: { action: 'perhaps' }, q7: {} } };
  const again = await call('test_ask', unfit);
  expect(again.result).toMatchObject({ inputRequests: { q1: {} } });
  const requestState = again.result?.['requestState'];
  const reply = { inputResponses: { q1: { action: 'decline' } } };
  for (const other of [
    { requestState: first },
    { requestState: 'forged' },
    { requestState, arguments: { other: true } },
  ])
    expect((await call('test_ask', { ...reply, ...other })).error?.code).toBe(-32_602);
  expect(textOf(await call('test_ask', { ...reply, requestState }))).toBe('{"action":"decline"}');
  expect((await call('test_ask', { ...reply, requestState })).error?.code).toBe(-32_602);
});

it('a question outlives its call while the client shows it, and no other does', async () => {
  const requestState = (await call('test_leave')).result?.['requestState'];
  ends.resolve();
  await ended.promise;
  const inputResponses = { q1: { action: 'accept', content: { name: 'Ada' } } };
  expect(textOf(await call('test_leave', { requestState, inputResponses }))).toBe('{}');
  const unreachable = { code: 'human_unreachable' };
  expect(await Promise.all([...replies, ask()])).toMatchObject([
    { content: { name: 'Ada' } },
    unreachable,
    unreachable,
  ]);
});

it('a session has the handle that its first answer gives', async () => {
  const first = await call('test_session');
  const handle = first.result?._meta?.['spillway/session'] ?? 'none';
  expect(first.result?.content?.at(-1)?.text).toContain(handle);
  // A widget polls without a handle.
  for (let poll = 0; poll < 3; poll += 1) await call('run_status_internal');
  const named = await call('test_session', {}, { meta: { 'spillway/session': handle } });
  const byArgument = await call('test_session', { arguments: { session: handle } });
  expect(textOf(first)).toMatch(/^\{"id":"[\w-]{36}"\}$/);
  expect([textOf(named), textOf(byArgument)]).toEqual([textOf(first), textOf(first)]);
  expect(named.result?.content).toHaveLength(1);
  expect(textOf(await call('test_session'))).not.toBe(textOf(first));
  // The third of two: the least recently used one has ended.
  await call('test_session');
  const late = await call('test_session', { arguments: { session: handle } });
  expect(late.result?.isError).toBe(true);
  expect(textOf(late)).toContain('"session_closed"');
});

it('a call that takes long becomes a task where the client takes tasks', async () => {
  const { result } = await call('test_wait', {}, WITH_TASKS);
  expect(result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: null });
  const taskId = String(result?.['taskId']);
  expect((await post('tasks/get', { taskId }, WITH_TASKS)).result).toMatchObject({ status: 'working' });
  expect((await post('tasks/get', { taskId })).error).toMatchObject({
    code: -32_021,
    data: { requiredCapabilities: EXTENSIONS },
  });
  expect((await post('tasks/cancel', { taskId }, WITH_TASKS)).result?.resultType).toBe('complete');
  expect((await post('tasks/get', { taskId }, WITH_TASKS)).result).toMatchObject({ status: 'cancelled' });
  expect((await post('tasks/get', { taskId: 'none' }, WITH_TASKS)).error?.code).toBe(-32_602);
});

it('a task and its result name the session that the call has made', async () => {
  const { result } = await call('test_late', {}, WITH_TASKS);
  late.resolve();
  const got = async () => (await post('tasks/get', { taskId: result?.['taskId'] }, WITH_TASKS)).result;
  const _meta = { 'spillway/session': result?._meta?.['spillway/session'] ?? 'none' };
  await expect.poll(got).toMatchObject({ status: 'completed', result: { _meta } });
});

it('notifies listeners that the list of tools has changed', async () => {
  const client = await connect();
  const changed = new Promise<void>((resolve) =>
    client.setNotificationHandler('notifications/tools/list_changed', () => resolve()),
  );
  expect((await client.listen({ toolsListChanged: true })).honoredFilter).toEqual({ toolsListChanged: true });
  provider.offer([testTool({ name: 'late_tool', kind: 'direct' })]);
  await changed;
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('late_tool');
  await client.close();
});

it('offers the skill of the commands, whose file is as its digest says', async () => {
  const client = await connect();
  const skills = new SkillsClient(client);
  expect(skills.supported).toBe(true);
  const [listed, ...others] = (await skills.list()).skills;
  if (listed === undefined) throw new Error('No skill is listed.');
  expect(others).toEqual([]);
  expect((await skills.get('skill://spillway/SKILL.md')).skill).toEqual(listed);
  expect(await skills.read(listed)).toMatchObject({ verified: true });
  await client.close();
  const unknown = await post('skills/get', { uri: 'skill://other/SKILL.md' });
  expect(unknown.error?.data).toMatchObject({ error: { code: 'resource_not_found' } });
});

it.each([
  [
    'a version that nobody has',
    { meta: named('protocolVersion', LATER), headers: { 'mcp-protocol-version': LATER } },
    -32_022,
  ],
  ['a header that contradicts the body', { headers: { 'mcp-method': 'tools/call' } }, -32_020],
  ['a revision that contradicts the body', { headers: { 'mcp-protocol-version': '2025-11-25' } }, -32_020],
  ['an envelope without capabilities', { meta: named('clientCapabilities', undefined) }, -32_602],
])('refuses %s', async (_what, changes, code) => {
  expect(await post('tools/list', {}, changes)).toMatchObject({ status: 400, error: { code } });
});

it.each(['no/such', 'initialize', 'tasks/result'])(
  'has no method %s, and says so by the status too',
  async (method) => {
    expect(await post(method, {})).toMatchObject({ status: 404, error: { code: -32_601 } });
  },
);
