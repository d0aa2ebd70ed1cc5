import { afterEach, describe, expect, it, vi } from 'vitest';
import { produceJson } from '../../server/core/calls/produce.ts';
import type { ProvidedTool, ProvidedRuntime } from '../../server/core/registry/definition.ts';
import type { RunScope, RunWorker } from '../../server/core/runs.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { MIME } from '../../shared/mime.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';
import { PATIENCE } from '../support/patience.ts';
import { testProvider, testTool } from '../support/test-provider.ts';
import { untilAborted } from '../support/test-tool.ts';

// Calls of a provider's tools that are runs. That each path to one is the same: recipe-runs.test.ts.

let server: MemoryServer;
afterEach(() => server.close());

const SECRET = `ghp_${'aB3dE6gH9'.repeat(4)}`;

/** Things that a mill does. */
const WORKS: Readonly<Record<string, ProvidedRuntime['run']>> = {
  json: async ({ word }: { word?: string }, { progress }) => {
    progress({ done: 1, total: 2 });
    return produceJson({ word: word ?? 'none', token: SECRET });
  },
  text: async () => ({
    payload: { kind: 'text', mimeType: MIME.markdown, chunks: flour() },
    done: Promise.resolve({ state: {}, coverage: [] }),
    untrustedFrom: () => 'https://example.org/mill',
  }),
};
async function* flour(): AsyncGenerator<string> {
  yield '# Flour\n';
}

const direct = (name: string, run: ProvidedRuntime['run'] | undefined, more: Partial<ProvidedTool> = {}) => ({
  ...testTool({
    name: `mill_${name}`,
    kind: 'direct',
    spills: true,
    runs: true,
    category: 'runs',
    ...(run === undefined ? {} : { run }),
  }),
  ...more,
});

async function start(more: readonly ProvidedTool[] = [], workers?: object): Promise<void> {
  const offered = Object.entries(WORKS).map(([name, run]) => direct(name, run));
  server = await startMemoryServer(
    {},
    {
      providers: [testProvider('mill', [...offered, ...more])],
      ...(workers === undefined ? {} : { workers: workers as never }),
    },
  );
}

const newestRun = async () => (await (await server.runs()).list({ count: 1 })).runs[0];
const runEnded = (status: string) =>
  vi.waitFor(async () => expect((await newestRun())?.status).toBe(status), PATIENCE);

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
