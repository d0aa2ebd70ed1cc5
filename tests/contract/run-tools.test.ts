import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunScope } from '../../server/core/runs.ts';
import type { JsonObject } from '../../shared/json.ts';
import { createSession } from '../support/session.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';

const SECRET = `ghp_${'aB3dE6gH9'.repeat(4)}`;

/** Logs the given number of lines, then fails, continues, or completes. */
const worker = {
  async run({ lines, length, then }: JsonObject, scope: RunScope) {
    for (let line = 0; line < Number(lines ?? 0); line += 1)
      scope.log('page_failed', { line, token: SECRET, text: 'x'.repeat(Number(length ?? 0)) });
    if (then === 'fail') throw new Error('a defect');
    if (then === 'wait')
      await new Promise((_, reject) =>
        scope.signal.addEventListener('abort', () => reject(scope.signal.reason)),
      );
    return { state: {}, coverage: [] };
  },
};

let server: MemoryServer;
beforeEach(async () => {
  server = await startMemoryServer({}, { workers: { crawl: () => Promise.resolve(worker) } });
});
afterEach(() => server.close());

async function start(args: JsonObject = {}): Promise<string> {
  const runs = await server.runs();
  const view = await runs.start({
    tool: 'crawl',
    args: { url: 'https://example.org/start', ...args },
    source: 'https://example.org/start',
    session: createSession('test'),
    output: { mode: 'inline', inlineLimitBytes: 1_000 },
  });
  return view.run_id;
}

interface Listed {
  readonly runs: readonly { readonly run_id: string; readonly status: string }[];
  readonly total: number;
}
interface Logged {
  readonly status: string;
  readonly lines: readonly (JsonObject & { readonly event: string; readonly ts: string })[];
  readonly total: number;
}

const list = async (args: JsonObject = {}): Promise<Listed> =>
  (await server.call('run_list', args)).json<Listed>();
const log = async (run_id: string, args: JsonObject = {}): Promise<Logged> =>
  (await server.call('run_log', { run_id, ...args })).json<Logged>();
const untilEnded = (run_id: string): Promise<void> =>
  expect.poll(async () => (await log(run_id)).status).toMatch(/completed|failed/);

describe('run_list', () => {
  it('lists the newest first, at most so many, of one status or of all', async () => {
    const ids: string[] = [];
    expect(await list()).toEqual({ runs: [], total: 0 });
    for (const then of ['fail', 'done', 'fail', 'done', 'done']) {
      const runId = await start({ then });
      await untilEnded(runId);
      ids.push(runId);
    }
    const newest = ids.toReversed();
    const all = await list();
    expect(all.runs.map(({ run_id }) => run_id)).toEqual(newest);
    expect(all.total).toBe(5);
    const two = await list({ count: 2 });
    expect(two).toMatchObject({ runs: [{ run_id: newest[0] }, { run_id: newest[1] }], total: 5 });
    const failed = await list({ status: 'failed' });
    expect(failed).toMatchObject({
      runs: [
        { run_id: ids[2], status: 'failed', error: { code: 'internal_error', message: 'a defect' } },
        { run_id: ids[0], status: 'failed' },
      ],
      total: 2,
    });
    expect(await list({ status: 'interrupted' })).toEqual({ runs: [], total: 0 });
    for (const args of [{ count: 0 }, { count: 101 }, { status: 'over' }])
      expect((await server.call('run_list', args)).code()).toBe('invalid_argument');
  });

  it('shows the same of an active run as run_status', async () => {
    const runId = await start({ lines: 2, then: 'wait' });
    await expect.poll(async () => (await log(runId)).total).toBe(2);
    expect((await log(runId)).status).toBe('running');
    const [listed] = (await list()).runs;
    expect(listed).toEqual((await server.call('run_status', { run_id: runId })).json());
    await server.call('run_cancel', { run_id: runId });
    expect((await list()).runs).toMatchObject([
      { status: 'cancelled', error: { message: 'The run was cancelled by run_cancel.' } },
    ]);
  });
});

describe('run_log', () => {
  it('shows the last lines, oldest first, redacted, and how the run ended', async () => {
    const runId = await start({ lines: 10 });
    await untilEnded(runId);
    const answer = await server.call('run_log', { run_id: runId, count: 3 });
    const { lines, total } = answer.json<Logged>();
    expect(total).toBe(11);
    expect(lines.map(({ event, line }) => [event, line])).toEqual([
      ['page_failed', 8],
      ['page_failed', 9],
      ['run_ended', undefined],
    ]);
    expect(answer.text).not.toContain(SECRET);
    expect(answer.notes).toContain('Untrusted page text from https://example.org/start');
  });

  it('shows no line older than was asked for', async () => {
    const runId = await start({ lines: 3 });
    await untilEnded(runId);
    const { lines, total } = await log(runId, { since: '1h' });
    expect([lines.length, total]).toEqual([4, 4]);
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(await log(runId, { since: later })).toMatchObject({ lines: [], total: 0 });
    expect((await server.call('run_log', { run_id: runId, since: 'soon' })).code()).toBe('invalid_argument');
    expect((await server.call('run_log', { run_id: 'run_AAAAAAAAAAAA' })).code()).toBe('run_not_found');
  });

  it('answers no more than a page holds, however long the lines are', async () => {
    const runId = await start({ lines: 40, length: 4_000 });
    await untilEnded(runId);
    const answer = await server.call('run_log', { run_id: runId });
    const { lines, total } = answer.json<Logged>();
    expect(total).toBe(41);
    expect(lines.at(-1)?.event).toBe('run_ended');
    expect(lines.length).toBeGreaterThan(5);
    expect(Buffer.byteLength(answer.text)).toBeLessThan(33_000);
    const large = await start({ lines: 1, length: 100_000 });
    await untilEnded(large);
    expect((await log(large)).lines).toMatchObject([
      { event: 'page_failed', oversized_bytes: expect.any(Number) },
      { event: 'run_ended' },
    ]);
  });

  it('continues across the files of a log', async () => {
    const runId = await start({ lines: 300, length: 2_500 });
    await untilEnded(runId);
    const { lines, total } = await log(runId, { count: 5 });
    expect(lines.map(({ line }) => line)).toEqual([296, 297, 298, 299, undefined]);
    expect(total).toBe(301);
  });
});
