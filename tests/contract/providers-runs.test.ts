import { CallToolResultSchema, CreateTaskResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { produceJson } from '../../server/core/calls/produce.ts';
import type { Produced } from '../../server/core/payload.ts';
import { PLAIN_ROW, type Mode, type ModeRow } from '../../server/core/registry/definition.ts';
import type { ProvidedTool } from '../../server/core/registry/provider.ts';
import type { ProvidedRuntime } from '../../server/core/registry/runtime.ts';
import type { RunScope, RunWorker } from '../../server/core/runs.ts';
import { createSession } from '../../server/core/registry/session.ts';
import { MODES } from '../../server/modes/loader.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { MIME } from '../../shared/mime.ts';
import { defineTool } from '../../shared/tools/manifest.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';
import { PATIENCE } from '../support/patience.ts';
import { testProvider, testTool } from '../support/test-provider.ts';
import { untilAborted } from '../support/test-tool.ts';

// Calls of a provider's tools that are runs: by their names and through a general tool, in every mode, plain and as a task.

let server: MemoryServer;
afterEach(() => server.close());

const SECRET = `ghp_${'aB3dE6gH9'.repeat(4)}`;

async function* itemsOf(count: number): AsyncGenerator<JsonValue> {
  for (let sack = 1; sack <= count; sack += 1) yield { sack };
}
const items = (count: number): Produced => ({
  payload: { kind: 'items', mimeType: MIME.json, items: itemsOf(count) },
  done: Promise.resolve({ state: { count }, coverage: ['a sack was torn'] }),
});
async function* chunks(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
}

/** How many times each ended, and how. */
const ended: boolean[] = [];

/** Things that a mill does. */
const WORKS: Readonly<Record<string, ProvidedRuntime['run']>> = {
  json: async ({ word }: { word?: string }, { progress, keepState }) => {
    progress({ done: 1, total: 2 });
    keepState(() => ({ seen: 1 }));
    return produceJson({ word: word ?? 'none', token: SECRET });
  },
  list: async ({ count = 100 }: { count?: number }) => items(count),
  text: async () => ({
    payload: { kind: 'text', mimeType: MIME.markdown, chunks: chunks('# Flour\n', 'and more') },
    done: Promise.resolve({ state: {}, coverage: [] }),
    untrustedFrom: () => 'https://example.org/mill',
  }),
  fails: async (_, { keepState, registerAfterCompletion }) => {
    registerAfterCompletion(({ isSuccess }) => void ended.push(isSuccess));
    keepState(() => ({ ground: 3 }));
    throw new SpillwayError('page_crashed', 'The page crashed.', {
      hint: 'Call mill_run again.',
      body: { step: 'grind' },
      state: { last: 'wheat' },
    });
  },
  waits: async (_, { signal, keepState, registerAfterCompletion }) => {
    registerAfterCompletion(({ isSuccess }) => void ended.push(isSuccess));
    keepState(() => ({ ground: 2 }));
    return untilAborted(signal);
  },
};

/** Makes any of them by its name, as the tool that runs recipes does. */
const general = defineTool({
  name: 'mill_run',
  title: 'Run a mill',
  category: 'runs',
  tier: 2,
  risk: 'none',
  description: { does: 'Runs a mill.', use: '', avoid: '' },
  input: z.strictObject({
    what: z.string().describe('Which'),
    args: z.looseObject({}).default({}).describe('Its arguments'),
    async: z.boolean().optional().describe('Return the run_id immediately'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  spills: true,
  runs: true,
});
const generalRuntime: ProvidedRuntime = {
  isRun: true,
  run: async ({ what, args }: { what: string; args: never }, context) => {
    const run = WORKS[what];
    if (run === undefined) throw new SpillwayError('invalid_argument', `what: there is no ${what}.`);
    return run(args, context);
  },
};

const direct = (name: string, run: ProvidedRuntime['run'] | undefined, more: Partial<ProvidedTool> = {}) => ({
  ...testTool({
    name: `mill_${name}`,
    kind: 'direct',
    presentAs: 'mill_run',
    spills: true,
    runs: true,
    category: 'runs',
    ...(run === undefined ? {} : { run }),
  }),
  ...more,
});

const ASYNC: Partial<ModeRow> = { execution: 'async', receipt: 'Started {run_id}: {status}.' };
const MODE_TABLE: readonly (readonly [string, Mode])[] = MODES.flatMap((mode) => [
  [mode.name, mode] as const,
  [`${mode.name}, at once`, { ...mode, rows: { ...mode.rows, mill_run: ASYNC } }] as const,
]);
const isAsync = ({ rows }: Mode): boolean => rows['mill_run']?.execution === 'async';

async function start(mode?: Mode, more: readonly ProvidedTool[] = [], workers?: object): Promise<void> {
  ended.length = 0;
  const offered = Object.entries(WORKS).map(([name, run]) => direct(name, run));
  server = await startMemoryServer(mode === undefined ? {} : { mode: mode.name }, {
    ...(mode === undefined ? {} : { modes: [mode] }),
    manifests: [general],
    runtimes: { mill_run: async () => ({ mill_run: generalRuntime as never }) },
    providers: [testProvider('mill', [...offered, ...more])],
    ...(workers === undefined ? {} : { workers: workers as never }),
  });
  await server.client.listTools();
}

/** The four ways to the same work. */
const PATHS = (what: string, args: JsonObject = {}, output: JsonObject = {}) => [
  { name: `mill_${what}`, arguments: { ...args, ...output } },
  { name: 'mill_run', arguments: { what, args, ...output } },
];
const plain = (call: { name: string; arguments: JsonObject }) => server.client.callTool(call);
async function asTask(call: { name: string; arguments: JsonObject }) {
  const params = { ...call, task: {} };
  const { task } = await server.client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
  const method = 'tasks/result';
  return server.client.request({ method, params: { taskId: task.taskId } }, CallToolResultSchema);
}

/** Two runs differ in their names and times. */
const masked = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/oh_[A-Z2-7]{12}/g, 'oh_')
      .replace(/run_[A-Z2-7]{12}/g, 'run_')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/rate_per_second(\\?)":[\d.]+/g, 'rate_per_second$1":0')
      .replace(/queued|running/g, 'ACTIVE')
      .replace(/mill_\w+/g, 'mill_'),
  );

/** Without what belongs to tasks alone. */
const answerOf = ({ _meta, ...result }: { readonly [key: string]: unknown }) => {
  const { 'io.modelcontextprotocol/related-task': _task, ...meta } = Object(_meta) as JsonObject;
  return masked({ ...result, ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }) });
};

