import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunScope } from '../../server/core/runs.ts';
import type { JsonObject } from '../../shared/json.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';
import { createSession } from '../support/session.ts';

const SECRET = `ghp_${'aB3dE6gH9'.repeat(4)}`;
const REDACTED = /Redacted: 2 [a-z-]+\./;

/** Commits two items with a secret each, then waits to be stopped, or says `gaps` things of what it left out. */
const worker = {
  async run({ gaps }: JsonObject, scope: RunScope) {
    await scope.commit({ items: [{ text: SECRET }, { text: SECRET }] });
    if (gaps === undefined)
      await new Promise((_, reject) =>
        scope.signal.addEventListener('abort', () => reject(scope.signal.reason)),
      );
    const coverage = Array.from({ length: Number(gaps) }, (_, gap) => `gap ${gap} was not read`);
    return { state: {}, coverage };
  },
};

let server: MemoryServer;
beforeEach(async () => {
  server = await startMemoryServer({}, { workers: { crawl: () => Promise.resolve(worker) } });
});
afterEach(() => server.close());

async function start(args: JsonObject): Promise<string> {
  const runs = await server.runs();
  const { run_id } = await runs.start({
    tool: 'crawl',
    args,
    source: 'https://example.org/start',
    session: createSession('test'),
    output: { mode: 'inline', inlineLimitBytes: 1_000 },
  });
  return run_id;
}

async function ended(args: JsonObject): Promise<string> {
  const run_id = await start(args);
  const { signal } = new AbortController();
  await (await server.runs()).wait(run_id, { timeoutMs: 20_000, signal, progress: () => undefined });
  return run_id;
}

const read = async (run_id: string, args: JsonObject = {}): Promise<string> =>
  (await server.call('run_output', { run_id, ...args })).notes;

it('the last page says what a run could not read, and what was redacted of it', async () => {
  const run_id = await ended({ gaps: 1 });
  const whole = await read(run_id);
  expect(whole).toContain('gap 0 was not read');
  expect(whole).toMatch(REDACTED);
  const first = await read(run_id, { offset: 0, limit: 1 });
  expect(first).not.toContain('gap 0');
  expect(first).not.toMatch(REDACTED);
  const last = await read(run_id, { offset: 1 });
  expect(last).toContain('gap 0 was not read');
  expect(last).toMatch(REDACTED);
});

it('says no more than other notes do', async () => {
  const notes = await read(await ended({ gaps: 100 }));
  expect(notes).toContain('gap 9 was not read');
  expect(notes).not.toContain('gap 10 ');
  expect(notes).toContain('90 more like these.');
});

it('a page of an active run says nothing of an end', async () => {
  const run_id = await start({});
  await expect.poll(async () => (await (await server.runs()).get(run_id)).items).toBe(2);
  expect(await read(run_id)).not.toMatch(REDACTED);
  await server.call('run_cancel', { run_id });
  const cancelled = await read(run_id);
  expect(cancelled).toContain('The run is cancelled');
  expect(cancelled).toMatch(REDACTED);
});

it('another server of the home says it too, and does not seal a run again whose handle was removed', async () => {
  const run_id = await ended({ gaps: 1 });
  await rm(join(server.home, 'output'), { recursive: true });
  const other = await startMemoryServer({ home: server.home }, { workers: {} });
  try {
    const { notes } = await other.call('run_output', { run_id });
    expect(notes).toContain('gap 0 was not read');
    expect(notes).toMatch(REDACTED);
    expect((await other.call('run_status', { run_id })).json()).not.toHaveProperty('output_handle');
  } finally {
    await other.close();
  }
});
