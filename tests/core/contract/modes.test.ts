import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ModeRow, type ProvidedTool } from '../../../server/core/registry/definition.ts';
import type { RunScope } from '../../../server/core/runs.ts';
import { MODES } from '../../../server/core/modes/loader.ts';
import { callTool } from '../../support/call-tool.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { testProvider, testTool } from '../../support/test-provider.ts';
import { untilAborted } from '../../support/test-tool.ts';

const NAMES = MODES.map(({ name }) => name);
const STRUCTURED = MODES.filter(({ fallback }) => fallback.structuredContent).map(({ name }) => name);

let server: MemoryServer;

async function start(mode: string): Promise<void> {
  const crawl = { run: (_: object, { signal }: RunScope) => untilAborted(signal) };
  server = await startMemoryServer({ mode }, { workers: { crawl: async () => crawl } });
  server.bridge.addBrowser({ 1: { url: 'https://a.test/', title: 'A', content: () => ['# A\n'] } });
}

/** Provided tools of every kind, including unfrozen ones. */
function provided(): ProvidedTool[] {
  const schema = { type: 'object', properties: { a: { enum: ['x', { deep: [1] }] } }, required: ['a'] };
  return (['direct', 'upstream'] as const).flatMap((kind) => [
    testTool({ name: `${kind}_plain`, kind, output: z.object({ a: z.string() }), needs: ['screenshot'] }),
    testTool({ name: `${kind}_like`, kind, spills: true, presentAs: 'crawl', inputSchema: schema }),
    thawed(testTool({ name: `${kind}_thawed`, kind, inputSchema: schema, outputSchema: schema })),
  ]);
}

function thawed(tool: ProvidedTool): ProvidedTool {
  const { input, output, ...data } = tool.manifest;
  return { ...tool, manifest: { ...structuredClone(data), input, output } };
}

/** Where something below a value can be changed; schemas are zod's, which it does not freeze. */
function unfrozen(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null || value instanceof z.ZodType) return [];
  const below = Object.entries(value).flatMap(([key, part]) => unfrozen(part, `${path}.${key}`));
  return Object.isFrozen(value) ? below : [path, ...below];
}

const crawl = (args: Record<string, unknown> = {}) =>
  server.call('crawl', { url: 'https://a.test/', ...args });

function rowLine(tool: string, row: ModeRow): string {
  const structured = row.structuredContent ? ' structured' : '';
  const widget = row.widget === null ? '' : ` widget:${row.widget}`;
  const text = `${row.text === null ? '' : 'text of '}${row.keys?.join('+') ?? 'full'}`;
  const own = (['description', 'systemRole', 'receipt'] as const)
    .filter((part) => row[part] !== null)
    .map((part) => ` ${part}`);
  return `${tool} ${row.audience} ${row.execution} ${text}${structured}${widget}${own.join('')}`;
}

// A tool that a mode does not treat specially is not in its golden: a new one changes none.
it.each(NAMES)('the table of the mode %s, to the letter', async (name) => {
  await start(name);
  const { registry } = server.executor;
  const { fallback } = registry.mode;
  const special = registry.all().filter(({ row }) => !isDeepStrictEqual(row, fallback));
  const lines = [rowLine('*', fallback), ...special.map(({ manifest, row }) => rowLine(manifest.name, row))];
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`../../../fixtures/golden/mode-${name}.txt`);
});

it.each(NAMES)('each row of the mode %s fits its tool', async (name) => {
  await start(name);
  const { registry } = server.executor;
  const shown = registry.mode.widgets?.names ?? [];
  for (const { manifest, row } of registry.all()) {
    if (manifest.output !== null)
      expect(Object.keys(manifest.output.shape), manifest.name).toEqual(
        expect.arrayContaining([...(row.keys ?? [])]),
      );
    if (row.receipt !== null) expect(manifest.runs, manifest.name).toBe(true);
    if (row.widget !== null && registry.mode.widgets !== null) expect(shown).toContain(row.widget);
  }
});

describe.each(NAMES)('in the mode %s', (mode) => {
  it('names, categories and arguments are those of every mode', async () => {
    await start('default');
    const facts = () =>
      server.executor.registry
        .all()
        .filter(({ row }) => row.audience === 'model')
        .map(({ manifest, presentation }) => [manifest.name, manifest.category, presentation.inputSchema]);
    const plain = facts();
    await start(mode);
    expect(facts()).toEqual(plain);
  });

  it('definitions are frozen through and through, and so is the mode', async () => {
    server = await startMemoryServer({ mode }, { providers: [testProvider('others', provided())] });
    const { registry } = server.executor;
    const kinds = new Set(registry.all().map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(['native', 'direct', 'upstream']));
    expect(unfrozen(registry.mode, 'mode')).toEqual([]);
    expect(registry.all().flatMap((each) => unfrozen(each, each.manifest.name))).toEqual([]);
  });
});