const newestRun = async () => (await (await server.runs()).list({ count: 1 })).runs[0];
const runEnded = (status: string) =>
  vi.waitFor(async () => expect((await newestRun())?.status).toBe(status), PATIENCE);

const CASES: readonly (readonly [string, JsonObject, JsonObject])[] = [
  ['json', { word: 'wheat' }, {}],
  ['json', {}, { output_mode: 'handle' }],
  ['list', {}, {}],
  // Its preview is whole, however long the name of the tool is.
  ['list', { count: 9 }, { output_mode: 'auto', output_inline_limit_bytes: 64 }],
  ['text', {}, {}],
  ['fails', {}, {}],
];

it.each(MODE_TABLE)('in mode %s each work is the same on each path', async (_, mode) => {
  await start(mode);
  for (const [what, args, output] of CASES) {
    const answers: unknown[] = [];
    for (const path of PATHS(what, args, output))
      for (const call of [plain, asTask]) {
        const answer = answerOf((await call(path)) as never);
        await runEnded(what === 'fails' ? 'failed' : 'completed');
        const run = await newestRun();
        const page = await server.call('run_output', { run_id: run?.run_id });
        answers.push([answer, masked([page.raw.content, run?.error?.code ?? null, run?.items])]);
      }
    for (const answer of answers) expect(answer, what).toEqual(answers[0]);
    expect(JSON.stringify(answers).includes('Started run_: ACTIVE.')).toBe(isAsync(mode));
  }
});

