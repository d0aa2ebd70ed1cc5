import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSession } from '../support/session.ts';
import type { RunScope, RunStart, RunView } from '../../server/core/runs.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { OutputDescriptor } from '../../shared/output/descriptor.ts';
import { callTool } from '../support/call-tool.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';

/** Items of `count` pages, `length` characters each; then it fails, waits to be stopped, or is complete. */
const worker = {
  async run(args: JsonObject, scope: RunScope) {
    const { count, length, then } = args;
    for (let page = Number(scope.state.get(['next']) ?? 0); page < Number(count); page += 1) {
      await scope.commit({
        items: [itemOf(page, Number(length))],
        change: (change) => change.put(['next'], page + 1),
      });
      scope.progress({ done: page + 1, queued: Number(count) - page - 1, failed: 0 });
    }
    const isFirst = scope.state.get(['ended']) === undefined;
    await scope.commit({ change: (change) => change.put(['ended'], true) });
    if (isFirst && then === 'fail') throw new Error('a defect');
    if (isFirst && then === 'wait')
      await new Promise((_, reject) =>
        scope.signal.addEventListener('abort', () => reject(scope.signal.reason)),
      );
    return { state: { count: Number(count) }, coverage: ['one frame was closed'] };
  },
};

const itemOf = (page: number, length: number): JsonObject => ({ page, text: 'x'.repeat(length) });
const itemsOf = (count: number, length = 10): JsonValue[] =>
  Array.from({ length: count }, (_, page) => itemOf(page, length));

let server: MemoryServer;
beforeEach(async () => {
  server = await startMemoryServer({}, { workers: { crawl: () => Promise.resolve(worker) } });
});
afterEach(() => server.close());

interface Asked extends Partial<RunStart> {
  readonly count?: number;
  readonly length?: number;
  readonly then?: 'fail' | 'wait';
}

/** A run as a call of `crawl` would start it. */
async function startRun({ count = 3, length = 10, then, ...start }: Asked = {}): Promise<string> {
  const runs = await server.runs();
  const args = { url: 'https://example.org/start', count, length, ...(then === undefined ? {} : { then }) };
  const session = createSession('test');
  const view = await runs.start({
    tool: 'crawl',
    args,
    source: 'https://example.org/start',
    session,
    output: { mode: 'inline', inlineLimitBytes: 1_000 },
    ...start,
  });
  return view.run_id;
}

const status = async (run_id: string): Promise<Partial<RunView>> =>
  (await server.call('run_status', { run_id })).json();

const untilItIs = (run_id: string, wanted: string): Promise<void> =>
  expect.poll(async () => (await status(run_id)).status).toBe(wanted);

interface Page {
  readonly content: readonly JsonValue[];
  readonly next_offset: number | null;
  readonly eof: boolean;
  readonly status: string;
}

describe('run_status', () => {
  it('shows how far a run is, when it began and when it ended', async () => {
    const run_id = await startRun();
    await untilItIs(run_id, 'completed');
    expect(await status(run_id)).toEqual({
      run_id,
      tool: 'crawl',
      status: 'completed',
      progress: { done: 3, queued: 0, failed: 0, rate_per_second: expect.any(Number) },
      items: 3,
      size_bytes: JSON.stringify(itemsOf(3)).length + 4,
      started_at: expect.stringMatching(/^\d{4}-.*Z$/),
      ended_at: expect.stringMatching(/^\d{4}-.*Z$/),
      output_handle: expect.stringMatching(/^oh_/),
    });
  });

  it.each(['run_status', 'run_output', 'run_cancel', 'run_resume'])('%s knows no other run', async (tool) => {
    for (const run_id of ['run_AAAAAAAAAAAA', '../../etc', ''])
      expect((await server.call(tool, { run_id })).code()).toBe('run_not_found');
    expect((await server.call(tool, {})).code()).toBe('invalid_argument');
  });
});