it('in the mode openai a long call answers its run id at once, with a short text and a widget', async () => {
  await start('openai');
  const answer = await crawl();
  const { structuredContent } = answer.raw;
  expect(Object.keys(structuredContent ?? {})).toEqual(['run_id', 'status', 'progress']);
  expect(answer.text).toMatch(/^run_\w+ is (queued|running)\. A widget shows .*: do not poll it/);
  expect(answer.notes).toBe('');
  expect(answer.raw._meta).toEqual({ 'openai/outputTemplate': 'ui://spillway/run.html' });
  const { tools } = await server.client.listTools();
  expect(tools.find(({ name }) => name === 'crawl')?._meta).toEqual({
    'openai/outputTemplate': 'ui://spillway/run.html',
    'openai/toolInvocation/invoking': 'Crawl…',
    'openai/toolInvocation/invoked': 'Crawl: see the widget',
  });
});

it.each(STRUCTURED)('in mode %s a page is not repeated, and a stored one is its descriptor', async (mode) => {
  await start(mode);
  expect((await server.call('read_page', { tab: 'b1:1' })).raw.structuredContent).toBeUndefined();
  const stored = await server.call('read_page', { tab: 'b1:1', output_mode: 'handle' });
  expect(stored.raw.structuredContent).toEqual(stored.json());
});

const HIDDEN: Readonly<Record<string, object>> = {
  apps: { ui: { visibility: ['app'] } },
  openai: { 'openai/widgetAccessible': true, 'openai/visibility': 'private' },
};

describe.each(MODES)('what the mode $name tells a model', ({ name, rows, own }) => {
  it('names existing tools, and hides those that only widgets call', async () => {
    await start(name);
    const { registry } = server.executor;
    const named = [...Object.keys(rows), ...own.map((twin) => twin.name)];
    expect(named.filter((each) => !registry.has(each))).toEqual([]);
    const { tools } = await server.client.listTools();
    const internal = tools.filter((tool) => tool.name.endsWith('_internal'));
    expect(internal.map(({ _meta }) => _meta)).toEqual(internal.map(() => HIDDEN[name]));
    expect(internal).toHaveLength(own.length === 0 ? 0 : Math.min(own.length, 4));
    expect(server.client.getInstructions()).not.toContain('_internal');
  });
});

it('looking up a recipe has a variant for models that draws no widget', async () => {
  await start('openai');
  const client = await server.connect(['recipes']);
  const { tools } = await client.listTools();
  const twins = tools.filter(({ name }) => /^recipe_.*_internal$/.test(name));
  expect(twins.map(({ name, _meta }) => [name, _meta])).toEqual([
    ['recipe_search_internal', { 'openai/widgetAccessible': true }],
    ['recipe_get_internal', { 'openai/widgetAccessible': true }],
  ]);
  const shown = await callTool(client, 'recipe_search', {});
  const lean = await callTool(client, 'recipe_search_internal', {});
  expect(shown.raw._meta).toHaveProperty('openai/outputTemplate');
  expect(lean.raw._meta ?? {}).not.toHaveProperty('openai/outputTemplate');
  expect(lean.json()).toHaveProperty('recipes');
});

it('texts are for the widget alone where its host hands it none', async () => {
  await start('openai');
  const page = await server.call('read_page', { tab: 'b1:1' });
  const [text, ...notes] = page.raw.content.map((block) => (block.type === 'text' ? block.text : ''));
  expect(page.raw._meta).toMatchObject({ 'spillway/texts': [text, ...notes] });
  expect(page.raw.structuredContent).toBeUndefined();
  // A descriptor names the text's place, and its body is bounded.
  const stored = await server.call('read_page', { tab: 'b1:1', output_mode: 'handle' });
  expect(stored.raw._meta).not.toHaveProperty('spillway/texts');
  const slice = await server.call('network', { action: 'status' });
  expect(slice.raw.structuredContent).toEqual(slice.json());
  expect(slice.raw._meta).not.toHaveProperty('spillway/texts');
  await start('apps');
  expect((await server.call('read_page', { tab: 'b1:1' })).raw._meta).toBeUndefined();
});
