import { runList } from '../../../server/runs/list-command.ts';
import { CallToolResultSchema, CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Gate } from '../../../server/core/calls/prepare.ts';
import type { RunView } from '../../../server/core/runs.ts';
import { MODES } from '../../../server/core/modes/loader.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { callTool } from '../../support/call-tool.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { PATIENCE } from '../../support/patience.ts';
import { broken, called, OPEN, stepTools } from '../../support/recipes/step-tools.ts';

let server: MemoryServer;
beforeEach(() => {
  called.length = 0;
  broken.is = false;
});

const start = async (options: Parameters<typeof startMemoryServer>[0] = {}): Promise<void> => {
  server = await startMemoryServer(options, stepTools());
  await save(OPEN);
};
const save = (definition: JsonObject, replace = false) => server.call('recipe_save', { definition, replace });
const newestRun = async (): Promise<RunView | undefined> =>
  (await (await server.runs()).list({ count: 1 })).runs[0];
const runEnds = (status: string): Promise<RunView> =>
  vi.waitFor(async () => {
    const run = await newestRun();
    expect(run?.status).toBe(status);
    return run as RunView;
  }, PATIENCE);
const idOf = (text: string): string => /run_[A-Z2-7]{12}/.exec(text)?.[0] ?? '';

/** Ids and times that differ between two equal calls. */
const masked = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/oh_[A-Z2-7]{12}/g, 'oh_')
      .replace(/run_[A-Z2-7]{12}/g, 'run_')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/rate_per_second(\\?)":[\d.]+/g, 'rate_per_second$1":0')
      .replace(/queued(?!\\?":)|running/g, 'ACTIVE'),
  );

type Ask = (name: string, args: JsonObject) => Promise<unknown>;
const plainly: Ask = async (name, args) => (await server.call(name, args)).raw;
const asTask: Ask = async (name, args) => {
  const params = { name, arguments: args, task: {} };
  const { task } = await server.client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
  const { _meta, ...rest } = await server.client.request(
    { method: 'tasks/result', params: { taskId: task.taskId } },
    CallToolResultSchema,
  );
  const { 'io.modelcontextprotocol/related-task': _, ...meta } = _meta ?? {};
  return Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta };
};

/** The recipe by its name and by the general tool, plain and as a task. */
const WAYS = [plainly, asTask].flatMap((ask) => [
  (args: JsonObject, output: JsonObject) => ask('open-One', { ...args, ...output }),
  (args: JsonObject, output: JsonObject) => ask('recipe_run', { name: 'open-One', args, ...output }),
]);

/** One mode starts runs, the others wait for them. */
const RUNS_AND_WAITS = MODES.filter(({ name }) => name !== 'apps');

const CASES = [
  ['a success', { word: 'hello' }, {}, 'completed'],
  ['a success that is stored', { word: 'hello' }, { output_mode: 'handle' }, 'completed'],
  ['a step that fails', { word: 'hello' }, {}, 'failed'],
  ['an argument that does not fit', { word: 7 }, {}, null],
] as const;

describe.each(RUNS_AND_WAITS)('in mode $name', ({ name: mode }) => {
  beforeEach(() => start({ mode }));
  const startsRuns = mode === 'openai';

  it.each(CASES)('%s is the same on each path', async (_, args, output, status) => {
    broken.is = status === 'failed';
    const results: unknown[] = [];
    for (const way of WAYS) {
      const answer = masked(await way(args, output));
      if (status === null) {
        expect(await newestRun()).toBeUndefined();
        results.push([answer]);
        continue;
      }
      const { run_id, items, error, progress } = await runEnds(status);
      const page = await server.call('run_output', { run_id });
      results.push(masked([answer, page.raw.content, items, error?.code ?? null, progress]));
    }
    for (const result of results) expect(result).toEqual(results[0]);
    const text = JSON.stringify(results[0]);
    expect(text.includes('run_ is ACTIVE. A widget shows')).toBe(startsRuns && status !== null);
    expect(text.includes('"isError":true')).toBe(status === null || (status === 'failed' && !startsRuns));
    if (status !== 'completed') return;
    for (const isAsync of [true, false])
      for (const way of WAYS) {
        const waiting = JSON.stringify(await way({ word: 'hello' }, { async: isAsync }));
        expect(waiting.includes('https://example.org/2')).toBe(!isAsync);
        await runEnds('completed');
      }
  });
});

it('a recipe that outlasts --sync-wait-ms answers its run, which ends with run_cancel', async () => {
  await start({ syncWaitMs: 20 });
  await save({ ...OPEN, name: 'wait_long', steps: [{ id: 'wait', tool: 'test_wait' }], output: 1 });
  const { run_id } = (await server.call('wait_long', { word: 'x' })).json<{ run_id: string }>();
  await vi.waitFor(async () => {
    expect((await newestRun())?.progress).toMatchObject({ done: 0, queued: 1, message: 'wait: test_wait' });
  }, PATIENCE);
  await runEnds('running');
  expect((await server.call('run_cancel', { run_id })).text).toContain('cancelled');
  await runEnds('cancelled');
});

