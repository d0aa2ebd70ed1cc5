import { CallToolResultSchema, CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Gate } from '../../server/core/calls/gate.ts';
import type { RunView } from '../../server/core/runs.ts';
import { MODES } from '../../server/modes/loader.ts';
import type { JsonObject } from '../../shared/json.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';
import { PATIENCE } from '../support/patience.ts';
import { broken, called, OPEN, stepTools } from '../support/recipes/step-tools.ts';

// Recipes as runs: by their names and by recipe_run, plain and as a task, in every mode.

let server: MemoryServer;
beforeEach(() => {
  called.length = 0;
  broken.is = false;
});
afterEach(() => server.close());

const start = async (options: Parameters<typeof startMemoryServer>[0] = {}): Promise<void> => {
  server = await startMemoryServer(options, stepTools());
  await save(OPEN);
};
const save = (definition: JsonObject) => server.call('recipe_save', { definition });
const newestRun = async (): Promise<RunView | undefined> =>
  (await (await server.runs()).list({ count: 1 })).runs[0];
const runEnds = (status: string): Promise<RunView> =>
  vi.waitFor(async () => {
    const run = await newestRun();
    expect(run?.status).toBe(status);
    return run as RunView;
  }, PATIENCE);
const stoppedId = (text: string): string => /stopped_[0-9a-f]{10}/.exec(text)?.[0] ?? '';