/** A mode that waits, and one that does not: the calls say that they wait. */
describe.each(MODE_TABLE.slice(0, 2))('in mode %s', (_, mode) => {
  const execute = ({ name: tool, arguments: args }: ReturnType<typeof PATHS>[number], signal: AbortSignal) =>
    server.executor.execute({
      ...{ callId: 'c', tool, args: { ...args, async: false }, signal },
      session: createSession('wait', { registry: server.executor.registry }),
    });

  it.each(PATHS('waits'))(
    '$name: a cancelled call or task ends its run, and keeps what it came to',
    async (call) => {
      await start(mode);
      const stop = new AbortController();
      const answered = execute(call, stop.signal);
      await runEnded('running');
      stop.abort(new SpillwayError('cancelled', 'The call was cancelled by the client.'));
      expect(await answered).toMatchObject({ error: { code: 'cancelled' }, state: { ground: 2 } });
      await runEnded('cancelled');
      await vi.waitFor(() => expect(ended).toEqual([false]), PATIENCE);

      const params = { ...call, arguments: { ...call.arguments, async: false }, task: {} };
      const { task } = await server.client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
      await runEnded('running');
      await server.client.experimental.tasks.cancelTask(task.taskId);
      await runEnded('cancelled');
    },
  );

  it.each(PATHS('fails'))('$name: a failure keeps what it came to', async (call) => {
    await start(mode);
    const result = await execute(call, AbortSignal.timeout(30_000));
    expect(result.error).toMatchObject({
      code: 'page_crashed',
      message: 'The page crashed.',
      hint: 'Call mill_run again.',
      body: { step: 'grind', status: 'failed', items: 0 },
    });
    const { run_id } = result.state;
    const status = await server.call('run_status', { run_id });
    expect(status.raw.structuredContent ?? {}).not.toHaveProperty('error.body');
    expect(result.state).toMatchObject({ ground: 3, last: 'wheat', status: 'failed' });
    expect(ended).toEqual([false]);
  });
});

describe('a run of a call', () => {
  it('is redacted, journaled and followed as a crawl is', async () => {
    await start();
    const { run_id } = (await server.call('mill_json', { word: SECRET, async: true })).json<JsonObject>();
    await runEnded('completed');
    const status = (await server.call('run_status', { run_id })).json<JsonObject>();
    expect(status).toMatchObject({ tool: 'mill_json', items: 1, progress: { done: 1, queued: 1 } });
    const page = await server.call('run_output', { run_id });
    expect(page.text).not.toContain(SECRET);
    expect(page.json<{ content: unknown[] }>().content).toHaveLength(1);
    const journal = await server.call('oc_journal', {});
    for (const event of ['run_started', 'run_ended']) expect(journal.text).toContain(event);
    expect(journal.text).not.toContain(SECRET);
    const { tools } = await server.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['run_status', 'run_output', 'run_cancel', 'run_resume']),
    );
    const { inputSchema, execution } = tools.find(({ name }) => name === 'mill_json') ?? {};
    expect(Object.keys(inputSchema?.properties ?? {})).toContain('async');
    expect(execution).toEqual({ taskSupport: 'optional' });
    // The page that a text comes from is named.
    expect((await server.call('mill_text', { async: false })).notes).toContain('https://example.org/mill');
    expect((await server.call('mill_json', { async: false })).notes).not.toContain('Untrusted');
  });

  it('that outlasts --sync-wait-ms answers its id, and continues', async () => {
    const waits = direct('waits', WORKS['waits']);
    server = await startMemoryServer({ syncWaitMs: 20 }, { providers: [testProvider('mill', [waits])] });
    const { run_id, status } = (await server.call('mill_waits')).json<{ run_id: string; status: string }>();
    expect(status).toBe('running');
    const cancelled = (await server.call('run_cancel', { run_id })).json<JsonObject>();
    expect(cancelled).toMatchObject({ status: 'cancelled', tool: 'mill_waits' });
    // Nobody else has the call that was its work.
    const resumed = await server.call('run_resume', { run_id });
    expect(resumed.code()).toBe('run_not_resumable');
    expect(resumed.text).toContain('call mill_waits again');
    expect((await server.call('run_output', { run_id })).notes).toContain('call mill_waits again');
  });

  it('waits for a crawl that it has started, however many do', async () => {
    const crawl: RunWorker = {
      run: async (_, scope) => {
        await scope.commit({ items: [{ page: 1 }] });
        return { state: {}, coverage: [] };
      },
    };
    const crawls = direct('crawls', async (_, { session, signal, callId }) => {
      const args = { url: 'https://a.test/' };
      const call = { callId: `${callId}-1`, tool: 'crawl', args, session, signal };
      const { ok } = await server.executor.execute(call);
      return produceJson({ ok });
    });
    await start(undefined, [crawls], { crawl: async () => crawl });
    server.bridge.addBrowser({});
    const answers = await Promise.all(Array.from({ length: 5 }, () => server.call('mill_crawls')));
    expect(answers.map((answer) => answer.json())).toEqual(Array.from({ length: 5 }, () => ({ ok: true })));
  });
});

