import { afterEach, beforeEach, expect } from 'vitest';
import type { RunScope, RunStart, RunView } from '../../server/core/runs.ts';
import type { JsonObject, JsonValue } from '../../shared/base/json.ts';
import { startMemoryServer, type MemoryServer } from './memory-client.ts';
import { createSession } from './session.ts';
import { untilAborted } from './test-tool.ts';

export const SECRET = `ghp_${'aB3dE6gH9'.repeat(4)}`;
const START = 'https://example.org/start?page=1';

const itemOf = (page: number, length: number, secret?: string): JsonObject => ({
  page,
  text: 'x'.repeat(length),
  ...(secret !== undefined && { secret }),
});
export const itemsOf = (count: number, length = 10): JsonValue[] =>
  Array.from({ length: count }, (_, page) => itemOf(page, length));

interface Work {
  readonly count?: number;
  readonly length?: number;
  readonly secret?: string;
  readonly lines?: number;
  readonly gaps?: number;
  readonly then?: 'fail' | 'wait';
}

const worker = {
  async run({ work }: JsonObject, scope: RunScope) {
    const { count = 3, length = 10, secret, lines = 0, gaps = 0, then } = (work ?? {}) as Work;
    for (let line = 0; line < lines; line += 1)
      scope.log('page_failed', { line, token: SECRET, text: 'x'.repeat(length) });
    for (let page = Number(scope.state.get(['next']) ?? 0); page < count; page += 1) {
      await scope.commit({
        items: [itemOf(page, length, secret)],
        change: (change) => change.put(['next'], page + 1),
      });
      scope.progress({ done: page + 1, queued: count - page - 1, failed: 0 });
    }
    const isFirst = scope.state.get(['ended']) === undefined;
    await scope.commit({ change: (change) => change.put(['ended'], true) });
    if (isFirst && then === 'fail') throw new Error('a defect');
    if (isFirst && then === 'wait') await untilAborted(scope.signal);
    return { state: {}, coverage: Array.from({ length: gaps }, (_, gap) => `gap ${gap} was not read`) };
  },
};

/** A server for each test of a file, with runs that follow the test's script. */
export interface RunsRig {
  readonly server: MemoryServer;
  start(work?: Work, more?: Partial<RunStart>): Promise<string>;
  ended(work?: Work, more?: Partial<RunStart>): Promise<string>;
  status(run_id: string): Promise<Partial<RunView>>;
  untilItHas(run_id: string, items: number): Promise<void>;
}

export function runsRig(): RunsRig {
  let server: MemoryServer;
  beforeEach(async () => {
    const load = () => Promise.resolve(worker);
    server = await startMemoryServer({}, { workers: { crawl: load, extract_data: load } });
  });
  afterEach(() => server.close());
  const rig: RunsRig = {
    get server() {
      return server;
    },
    async start(work = {}, more = {}) {
      const { run_id } = await (
        await server.runs()
      ).start({
        tool: 'crawl',
        args: { work: { ...work }, render: 'auto', delay_ms: 0, instance: null },
        source: START,
        session: createSession('test'),
        output: { mode: 'inline', inlineLimitBytes: 1_000 },
        ...more,
      });
      return run_id;
    },
    async ended(work, more) {
      const run_id = await rig.start(work, more);
      const { signal } = new AbortController();
      await (await server.runs()).wait(run_id, { timeoutMs: 60_000, signal, progress: () => undefined });
      return run_id;
    },
    status: async (run_id) => (await server.call('run_status', { run_id })).json(),
    untilItHas: (run_id, items) =>
      expect.poll(async () => (await (await server.runs()).get(run_id)).items).toBe(items),
  };
  return rig;
}