/** Ids that differ between two calls of the same; a run says which tool started it. */
const masked = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/stopped_[0-9a-f]{10}/g, 'stopped_')
      .replace(/oh_[A-Z2-7]{12}/g, 'oh_')
      .replace(/run_[A-Z2-7]{12}/g, 'run_')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/rate_per_second(\\?)":[\d.]+/g, 'rate_per_second$1":0')
      .replace(/queued(?!\\?":)|running/g, 'ACTIVE')
      .replace(/from (?:open-One|recipe_run):/g, 'from:')
      .replace(/tool(\\?":\\?)"(?:open-One|recipe_run)/g, 'tool$1"'),
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

const CASES = [
  ['a success', { word: 'hello' }, {}, 'completed'],
  ['a success that is stored', { word: 'hello' }, { output_mode: 'handle' }, 'completed'],
  ['a step that fails', { word: 'hello' }, {}, 'failed'],
  ['an argument that does not fit', { word: 7 }, {}, null],
  ['an unknown argument', { word: 'a', other: 1 }, {}, null],
] as const;

describe.each(MODES)('in mode $name', ({ name: mode }) => {
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
  });

  it.each([
    [true, false],
    [false, true],
  ])('async %j says whether it waits', async (async, waits) => {
    for (const way of WAYS) {
      const answer = JSON.stringify(await way({ word: 'hello' }, { async }));
      expect(answer.includes('https://example.org/2')).toBe(waits);
      await runEnds('completed');
    }
  });

  it('what stopped in a run continues, and keeps why it stopped', async () => {
    broken.is = true;
    for (const isAsync of [false, true]) {
      await server.call('open-One', { word: 'hello', async: isAsync });
      const { run_id } = await runEnds('failed');
      const status = await server.call('run_status', { run_id });
      const output = await server.call('run_output', { run_id });
      const id = stoppedId(output.notes);
      expect(id).not.toBe('');
      expect(output.notes).toContain('Recipe open-One stopped at step then (test_break, 2 of 2)');
      expect(output.notes).toContain(`call recipe_run {"continue":"${id}"}`);
      if (mode !== 'openai') expect(stoppedId(status.text)).toBe(id);
      const { error, progress } = await runEnds('failed');
      expect(error?.body).toMatchObject({ continue: id, step: 'then', done: ['open'], recipe: 'open-One' });
      expect(progress).toMatchObject({ done: 1, queued: 1, message: 'then: test_break' });
      const resumed = await server.call('run_resume', { run_id });
      expect(resumed.code()).toBe('run_not_resumable');
      expect(resumed.text).toContain(id);

      broken.is = false;
      await server.call('recipe_run', { continue: id, async: isAsync });
      const done = await runEnds('completed');
      const page = await server.call('run_output', { run_id: done.run_id });
      expect(page.json<JsonObject>()['content']).toEqual([{ second: 'https://example.org/2', was: 'whole' }]);
      // An id that is not there is said at once.
      const gone = await server.call('recipe_run', { continue: id, async: isAsync });
      expect(gone.code()).toBe('recipe_not_stopped');
      broken.is = true;
    }
    expect(called.filter(({ text }) => text !== undefined)).toHaveLength(2);
  });

  it('ends with run_cancel', async () => {
    await save({ ...OPEN, name: 'wait_long', steps: [{ id: 'wait', tool: 'test_wait' }], output: 1 });
    await server.call('recipe_run', { name: 'wait_long', args: { word: 'x' }, async: true });
    await vi.waitFor(async () => {
      expect((await newestRun())?.progress).toMatchObject({ done: 0, queued: 1, message: 'wait: test_wait' });
    }, PATIENCE);
    const { run_id } = await runEnds('running');
    const cancelled = await server.call('run_cancel', { run_id });
    expect(cancelled.text).toContain('cancelled');
    await runEnds('cancelled');
  });
});

describe('a recipe that outlasts --sync-wait-ms', () => {
  it('answers its run, and continues', async () => {
    await start({ syncWaitMs: 20 });
    await save({ ...OPEN, name: 'wait_long', steps: [{ id: 'wait', tool: 'test_wait' }], output: 1 });
    const { run_id } = (await server.call('wait_long', { word: 'x' })).json<{ run_id: string }>();
    const { status } = (await server.call('run_status', { run_id })).json<{ status: string }>();
    expect(status).toBe('running');
    await server.call('run_cancel', { run_id });
  });
});

it('a recipe cannot have a parameter that its tool takes already', async () => {
  await start();
  const parameters = { type: 'object', properties: { async: { type: 'boolean' } } };
  const refused = await save({ ...OPEN, name: 'two', parameters, steps: [{ id: 'a', tool: 'test_open' }] });
  expect(refused.text).toContain('parameters.properties.async: every recipe takes this already');
});

it('what is stored of an answer is what would have been answered', async () => {
  await start();
  const stored = await server.call('open-One', { word: 'x', output_mode: 'handle' });
  const { output_handle } = stored.json<{ output_handle: string }>();
  const page = await server.call('oc_output_fetch', { output_handle });
  expect(JSON.stringify(page.json())).toContain('https://example.org/2');
  expect(stored.json<JsonObject>()['item_count']).toBeNull();
});

describe('a step that a person has to allow', () => {
  const gate: Gate = {
    check: async ({ definition }) =>
      definition.manifest.name === 'test_break' ? { ask: { question: 'May it?' } } : { allow: true },
  };

  it.each(MODES)('is asked about while the run waits, in mode $name', async ({ name: mode }) => {
    server = await startMemoryServer({ mode }, { ...stepTools(), gate });
    await save(OPEN);
    for (const approve of [true, false]) {
      await server.call('recipe_run', { name: 'open-One', args: { word: 'hello' }, async: true });
      await vi.waitFor(() => expect(server.executor.pending()).toHaveLength(1), PATIENCE);
      const [asked] = server.executor.pending();
      expect(asked).toMatchObject({ tool: 'test_break', args: { url: 'https://example.org/2' } });
      const { progress } = await runEnds('running');
      expect(progress).toMatchObject({ done: 1, queued: 1, message: 'test_break waits for a person' });
      await server.executor.decide(asked?.callId ?? '', { approve, by: 'Ada' });
      const { error } = await runEnds(approve ? 'completed' : 'failed');
      expect(error?.code).toBe(approve ? undefined : 'call_denied');
    }
  });

  it('is no longer asked about when the run is cancelled', async () => {
    server = await startMemoryServer({}, { ...stepTools(), gate });
    await save(OPEN);
    await server.call('open-One', { word: 'hello', async: true });
    await vi.waitFor(() => expect(server.executor.pending()).toHaveLength(1), PATIENCE);
    const { run_id } = await runEnds('running');
    await server.call('run_cancel', { run_id });
    await vi.waitFor(() => expect(server.executor.pending()).toEqual([]), PATIENCE);
  });
});
