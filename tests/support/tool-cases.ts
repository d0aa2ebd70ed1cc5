import type { FoundRecord } from '../../shared/libraries/values/request.ts';
import { setImmediate } from 'node:timers/promises';
import type { ErrorCode } from '../../shared/base/errors.ts';
import type { JsonObject } from '../../shared/base/json.ts';
import type { ToolName } from '../../shared/core/tools/index.ts';
import type { Runs } from '../../server/core/runs.ts';
import type { BridgeHandlers } from './bridge-handlers.ts';
import type { CallAnswer } from './call-tool.ts';
import { createSession } from './session.ts';

/* Parts of the cases of tools. Each tool has its own in `tests/<capability>/contract/<tool>.cases.ts`. */

export interface CaseTools {
  readonly runs: Runs;
  /** Calls a tool past the adapter, in its own session; returns the first block's text. */
  call(tool: ToolName, args: JsonObject): Promise<string>;
}

/** One call that every adapter makes in every mode. */
export interface ToolCase {
  readonly tool: string;
  readonly title: string;
  readonly args: JsonObject | ((tools: CaseTools) => Promise<JsonObject>);
  readonly ends: 'ok' | ErrorCode;
}

export const TAB = 'b1:1';
export const NO_RUN = 'run_AAAAAAAAAAAA';
export const SCHEMA = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

/** Polls until the condition is true; the test's own time limits it. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await setImmediate();
}

const waitOptions = () => ({
  timeoutMs: 30_000,
  signal: new AbortController().signal,
  progress: () => undefined,
});

/** Waits until no work could write to the journal: runs that wait for their cancel are cancelled. */
export const afterAllRuns =
  (args: JsonObject): ToolCase['args'] =>
  async ({ runs }) => {
    const active = await runs.list({ count: 100, status: 'running' });
    for (const { run_id, source } of active.runs)
      if (source.endsWith('/waits')) await runs.cancel(run_id, 'the test');
    for (const status of ['queued', 'running'] as const)
      await until(async () => (await runs.list({ count: 1, status })).runs.length === 0);
    // An ended run may still be sealed, and its handle is an entry of the journal.
    for (const { run_id } of (await runs.list({ count: 100 })).runs) await runs.wait(run_id, waitOptions());
    return args;
  };

/** A run that has ended, or one that is active until it is cancelled. */
export async function runOf({ runs }: CaseTools, path: 'ends' | 'waits'): Promise<JsonObject> {
  const { run_id } = await runs.start({
    tool: 'crawl',
    args: { url: `https://example.com/${path}` },
    source: `https://example.com/${path}`,
    session: createSession('case'),
    output: { mode: 'inline', inlineLimitBytes: 32_768 },
  });
  if (path === 'ends') await runs.wait(run_id, waitOptions());
  else await until(async () => (await runs.get(run_id)).progress.done === 2);
  return { run_id };
}

export async function cancelledRun(tools: CaseTools): Promise<JsonObject> {
  const { run_id } = await runOf(tools, 'waits');
  await tools.runs.cancel(String(run_id), 'a case');
  return { run_id };
}

export async function handleOf({ call }: CaseTools): Promise<JsonObject> {
  const text = await call('read_page', { tab: TAB, output_mode: 'handle' });
  return { output_handle: String((JSON.parse(text) as JsonObject)['output_handle']) };
}

export const ok = (tool: ToolName, title: string, args: ToolCase['args']): ToolCase => ({
  tool,
  title,
  args,
  ends: 'ok',
});
export const fails = (tool: ToolName, ends: ErrorCode, args: ToolCase['args']): ToolCase => ({
  tool,
  title: ends,
  args,
  ends,
});

export interface OutputTools {
  readonly server: { call(tool: string, args?: JsonObject): Promise<CallAnswer> };
  /** Has the browser report a request that was answered. */
  readonly captures: { exchange(requestId: string, answer: { readonly body: string }): void };
}

/** One call whose answer is validated against its manifest's output schema. */
export interface OutputCase {
  readonly tool: ToolName;
  readonly args?: JsonObject | ((tools: OutputTools) => Promise<JsonObject>);
  /** A field that the answer must have, so that an empty object proves nothing. */
  readonly has: string;
}

export interface CaseModule {
  /** Every adapter makes these calls in every mode: at least one that ends well, and one that fails. */
  readonly adapterCases: readonly ToolCase[];
  /** At least one for a tool whose manifest has `output`. */
  readonly outputCases?: readonly OutputCase[];
  /** The answers of a fake browser to the methods of the tool. */
  readonly fakeHandlers?: BridgeHandlers;
}

const field = (value: string) => ({ value, strategy: 'tables', selector: 'td', confidence: 1 }) as const;
/** A record that fits {@link RECORD_SCHEMA}, as a page finds it. */
export const FOUND_RECORD: FoundRecord = {
  strategy: 'tables',
  where: '#row',
  lang: 'en',
  fields: { name: field('Mill'), status: field('open'), preview: field('4') },
};

export const RECORD_SCHEMA = { type: 'object', properties: { name: {}, status: {}, preview: {} } };

const objectOf = ({ raw, json }: CallAnswer): JsonObject =>
  (raw.structuredContent as JsonObject | undefined) ?? json<JsonObject>();

/** The id of the run that a call has started. */
const runIdOf = (answer: CallAnswer): string => String(objectOf(answer)['run_id']);

export async function startRun({ server }: OutputTools, args: JsonObject = {}): Promise<JsonObject> {
  return { run_id: runIdOf(await server.call('crawl', { url: 'https://a.test/', ...args, async: true })) };
}

export async function endedRun(tools: OutputTools): Promise<JsonObject> {
  const { run_id } = await startRun(tools);
  await until(
    async () => objectOf(await tools.server.call('run_status', { run_id }))['status'] === 'completed',
  );
  return { run_id: String(run_id) };
}

export async function stoppedRun(tools: OutputTools): Promise<JsonObject> {
  const run = await startRun(tools, { render: 'always' });
  await tools.server.call('run_cancel', run);
  return run;
}

export async function storedHandle(
  { server }: OutputTools,
  tool: ToolName,
  args: JsonObject,
): Promise<JsonObject> {
  const now = tool === 'crawl' ? { async: false } : {};
  const stored = await server.call(tool, { ...args, ...now, output_mode: 'handle' });
  return { output_handle: stored.json<{ output_handle: string }>().output_handle };
}
