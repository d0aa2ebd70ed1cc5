import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeAnswer } from '../../server/activity/answers.ts';
import { createSpillway, type CallResult } from '../../server/library/index.ts';
import type { JsonObject, JsonValue } from '../../shared/base/json.ts';
import { endFile } from '../../tests/support/end-of-file.ts';
import { RECORDED, type RecordedCall } from '../../tests/support/face-page/gallery.ts';
import { serveMill } from './mill.ts';

/*
 * Records what real tools answer in a real browser, for the gallery of faces: `tsx scripts/pictures/record-faces.ts`. Run it again when
 * an answer has another shape.
 */

const SITE = 'https://mill.example';

const site = await serveMill();
const origin = new URL(site.url('/')).origin;
const home = await mkdtemp(join(tmpdir(), 'spillway-faces-'));
const spillway = createSpillway({
  home,
  name: 'claude-code',
  launch: { headless: true, windowSize: '900x700' },
});
const session = spillway.session();
const calls: RecordedCall[] = [];

async function make(title: string, tool: string, args: JsonObject = {}): Promise<CallResult> {
  const began = performance.now();
  const result = await session.call(tool, args);
  calls.push({
    title,
    tool,
    args,
    durationMs: Math.round(performance.now() - began),
    answer: faceAnswerOf(result),
  });
  console.log(`${result.ok ? 'ok    ' : 'failed'} ${tool}: ${title}`);
  return result;
}

function faceAnswerOf(result: CallResult): ReturnType<typeof describeAnswer> {
  const { ok, content, state, error, descriptor, structured } = result;
  const isJson = structured !== undefined && descriptor === undefined;
  const kept = { ok, content, state, error, descriptor, ...(isJson ? { kind: 'json' } : { kind: 'text' }) };
  return describeAnswer(kept as Parameters<typeof describeAnswer>[0]);
}

const memberOf = (result: CallResult, name: string): string =>
  String((JSON.parse(result.text) as Record<string, JsonValue>)[name]);

async function readAndAct(): Promise<void> {
  await make('an address', 'navigate', { url: `${origin}/` });
  await make('an address that does not answer', 'navigate', { url: 'http://127.0.0.1:9/' });
  await make('the shop again', 'navigate', { url: `${origin}/` });
  await make('Markdown', 'read_page', {});
  await make('a snapshot', 'read_page', { format: 'snapshot' });
  await make('stored', 'read_page', { output_mode: 'handle' });
  await make('found', 'find', { query: 'Subscribe' });
  await make('nothing', 'find', { query: 'aeroplane' });
  await make('the structure', 'html_skeleton', {});
  await make('messages', 'console', {});
  await make('a text', 'wait_for', { text: 'The Mill' });
  await make('a text that does not come', 'wait_for', { text: 'Aeroplane', timeout_ms: 200 });
  await make('the window', 'screenshot', { format: 'webp', quality: 20 });
  await make('a form', 'interact', {
    fields: { Name: 'Ada', Email: 'ada@example.com', 'Send me news': true },
    steps: ['hover text="Subscribe"'],
  });
  await make('a button that is not there', 'interact', {
    steps: ['check label="Send me news"', 'click text="Fly"'],
  });
  await make('a button that asks', 'interact', { steps: ['click text="Order by name"'] });
  await make('a prompt', 'dialog', { action: 'accept', text: 'Basalt' });
  await make('no dialog', 'dialog', { action: 'dismiss' });
  await make('a list', 'fetch', { url: `${origin}/prices.csv` });
  await make('tabs', 'tabs', {});
  await make('a search', 'docs_search', { query: 'output handle' });
  await make('pages of the documentation', 'docs_fetch', {});
  await make('tools', 'find_tools', { query: 'picture of the page' });
}

async function capture(): Promise<void> {
  await make('begun', 'network', { action: 'start', bodies: 'text' });
  await make('again', 'navigate', { action: 'reload' });
  await make('what it loads', 'interact', { steps: ['click text="Load offers"', 'wait text offers'] });
  await make('requests', 'network', { action: 'slice', bodies: 'text' });
  await make('no request', 'network', { action: 'slice', filter: { url: '**/none/**' } });
  await make('captures', 'network', { action: 'status' });
  await make('a tab without a capture', 'network', { action: 'slice', tab: 'b1:99999' });
  await make('ended', 'network', { action: 'stop' });
}