describe('a recipe that stops', () => {
  beforeEach(async () => {
    await start();
    broken.is = true;
  });
  const stopped = async (): Promise<string> => idOf((await server.call('open-One', { word: 'hello' })).text);
  const resume = (run_id: string, more: JsonObject = {}) => server.call('run_resume', { run_id, ...more });

  it('says where, and continues without doing again what is done', async () => {
    const answer = await server.call('open-One', { word: 'hello' });
    expect(answer.code()).toBe('tab_not_found');
    expect(answer.text).toContain(
      'Recipe open-One stopped at step then (test_break, 2 of 2): There is no tab b1:9. Done before it: open.',
    );
    const run_id = idOf(answer.text);
    expect(answer.text).toContain(`call run_resume {\\"run_id\\":\\"${run_id}\\"}`);
    expect((await resume(run_id)).code()).toBe('tab_not_found');
    broken.is = false;
    const done = await callTool(await server.connect(), 'run_resume', { run_id });
    expect(done.json()).toEqual({ second: 'https://example.org/2', was: 'whole' });
    expect(called.filter(({ text }) => text !== undefined)).toHaveLength(1);
    expect((await resume(run_id)).code()).toBe('run_not_resumable');
  });

  it('leaves a step out when that is asked for, or takes what it is given instead', async () => {
    const run_id = await stopped();
    for (const more of [{}, { outcome: 'retry' }])
      expect((await resume(run_id, { result: 'e12', ...more })).code()).toBe('invalid_argument');
    const skipped = await resume(run_id, { outcome: 'skip' });
    // The output needs what the step would have answered.
    expect(skipped.code()).toBe('recipe_reference_missing');
    expect(skipped.text).toContain('Correct output in the recipe');
    await save({ ...OPEN, output: { second: { $ref: 'steps.open.structured.items[1].url' } } }, true);
    expect((await resume(run_id)).json()).toEqual({ second: 'https://example.org/2' });
    await save(OPEN, true);
    const given = await resume(await stopped(), { outcome: 'skip', result: { was: 'given' } });
    expect(given.json()).toEqual({ second: 'https://example.org/2', was: 'given' });
    expect(called.filter(({ text }) => text !== undefined)).toHaveLength(2);
  });

  it('continues after a failure that it allows, and branches on it', async () => {
    const side = (id: string, args: JsonObject) => [{ id, tool: 'test_open', args }];
    const steps = [
      { id: 'try', tool: 'test_break', on_error: 'continue' },
      {
        id: 'which',
        if: { ref: 'steps.try.error.code', equals: 'tab_not_found' },
        then: side('inner', { side: 'then' }),
        else: side('other', { side: 'else' }),
      },
    ];
    const output = { side: { $ref: 'steps.inner.structured.side', default: 'none' } };
    await save({ ...OPEN, steps, output }, true);
    const failed = await server.call('open-One', { word: 'hello' });
    expect(failed.json()).toEqual({ side: 'then' });
    expect(failed.notes).toContain('Step try (test_break) failed, which the recipe allows: tab_not_found.');
    broken.is = false;
    expect((await server.call('open-One', { word: 'hello' })).json()).toEqual({ side: 'none' });
  });
});

const question = () =>
  vi.waitFor(() => {
    const [only, ...others] = server.executor.questions.listPending();
    if (only === undefined || others.length > 0) throw new Error('Not one question is pending.');
    return only;
  }, PATIENCE);
async function listed(): Promise<string> {
  let printed = '';
  const io = { write: (text: string) => void (printed += text), isTerminal: false };
  await runList({ home: server.home, count: '1' }, io);
  return printed;
}
const gate: Gate = {
  check: async ({ definition }) =>
    definition.manifest.name === 'test_break' ? { ask: { question: 'May it?' } } : { allow: true },
};

it.each(RUNS_AND_WAITS)(
  'a step that a person has to allow is asked about while the run waits, in mode $name',
  async ({ name: mode }) => {
    server = await startMemoryServer({ mode }, { ...stepTools(), gate });
    await save(OPEN);
    for (const approve of [true, false]) {
      await server.call('recipe_run', { name: 'open-One', args: { word: 'hello' }, async: true });
      const asked = await question();
      expect(asked).toMatchObject({ tool: 'test_break', args: { url: 'https://example.org/2' } });
      const { progress } = await runEnds('running');
      expect(progress).toMatchObject({ done: 1, queued: 1, message: 'test_break waits for a person' });
      // Another process of the home lists it.
      await vi.waitFor(
        async () => expect(await listed()).toContain('test_break waits for a person'),
        PATIENCE,
      );
      await server.executor.questions.decide(asked.callId, { approve, by: 'Ada' });
      const { error } = await runEnds(approve ? 'completed' : 'failed');
      expect(error?.code).toBe(approve ? undefined : 'call_denied');
    }
    if (mode !== 'default') return;
    // A call that waits for its answer gets it.
    const done = server.call('open-One', { word: 'hello' });
    await server.executor.questions.decide((await question()).callId, { approve: true, by: 'Ada' });
    expect((await done).json()).toEqual({ second: 'https://example.org/2', was: 'whole' });
  },
);