describe('run_output', () => {
  it('pages to the end, and gives every item once', async () => {
    const run_id = await startRun({ count: 250 });
    await untilItIs(run_id, 'completed');
    const seen: JsonValue[] = [];
    for (let offset: number | null = 0; offset !== null;) {
      const answer = await server.call('run_output', { run_id, ...(offset === 0 ? {} : { offset }) });
      expect(answer.notes).toContain('https://example.org/start');
      const page = answer.json<Page>();
      expect(page.eof).toBe(page.next_offset === null);
      seen.push(...page.content);
      offset = page.next_offset;
    }
    expect(seen).toEqual(itemsOf(250));
  });

  it('pages an active run, and an interrupted one says how to resume', async () => {
    const run_id = await startRun({ then: 'wait' });
    await expect.poll(async () => (await status(run_id)).items).toBe(3);
    const answer = await server.call('run_output', { run_id });
    expect(answer.json<Page>()).toMatchObject({
      status: 'running',
      next_offset: 3,
      eof: false,
      content: itemsOf(3),
    });
    await (await server.runs()).close();
    const after = await server.call('run_output', { run_id, offset: 3 });
    expect(after.json<Page>()).toMatchObject({
      status: 'interrupted',
      next_offset: 3,
      eof: false,
      content: [],
    });
    expect(after.notes).toContain(`run_resume ${run_id}`);
  });

  it.each([
    ['handle', 3],
    ['auto', 100],
  ] as const)('answers the handle that the call asked for: %s', async (mode, count) => {
    const run_id = await startRun({ output: { mode, inlineLimitBytes: 1_000 }, count });
    await untilItIs(run_id, 'completed');
    const answer = await server.call('run_output', { run_id });
    const descriptor = OutputDescriptor.parse(answer.json());
    expect(descriptor).toMatchObject({
      output_handle: (await status(run_id)).output_handle,
      item_count: count,
    });
    const fetched = await server.call('oc_output_fetch', { output_handle: descriptor.output_handle });
    expect(fetched.json<Page>().content).toEqual(itemsOf(count));
    const page = await server.call('run_output', { run_id, offset: 0 });
    expect(page.json<Page>().content).toEqual(itemsOf(count));
  });

  it('gives what a failed run has, and says why it failed', async () => {
    const run_id = await startRun({ then: 'fail' });
    await untilItIs(run_id, 'failed');
    const answer = await server.call('run_output', { run_id });
    expect(answer.json<Page>()).toMatchObject({ status: 'failed', eof: true, content: itemsOf(3) });
    expect(answer.notes).toMatch(/failed: a defect.*run_resume/);
  });

  it('names the items that are too large, and their bytes are in the handle', async () => {
    const run_id = await startRun({ count: 2, length: 40_000 });
    await untilItIs(run_id, 'completed');
    const answer = await server.call('run_output', { run_id });
    const { content, oversized } = answer.json<
      Page & { oversized: { byte_offset: number; size_bytes: number }[] }
    >();
    expect(content).toEqual([null, null]);
    expect(answer.notes).toContain('oc_output_fetch');
    const { output_handle } = await status(run_id);
    let text = '';
    const { byte_offset, size_bytes } = oversized[1] ?? { byte_offset: 0, size_bytes: 0 };
    while (text.length < size_bytes) {
      const part = { offset: byte_offset + text.length, limit: size_bytes - text.length };
      const fetched = await server.call('oc_output_fetch', { output_handle, format: 'bytes', ...part });
      text += fetched.json<{ content: string }>().content;
    }
    expect(JSON.parse(text)).toEqual(itemOf(1, 40_000));
  });
});

describe('run_cancel and run_resume', () => {
  it('end a run and resume it, to the complete output, as the call asked that started it', async () => {
    const run_id = await startRun({ then: 'wait', output: { mode: 'handle', inlineLimitBytes: 1_000 } });
    await expect.poll(async () => (await status(run_id)).items).toBe(3);
    const cancelled = await server.call('run_cancel', { run_id });
    expect(cancelled.json()).toMatchObject({
      status: 'cancelled',
      items: 3,
      error: { code: 'cancelled', message: 'The run was cancelled by run_cancel.' },
    });
    const resumed = await server.call('run_resume', { run_id });
    expect(OutputDescriptor.parse(resumed.json()).item_count).toBe(3);
    expect(resumed.notes).toContain('one frame was closed');
    expect((await server.call('run_resume', { run_id })).code()).toBe('run_not_resumable');
  });
});

it('a run is there for every client of the server, and in its journal', async () => {
  const run_id = await startRun();
  await untilItIs(run_id, 'completed');
  const other = await server.connect();
  expect((await callTool(other, 'run_status', { run_id })).json()).toMatchObject({ status: 'completed' });
  await other.close();
  const entries = (await server.call('oc_journal', { action: 'recent', tool: 'crawl' })).json<JsonObject[]>();
  const own = entries.filter((entry) => entry['run_id'] === run_id);
  expect(own.map(({ event }) => event)).toEqual(['run_started', 'run_ended']);
});

describe('a client that is shown a run of another', () => {
  const listed = async (client: Client): Promise<readonly string[]> =>
    (await client.listTools()).tools.map(({ name }) => name);
  const managed = ['run_cancel', 'run_resume'];

  it.each(['run_status', 'run_output', 'run_list'])(
    'by %s mentions the tools that resume it',
    async (tool) => {
      const run_id = await startRun({ then: 'fail' });
      await untilItIs(run_id, 'failed');
      const client = await server.connect(['runs']);
      let changes = 0;
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
      expect(await listed(client)).not.toEqual(expect.arrayContaining(managed));
      await callTool(client, tool, tool === 'run_list' ? {} : { run_id });
      expect(await listed(client)).toEqual(expect.arrayContaining(managed));
      expect(changes).toBe(1);
      await client.close();
    },
  );

  it('does not mention them without a run', async () => {
    const client = await server.connect(['runs']);
    await callTool(client, 'run_list');
    for (const tool of ['run_status', 'run_output'])
      await callTool(client, tool, { run_id: 'run_AAAAAAAAAAAA' });
    for (const name of managed) expect(await listed(client)).not.toContain(name);
    await client.close();
  });
});
