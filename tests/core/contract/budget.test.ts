import { CallToolResultSchema, CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import type { Gate } from '../../../server/core/calls/prepare.ts';
import type { RunScope } from '../../../server/core/runs.ts';
import { startMemoryServer, type MemoryParts } from '../../support/memory-client.ts';
import { LiveMeter, tokensOfList, tokensOfText as tokensOf } from '../../../server/activity/meter.ts';
import { echo, testTools, untilAborted } from '../../support/test-tool.ts';
import { codeOf } from '../../support/code-of.ts';
import { WIRES } from './wires.ts';

const LONG = 'Otters hold hands while they sleep. '.repeat(120);

async function start(budgetTokens: number | null, parts: MemoryParts = {}) {
  const meter = new LiveMeter(budgetTokens);
  const server = await startMemoryServer({}, { meter, ...testTools({ test_echo: echo }), ...parts });
  const own = () => meter.read().sessions.find(({ agent }) => agent === 'contract');
  const used = (): number => own()?.figures.tokens ?? 0;
  const say = (value = LONG) => server.call('test_echo', { value });
  const spend = async (): Promise<void> => {
    while (meter.read().sessions.every(({ budget }) => budget?.state !== 'exceeded')) {
      await say();
    }
  };
  return { meter, server, used, own, say, spend };
}

it('the meter counts what a client was answered and the list of tools', async () => {
  const { server, used, say } = await start(null);
  const { raw } = await say();
  const failure = await server.call('no_such_tool');
  const texts = [...raw.content, ...failure.raw.content].map((block) =>
    block.type === 'text' ? block.text : '',
  );
  const answered = texts.reduce((sum, text) => sum + tokensOf(text), 0);
  expect(used()).toBe(answered);
  const { tools } = await server.client.listTools();
  expect(used()).toBe(answered + tokensOfList(JSON.stringify(tools)));
  const golden = JSON.stringify(JSON.parse(readFileSync('fixtures/golden/tools-list.json', 'utf8')));
  expect(Math.abs(tokensOfList(golden) / countTokens(golden) - 1)).toBeLessThan(0.005);
});

it('a budget that is used up refuses calls with what to do, until a person lifts it', async () => {
  const { server, meter, say, spend, own } = await start(2_000);
  await spend();
  const refused = await say();
  expect(refused.code()).toBe('budget_exceeded');
  expect(refused.text).toContain('ask the person to lift the budget');
  expect(own()?.budget?.left).toBe(0);
  meter.lift(own()?.session ?? '', 10_000);
  expect((await say()).isError).toBe(false);
  const other = await server.connect();
  expect((await other.callTool({ name: 'test_echo', arguments: { value: 'x' } })).isError).toBeUndefined();
});

it('a spent budget still lets work be ended: a run is cancelled, its later pages are refused', async () => {
  const crawl = {
    async run(_: object, scope: RunScope) {
      await scope.commit({ items: [{ page: 1 }] });
      return untilAborted(scope.signal);
    },
  };
  const { server, spend } = await start(2_000, { workers: { crawl: async () => crawl } as never });
  server.bridge.addBrowser({});
  const run = (await server.call('crawl', { url: 'https://example.com/', async: true })).json<{
    run_id: string;
  }>();
  await spend();
  expect((await server.call('run_output', { run_id: run.run_id })).code()).toBe('budget_exceeded');
  expect((await server.call('oc_connection_health')).isError).toBe(false);
  const cancelled = await server.call('run_cancel', { run_id: run.run_id });
  expect(cancelled.json<{ status: string }>().status).toBe('cancelled');
});

it('a budget holds for tasks, stored outputs as resources, and what a person approves later', async () => {
  const gate: Gate = {
    check: async ({ args }) => (args['value'] === 'ask' ? { ask: { question: 'May it?' } } : { allow: true }),
  };
  const { server, spend } = await start(4_000, { gate, ...testTools({ test_echo: echo }, { spills: true }) });
  const stored = await server.call('test_echo', { value: LONG, output_mode: 'handle' });
  const { output_handle: handle } = stored.json<{ output_handle: string }>();
  const pending = (await server.call('test_echo', { value: 'ask' })).json<{ pending: { call_id: string } }>();
  await spend();
  const params = { name: 'test_echo', arguments: { value: 'x' }, task: {} };
  const { task } = await server.client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
  const ended = await server.client.request(
    { method: 'tasks/result', params: { taskId: task.taskId } },
    CallToolResultSchema,
  );
  expect(JSON.stringify(ended)).toContain('budget_exceeded');
  expect((await server.call('oc_output_fetch', { output_handle: handle })).code()).toBe('budget_exceeded');
  const read = server.client.readResource({ uri: `spillway://output/${handle}` });
  expect(await codeOf(read)).not.toBe('no error');
  await expect(read).rejects.toThrow(/budget/);
  const approved = await server.executor.questions.decide(pending.pending.call_id, {
    approve: true,
    by: 'Ada',
  });
  expect(approved.error?.code).toBe('budget_exceeded');
});

it.each(Object.entries(WIRES))('a budget holds through %s', async (_name, open) => {
  const { server } = await start(1, testTools({ test_echo: echo }, { tier: 2 }));
  const wire = await open(server);
  await wire.call('test_echo', { value: 'first' });
  expect(JSON.stringify(await wire.call('test_echo', { value: 'second' }))).toContain('budget_exceeded');
  await wire.close();
});
