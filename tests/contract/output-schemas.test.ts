import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { RunScope } from '../../server/core/runs.ts';
import { RUN_WORKERS } from '../../server/tools/index.ts';
import type { FoundRecord } from '../../shared/extract/request.ts';
import type { JsonObject } from '../../shared/json.ts';
import { MANIFESTS } from '../../shared/tools/index.ts';
import type { ConsoleMessage } from '../../shared/tools/console/methods.ts';
import type { ToolManifest } from '../../shared/tools/manifest.ts';
import { pageFacts } from '../support/fake-tabs.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';
import { CaptureBridge } from '../unit/network/capture-bridge.ts';

/*
 * What tools really answer, held against the output schemas of their manifests: here no object may
 * have a field that its schema does not name, so that a wrong name in either turns red.
 */
let server: MemoryServer;
const captures = new CaptureBridge();
const PAGE = { url: 'https://a.test/', title: 'A', content: () => ['# A\n'] };

const MESSAGE: ConsoleMessage = {
  at_ms: 1_700_000_000_000,
  level: 'error',
  text: 'broken',
  source: 'console',
  url: 'https://a.test/a.js',
  line: 3,
  column: 7,
  stack: ['f (a.js:3:7)'],
};
const field = (value: string) => ({ value, strategy: 'tables', selector: 'td', confidence: 1 }) as const;
const RECORD: FoundRecord = {
  strategy: 'tables',
  where: '#row',
  lang: 'en',
  fields: { name: field('Mill'), status: field('open'), preview: field('4') },
};

/** Two items; then it is complete, or waits to be stopped. */
const worker = {
  async run(args: JsonObject, scope: RunScope) {
    if (scope.state.get(['done']) === undefined)
      await scope.commit({
        items: [{ url: 'https://a.test/1' }, { url: 'https://a.test/2' }],
        change: (change) => change.put(['done'], true),
      });
    scope.progress({ done: 2, queued: 0, failed: 0 });
    if (args['render'] === 'always' && !scope.signal.aborted)
      await new Promise((_, reject) =>
        scope.signal.addEventListener('abort', () => reject(scope.signal.reason)),
      );
    return { state: {}, coverage: [] };
  },
};

beforeAll(async () => {
  server = await startMemoryServer(
    { mode: 'apps' },
    {
      workers: Object.fromEntries(
        Object.keys(RUN_WORKERS).map((tool) => [tool, () => Promise.resolve(worker)]),
      ),
    },
  );
  const { bridge } = server;
  bridge.addBrowser({ 1: PAGE, 2: PAGE });
  bridge.addBrowser({ 3: PAGE }, false);
  bridge.answer({
    ...captures.handlers,
    'page.console': async function* () {
      yield `${JSON.stringify(MESSAGE)}\n`;
      return { url: PAGE.url, messages: 1, dropped: 0 };
    },
    'page.extract': async function* () {
      yield `${JSON.stringify(RECORD)}\n`;
      return { page: pageFacts(PAGE), coverage: [], tried: [], hidden_records: 0, next: null };
    },
  });
});
afterAll(() => server.close());

/** Parts of an answer with fields of their own: a caller's record, what an event tells. */
const OPEN: Readonly<Record<string, string>> = { extract_data: 'properties', run_log: 'lines' };

/** Refuses what a schema does not name, wherever it names fields at all; below `open` it may be more. */
function close(schema: unknown, open: string | undefined): unknown {
  if (Array.isArray(schema)) return schema.map((part) => close(part, open));
  if (typeof schema !== 'object' || schema === null) return schema;
  const closed = Object.entries(schema).map(([key, value]) => [
    key,
    key === open ? value : close(value, open),
  ]);
  const isNaming = open !== 'properties' && Object.keys(Object(Object(schema).properties)).length > 0;
  return { ...Object.fromEntries(closed), ...(isNaming ? { additionalProperties: false } : {}) };
}

const ajv = new Ajv2020({ allErrors: true, strict: false });
const validators = new Map<string, ValidateFunction>();