async function longWork(): Promise<void> {
  await make('pages', 'crawl', { url: `${origin}/`, max_pages: 20, delay_ms: 0 });
  const run = await make('a long one', 'crawl', { url: `${origin}/`, async: true, delay_ms: 3_000 });
  const id = memberOf(run, 'run_id');
  await make('how it is', 'run_status', { run_id: id });
  await make('no items so far', 'run_output', { run_id: id });
  await make('cancelled', 'run_cancel', { run_id: id });
  await make('resumed', 'run_resume', { run_id: id, async: true });
  await make('all', 'run_list', {});
  await make('its log', 'run_log', { run_id: id });
  await make('no such run', 'run_status', { run_id: 'run_AAAAAAAAAAAA' });
  await make('cancelled again', 'run_cancel', { run_id: id });
  await make('the shop', 'navigate', { url: `${origin}/shop` });
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, price: { type: 'number' }, stock: { type: 'integer' } },
    required: ['name'],
  };
  await make('records', 'extract_data', { schema, multiple: true });
  await make('one record', 'extract_data', { schema });
  await make('where they are from', 'extract_data', { schema, multiple: true, explain: true });
  await make('a schema that is wrong', 'extract_data', { schema: { type: 'nonsense' } });
}

async function outputs(): Promise<void> {
  await make('its manifest', 'oc_evidence_bundle', {});
  await make('stored', 'oc_evidence_bundle', { include: ['markdown', 'screenshot'], output_mode: 'handle' });
  const text = await make('text to fetch', 'read_page', { output_mode: 'handle' });
  await make('text', 'oc_output_fetch', { output_handle: memberOf(text, 'output_handle'), limit: 200 });
  const items = await make('pages to fetch', 'crawl', {
    url: `${origin}/docs/`,
    max_pages: 3,
    output_mode: 'handle',
  });
  const stored = { output_handle: memberOf(items, 'output_handle') };
  await make('items', 'oc_output_fetch', stored);
  await make('no such output', 'oc_output_fetch', { output_handle: 'oh_AAAAAAAAAAAA' });
  await make('items of it', 'run_output', { run_id: String(items.state['run_id']) });
  await make('what fits', 'oc_output_query', { ...stored, where: 'depth == `1`' });
  await make('outputs', 'output_list', {});
  await make('its columns', 'output_schema', stored);
  await make('kept', 'output_keep', { ...stored, note: 'The catalogue of the mill' });
  await make('the last calls', 'oc_journal', { action: 'recent', count: 10 });
  await make('sums', 'oc_journal', { action: 'summary' });
  await make('links', 'oc_connection_health', {});
  await make('nobody to ask', 'request_human_input', { type: 'text', message: 'Which stone?' });
  await make('no such call', 'resume_call', { id: 'call-1' });
}

async function recipes(): Promise<void> {
  const definition: JsonObject = {
    version: 1,
    name: 'list_runs',
    title: 'List runs',
    description: 'Lists the newest runs.',
    parameters: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
    steps: [{ id: 'list', tool: 'run_list', args: { count: { $ref: 'params.count' } } }],
    output: { total: { $ref: 'steps.list.structured.total' } },
  };
  await make('saved', 'recipe_save', { definition });
  await make('there already', 'recipe_save', { definition });
  await make('recipes', 'recipe_search', { query: 'runs' });
  await make('one', 'recipe_get', { name: 'list_runs' });
  await make('done', 'recipe_run', { name: 'list_runs', args: { count: 2 } });
  await make('without its parameter', 'recipe_run', { name: 'list_runs' });
  await make('deleted', 'recipe_delete', { name: 'list_runs' });
  await make('no such recipe', 'recipe_delete', { name: 'list_runs' });
  const code =
    'const { runs } = await tools.run_list({ count: 5 });\nreturn { runs: runs.length, done: runs.every(({ status }) => status === "completed") };';
  await make('a program', 'script', { code });
  await make('a program with a mistake', 'script', {
    code: 'const { runs } = tools.run_list({});\nreturn runs.length;',
  });
}

try {
  await readAndAct();
  await capture();
  await longWork();
  await outputs();
  await recipes();
} finally {
  await spillway.close();
  await endFile();
  await rm(home, { recursive: true, force: true });
}
const text = calls
  .map((call) => `${JSON.stringify(call)}\n`)
  .join('')
  .replaceAll(origin, SITE)
  .replaceAll(new URL(origin).host, new URL(SITE).host)
  .replaceAll(home, '/home/ada/.spillway');
await writeFile(RECORDED, text);
console.log(`${calls.length} calls, ${text.length} characters.`);
process.exit(0);