/** Grinds three sacks, and waits before the last for as long as its arguments say. */
const worker: RunWorker = {
  async admit({ word }) {
    if (word === 'refused') throw new SpillwayError('url_not_allowed', 'No.');
  },
  async run(args, scope: RunScope) {
    const sack = Number(scope.state.get(['sack']) ?? 0);
    for (let at = sack + 1; at <= 3; at += 1) {
      if (at === 3 && sack === 0 && args['word'] === 'wait') await untilAborted(scope.signal);
      const put = { sack: at, keys: Object.keys(args), session: scope.session !== null };
      await scope.commit({ items: [put], change: (change) => change.put(['sack'], at) });
    }
    return { state: { sacks: 3 }, coverage: [] };
  },
};

describe('a worker that a provider brought', () => {
  const brought = (): ProvidedTool =>
    direct('grind', undefined, { worker: () => Promise.resolve(worker) } as Partial<ProvidedTool>);

  it('does the work, with the arguments that its provider asked for', async () => {
    await start(undefined, [brought()]);
    const answer = await server.call('mill_grind', { word: 'x', async: false, output_mode: 'inline' });
    expect(answer.json()).toEqual([1, 2, 3].map((sack) => ({ sack, keys: ['word'], session: true })));
    expect((await server.call('mill_grind', { word: 'refused' })).code()).toBe('url_not_allowed');
  });

  it('takes a cancelled run up again, unless its tool is gone', async () => {
    const provider = testProvider('mill', [brought()]);
    server = await startMemoryServer({}, { providers: [provider] });
    const { run_id } = (await server.call('mill_grind', { word: 'wait', async: true })).json<JsonObject>();
    await vi.waitFor(async () => expect((await newestRun())?.items).toBe(2), PATIENCE);
    await server.call('run_cancel', { run_id });
    provider.offer([]);
    expect((await server.call('run_resume', { run_id })).code()).toBe('run_not_resumable');
    provider.offer([brought()]);
    expect((await server.call('run_resume', { run_id })).json<unknown[]>()).toHaveLength(3);
  });
});

it('an upstream makes no runs, whatever its manifest says', async () => {
  const tool = testTool({ name: 'far_away', kind: 'upstream', runs: true });
  server = await startMemoryServer({}, { providers: [testProvider('far', [tool])] });
  expect((await server.call('far_away', { a: 1 })).text).toBe('{"a":1}');
  expect(await newestRun()).toBeUndefined();
  expect(server.executor.registry.get('far_away').row).toEqual(PLAIN_ROW);
});