function problemsOf(manifest: ToolManifest, answer: unknown): string[] {
  const { name, output } = manifest;
  if (output === null) return [`${name} has no output schema`];
  const schema = z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' });
  const validate = validators.get(name) ?? ajv.compile(Object(close(schema, OPEN[name])));
  validators.set(name, validate);
  if (validate(answer)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${name} ${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

const manifestOf = (name: string): ToolManifest => {
  const found = MANIFESTS.find((manifest) => manifest.name === name);
  if (found === undefined) throw new Error(`There is no tool ${name}.`);
  return found;
};

interface Case {
  readonly tool: string;
  readonly args?: Record<string, unknown> | (() => Promise<Record<string, unknown>>);
  /** A field that the answer must have, so that an empty object proves nothing. */
  readonly has: string;
}

const SCHEMA = { type: 'object', properties: { name: {}, status: {}, preview: {} } };
const CRAWL = { url: 'https://a.test/' };

const startRun = async (args: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
  const answer = await server.call('crawl', { ...CRAWL, ...args, async: true });
  return { run_id: answer.json<{ run_id: string }>().run_id };
};
const ended = async (): Promise<Record<string, unknown>> => {
  const { run_id } = await startRun();
  await expect
    .poll(async () => (await server.call('run_status', { run_id })).json<{ status: string }>().status)
    .toBe('completed');
  return { run_id };
};
const cancelled = async (): Promise<Record<string, unknown>> => {
  const run = await startRun({ render: 'always' });
  await server.call('run_cancel', run);
  return run;
};
const handleOf = async (tool: string, args: Record<string, unknown>): Promise<Record<string, unknown>> => {
  const stored = await server.call(tool, { ...args, output_mode: 'handle' });
  return { output_handle: stored.json<{ output_handle: string }>().output_handle };
};

/** In this order: tabs are captured and closed, and the journal tells of all of it. */
const cases: readonly Case[] = [
  { tool: 'tabs', has: 'tabs' },
  { tool: 'tabs', args: { action: 'open', url: 'https://b.test/', browser: 'b1' }, has: 'opened' },
  { tool: 'tabs', args: { action: 'activate', tab: 'b1:2' }, has: 'activated' },
  { tool: 'tabs', args: { action: 'close', tab: 'b1:2' }, has: 'closed' },
  { tool: 'navigate', args: { url: 'https://c.test/', tab: 'b1:1' }, has: 'status' },
  { tool: 'network', args: { action: 'start', tab: 'b1:1' }, has: 'state' },
  { tool: 'network', args: { action: 'status' }, has: 'captures' },
  {
    tool: 'network',
    args: () => {
      captures.exchange('1', { body: '{}' });
      return Promise.resolve({ tab: 'b1:1' });
    },
    has: 'items',
  },
  { tool: 'network', args: { action: 'stop', tab: 'b1:1' }, has: 'ended' },
  { tool: 'network', args: { action: 'start', tab: 'all' }, has: 'all' },
  { tool: 'network', args: { action: 'stop', tab: 'all' }, has: 'captures' },
  { tool: 'network', args: { action: 'clear', tab: 'b1:1' }, has: 'cleared' },
  { tool: 'console', args: { tab: 'b1:1' }, has: 'items' },
  { tool: 'extract_data', args: { tab: 'b1:1', schema: SCHEMA, multiple: true }, has: 'items' },
  { tool: 'extract_data', args: { tab: 'b1:1', schema: SCHEMA }, has: 'preview' },
  { tool: 'crawl', args: CRAWL, has: 'items' },
  { tool: 'crawl', args: { ...CRAWL, async: true }, has: 'run_id' },
  { tool: 'run_status', args: ended, has: 'status' },
  { tool: 'run_output', args: ended, has: 'content' },
  { tool: 'run_cancel', args: () => startRun({ render: 'always' }), has: 'status' },
  { tool: 'run_list', has: 'runs' },
  { tool: 'run_log', args: ended, has: 'lines' },
  { tool: 'run_resume', args: async () => ({ ...(await cancelled()), async: true }), has: 'run_id' },
  { tool: 'oc_output_fetch', args: () => handleOf('read_page', { tab: 'b1:1' }), has: 'content' },
  { tool: 'oc_output_fetch', args: () => handleOf('crawl', CRAWL), has: 'content' },
  { tool: 'find_tools', args: { query: 'console' }, has: 'matches' },
  { tool: 'find_tools', args: { select: ['console', 'nothing'] }, has: 'tools' },
  { tool: 'docs_search', args: { query: 'crawl' }, has: 'items' },
  { tool: 'oc_connection_health', has: 'browsers' },
  { tool: 'oc_journal', args: { action: 'recent' }, has: 'items' },
  { tool: 'oc_journal', args: { action: 'summary' }, has: 'tools' },
];

describe('what a tool answers has the shape that its manifest says', () => {
  it.each(cases)('$tool $args', async ({ tool, args = {}, has }) => {
    const given = typeof args === 'function' ? await args() : args;
    const answer = await server.call(tool, given);
    expect(answer.isError, answer.text).toBe(false);
    const { structuredContent } = answer.raw;
    expect(structuredContent).toHaveProperty(has);
    expect(problemsOf(manifestOf(tool), structuredContent)).toEqual([]);
    // The same as the text beside it, a list as `items`.
    const said = answer.json<JsonObject>();
    expect(Array.isArray(said) ? { items: said } : said).toEqual(structuredContent);
  });

  it('every tool with an output schema is called above', () => {
    const called = new Set(cases.map(({ tool }) => tool));
    const withOutput = MANIFESTS.filter(({ output }) => output !== null).map(({ name }) => name);
    expect(withOutput.filter((name) => !called.has(name))).toEqual([]);
  });

  it('a stored answer is the descriptor, and fits what is listed', async () => {
    const answer = await server.call('crawl', { ...CRAWL, output_mode: 'handle' });
    expect(answer.raw.structuredContent).toEqual(answer.json());
    expect(answer.raw.structuredContent).toHaveProperty('output_handle');
    const { tools } = await server.client.listTools();
    const listed = tools.find(({ name }) => name === 'crawl')?.outputSchema;
    expect(ajv.validate(Object(listed), answer.raw.structuredContent)).toBe(true);
  });

  it('a wrong name is caught, at any depth', () => {
    const good = { tabs: [{ tab: 'b1:1', url: 'https://a.test/', title: 'A' }] };
    const tabs = manifestOf('tabs');
    expect(problemsOf(tabs, good)).toEqual([]);
    expect(problemsOf(tabs, { ...good, opend: 'b1:1' }).join()).toContain('opend');
    expect(problemsOf(tabs, { tabs: [{ id: 'b1:1', url: 'x', title: 'A' }] }).join()).toContain('"id"');
    expect(problemsOf(tabs, { tabs: [{ url: 'x', title: 'A' }] }).join()).toContain('"tab"');
  });
});
