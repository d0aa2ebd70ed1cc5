import { setImmediate } from 'node:timers/promises';
import type { ErrorCode } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { MANIFESTS, type ToolName } from '../../../shared/tools/index.ts';
import type { Runs, RunWorker } from '../../../server/core/runs.ts';
import { createSession } from '../../support/session.ts';

/** What a case may prepare before its call. */
export interface CaseTools {
  readonly runs: Runs;
  /** Calls a tool past the adapter, in a session of its own: answers the first block's text. */
  call(tool: ToolName, args: JsonObject): Promise<string>;
}

/** One call that every adapter makes in every mode. */
export interface ToolCase {
  readonly tool: string;
  readonly title: string;
  readonly args: JsonObject | ((tools: CaseTools) => Promise<JsonObject>);
  readonly ends: 'ok' | ErrorCode;
}

const TAB = 'b1:1';
const NO_RUN = 'run_AAAAAAAAAAAA';
const SCHEMA = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

/** Two pages, and then it ends, fails, or waits for its cancel, as its address says. */
export const crawlWorker: RunWorker = {
  async run({ url }, scope) {
    await scope.commit({ items: [{ url: 'https://example.com/a' }, { url: 'https://example.com/b' }] });
    scope.progress({ done: 2, queued: 0, failed: 0 });
    if (String(url).endsWith('/fails')) throw new Error('a defect');
    if (String(url).endsWith('/waits'))
      await new Promise((_, reject) => {
        const { signal } = scope;
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    return { state: { pages: 2 }, coverage: ['robots.txt left one page out'] };
  },
};

/** Looks again until it holds; the test's own time bounds it. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await setImmediate();
}

/** Nothing goes on any more that would still write into the journal. */
const afterAllRuns =
  (args: JsonObject): ToolCase['args'] =>
  async ({ runs }) => {
    for (const status of ['queued', 'running'] as const)
      await until(async () => (await runs.list({ count: 1, status })).runs.length === 0);
    return args;
  };

/** A run that has ended, or one that goes on until it is cancelled. */
async function runOf({ runs }: CaseTools, path: 'ends' | 'waits'): Promise<JsonObject> {
  const { run_id } = await runs.start({
    tool: 'crawl',
    args: { url: `https://example.com/${path}` },
    source: `https://example.com/${path}`,
    session: createSession('case'),
    output: { mode: 'inline', inlineLimitBytes: 32_768 },
  });
  const signal = new AbortController().signal;
  if (path === 'ends') await runs.wait(run_id, { timeoutMs: 30_000, signal, progress: () => undefined });
  else await until(async () => (await runs.get(run_id)).progress.done === 2);
  return { run_id };
}

async function cancelledRun(tools: CaseTools): Promise<JsonObject> {
  const { run_id } = await runOf(tools, 'waits');
  await tools.runs.cancel(String(run_id), 'a case');
  return { run_id };
}

async function handleOf({ call }: CaseTools): Promise<JsonObject> {
  const text = await call('read_page', { tab: TAB, output_mode: 'handle' });
  return { output_handle: String((JSON.parse(text) as JsonObject)['output_handle']) };
}

const ok = (tool: ToolName, title: string, args: ToolCase['args']): ToolCase => ({
  tool,
  title,
  args,
  ends: 'ok',
});
const fails = (tool: ToolName, ends: ErrorCode, args: ToolCase['args']): ToolCase => ({
  tool,
  title: ends,
  args,
  ends,
});

const WRITTEN: readonly ToolCase[] = [
  ok('tabs', 'lists', {}),
  ok('tabs', 'opens and names the tab', { action: 'open', url: 'https://example.com/new' }),
  fails('tabs', 'tab_not_found', { action: 'close', tab: 'b1:77' }),
  ok('navigate', 'loads an address', { tab: TAB, url: 'https://example.com/' }),
  fails('navigate', 'url_not_allowed', { tab: TAB, url: 'file:///etc/passwd' }),
  ok('read_page', 'reads inline', { tab: TAB }),
  ok('read_page', 'reads into a handle', { tab: TAB, output_mode: 'handle' }),
  ok('read_page', 'reads a page that is blank', { tab: 'b1:2' }),
  fails('read_page', 'tab_not_found', { tab: 'b1:77' }),
  fails('read_page', 'page_crashed', { tab: 'b1:3' }),
  ok('network', 'says what is captured', { action: 'status' }),
  fails('network', 'capture_not_running', { tab: TAB, action: 'slice' }),
  ok('crawl', 'waits or answers a run id, as the mode has it', { url: 'https://example.com/ends' }),
  ok('crawl', 'answers a run id at once', { url: 'https://example.com/ends', async: true }),
  ok('crawl', 'waits, as it was told', { url: 'https://example.com/ends', async: false }),
  fails('crawl', 'internal_error', { url: 'https://example.com/fails', async: false }),
  ok('extract_data', 'finds records', { tab: TAB, schema: SCHEMA, multiple: true }),
  fails('extract_data', 'schema_invalid', { tab: TAB, schema: { type: 'nonsense' } }),
  ok('oc_evidence_bundle', 'packs into bytes', { tab: TAB, include: ['markdown'] }),
  ok('oc_evidence_bundle', 'packs into a handle', {
    tab: TAB,
    include: ['screenshot', 'console'],
    output_mode: 'handle',
  }),
  ok('oc_output_fetch', 'pages a handle', handleOf),
  fails('oc_output_fetch', 'output_handle_not_found', { output_handle: 'oh_AAAAAAAAAAAA' }),
  fails('oc_output_fetch', 'invalid_format_for_payload', async (tools) => ({
    ...(await handleOf(tools)),
    format: 'items',
  })),
  ok('oc_journal', 'sums up', afterAllRuns({ action: 'summary' })),
  ok('oc_journal', 'tells the last calls', { action: 'recent', count: 3 }),
  ok('oc_connection_health', 'describes the browsers', {}),
  ok('run_status', 'tells of a run that has ended', (tools) => runOf(tools, 'ends')),
  fails('run_status', 'run_not_found', { run_id: NO_RUN }),
  ok('run_output', 'pages a run that has ended', (tools) => runOf(tools, 'ends')),
  fails('run_output', 'run_not_found', { run_id: NO_RUN }),
  ok('run_cancel', 'cancels', (tools) => runOf(tools, 'waits')),
  fails('run_cancel', 'run_not_found', { run_id: NO_RUN }),
  ok('run_resume', 'answers the run id', async (tools) => ({ ...(await cancelledRun(tools)), async: true })),
  fails('run_resume', 'run_not_resumable', (tools) => runOf(tools, 'ends')),
  ok('run_list', 'lists the newest run', async (tools) => {
    await runOf(tools, 'ends');
    return { count: 1 };
  }),
  ok('run_log', 'tells what a run did', (tools) => runOf(tools, 'ends')),
  fails('run_log', 'run_not_found', { run_id: NO_RUN }),
  ok('find_tools', 'searches', { query: 'take a picture of the page' }),
  ok('find_tools', 'lists what is chosen', { select: ['screenshot'] }),
  ok('console', 'lists messages', { tab: TAB }),
  fails('console', 'tab_not_found', { tab: 'b1:77' }),
  ok('screenshot', 'takes a picture', { tab: TAB }),
  ok('screenshot', 'takes a handle of one', { tab: TAB, as: 'handle' }),
  ok('docs_search', 'finds sections', { query: 'output handle' }),
  ok('docs_fetch', 'lists the pages', {}),
  ok('html_skeleton', 'draws the page', { tab: TAB }),
];

/** What each tool refuses: a field that it does not know. */
const REFUSED = MANIFESTS.map(({ name }) => ({
  ...fails(name, 'invalid_argument', { no_such_field: true }),
  title: 'refuses an unknown field',
}));

/** Every call that adapters are held to, in the order in which each makes them. */
export const CASES: readonly ToolCase[] = [
  ...WRITTEN,
  ...REFUSED,
  { tool: 'raed_page', title: 'is unknown', args: {}, ends: 'unknown_tool' },
];
