import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Mode, ModeRow } from '../../server/core/registry/definition.ts';
import type { Produced, RawPayload } from '../../server/core/payload.ts';
import type { ProvidedRuntime } from '../../server/core/registry/runtime.ts';
import { produceJson } from '../../server/core/calls/produce.ts';
import { createSession } from '../../server/core/registry/session.ts';
import { MODES } from '../../server/modes/loader.ts';
import { SpillwayError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import { MIME } from '../../shared/mime.ts';
import { defineTool } from '../../shared/tools/manifest.ts';
import { callTool } from '../support/call-tool.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';
import { testProvider, testTool, type TestProvider } from '../support/test-provider.ts';

// The same thing, called by its own name and through a general tool, in every mode.

let server: MemoryServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Things that can be done, each in its own way. */
const DEEDS: Readonly<Record<string, ProvidedRuntime['run']>> = {
  json: async (args, { execution, output, syncWaitMs }) =>
    produced(
      { kind: 'json', mimeType: MIME.json, value: { args, execution, mode: output.mode, syncWaitMs } },
      ['half of it'],
    ),
  list: async (args) => produced({ kind: 'items', mimeType: MIME.json, items: items(args) }),
  text: async () => ({
    ...produced({ kind: 'text', mimeType: MIME.markdown, chunks: chunks('# A page\n', 'and more') }),
    untrustedFrom: () => 'https://example.org/',
  }),
  stops: async () => ({
    ...produced({ kind: 'json', mimeType: MIME.json, value: { kept: 1, left: 2 } }),
    stop: true,
  }),
  refuses: async () => Promise.reject(new SpillwayError('tab_not_found', 'There is no tab b1:9.')),
  throws: async () => {
    throw new Error('a defect');
  },
  breaks: async () => produced({ kind: 'text', mimeType: MIME.text, chunks: broken() }),
};

const produced = (payload: RawPayload, coverage: readonly string[] = []): Produced => ({
  payload,
  done: Promise.resolve({ state: { seen: true }, coverage }),
});

async function* items(args: JsonObject): AsyncGenerator<JsonObject> {
  for (let index = 0; index < 40; index += 1) yield { index, ...args };
}
async function* chunks(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
}
async function* broken(): AsyncGenerator<string> {
  yield 'half of';
  throw new SpillwayError('page_changed', 'The page navigated.');
}

const what = z.looseObject({ word: z.string().optional().describe('Anything') });

/** Does any of them by its name; it represents the tool that runs recipes. */
const general = defineTool({
  name: 'deed_do',
  title: 'Do a deed',
  category: 'recipes',
  tier: 2,
  risk: 'none',
  description: { does: 'Does a deed.', use: 'Use it in tests.', avoid: 'Not elsewhere.' },
  input: z.strictObject({
    deed: z.string().describe('Which'),
    args: what.default({}).describe('Its arguments'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  spills: true,
});

const runGeneral: ProvidedRuntime['run'] = async ({ deed, args }: { deed: string; args: never }, context) => {
  const run = DEEDS[deed];
  if (run === undefined) throw new SpillwayError('invalid_argument', `deed: there is no ${deed}.`);
  return run(args, context);
};

const deeds = (): TestProvider =>
  testProvider(
    'deeds',
    Object.entries(DEEDS).map(([name, run]) =>
      testTool({
        name: `deed_${name}`,
        kind: 'direct',
        presentAs: 'deed_do',
        spills: true,
        input: what,
        run,
      }),
    ),
  );

/** Every mode as it is, and with a row for the general tool that changes all that a row can. */
const ROW: Partial<ModeRow> = {
  execution: 'async',
  text: ['kept', 'args', 'execution'],
  note: 'As this mode says it.',
  widget: 'run',
};
const MODE_TABLE: readonly (readonly [string, Mode])[] = MODES.flatMap((mode) => [
  [mode.name, mode] as const,
  [
    `${mode.name} with a row`,
    { ...mode, rows: { ...mode.rows, deed_do: mode.widgets === null ? { ...ROW, widget: null } : ROW } },
  ] as const,
]);

const CASES: readonly (readonly [string, JsonObject, JsonObject])[] = [
  ['json', {}, {}],
  ['json', { word: 'given' }, {}],
  ['json', {}, { output_mode: 'auto', output_inline_limit_bytes: 16 }],
  ['list', {}, {}],
  ['list', { word: 'spilled' }, { output_mode: 'handle' }],
  ['text', {}, {}],
  ['text', {}, { output_mode: 'handle' }],
  ['stops', {}, {}],
  ['refuses', {}, {}],
  ['throws', {}, {}],
  ['breaks', {}, {}],
  ['json', { word: 7 }, {}],
  ['json', {}, { output_mode: 'sideways' }],
];

/** Two stored outputs differ in their names and times. */
const masked = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/oh_[A-Z2-7]{12}/g, 'oh_')
      .replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'TIME')
      .replace(/deed_do: args\.|deed_\w+: /g, ''),
  );

describe.each(MODE_TABLE)('in mode %s', (_, mode) => {
  it('each deed is the same by its name and through the general tool', async () => {
    server = await startMemoryServer(
      { mode: mode.name },
      {
        modes: [mode],
        manifests: [general],
        runtimes: { deed_do: async () => ({ deed_do: { run: runGeneral as never } }) },
        providers: [deeds()],
      },
    );
    const { connect, executor } = server;
    // The id of a request is a part of its answer's size, which bounds a preview.
    const call = async (name: string, args: JsonObject) => callTool(await connect(), name, args);
    const session = createSession('direct', { registry: executor.registry });
    for (const [deed, args, output] of CASES) {
      const what = JSON.stringify([deed, args, output]);
      const own = await call(`deed_${deed}`, { ...args, ...output });
      const through = await call('deed_do', { deed, args, ...output });
      expect(masked(own.raw), what).toEqual(masked(through.raw));

      const execute = (tool: string, given: JsonObject) =>
        executor.execute({
          ...{ callId: `${tool} ${what}`, tool, args: given, session },
          signal: AbortSignal.timeout(30_000),
        });
      const results = [
        await execute(`deed_${deed}`, { ...args, ...output }),
        await execute('deed_do', { deed, args, ...output }),
      ];
      expect(masked(results[0]), what).toEqual(masked(results[1]));
    }
  });

  it('is shown as the general tool is', async () => {
    server = await startMemoryServer(
      { mode: mode.name },
      { modes: [mode], manifests: [general], providers: [deeds()] },
    );
    const { tools } = await server.client.listTools();
    const [own, through] = ['deed_json', 'deed_do'].map((name) => tools.find((tool) => tool.name === name));
    expect(Object.keys(own?._meta ?? {})).toEqual(Object.keys(through?._meta ?? {}));
    expect(Object.keys(own?.inputSchema.properties ?? {})).toEqual([
      'word',
      'output_mode',
      'output_inline_limit_bytes',
    ]);
    expect(own?.outputSchema === undefined).toBe(through?.outputSchema === undefined);
    if (mode.name !== 'openai' || mode.rows['deed_do'] === undefined) return;
    const answer = await server.call('deed_json', { word: 'given' });
    expect(answer.json()).toEqual({ args: { word: 'given' }, execution: 'async' });
    expect(answer.notes).toContain('As this mode says it.');
    expect(answer.raw._meta).toHaveProperty(['openai/outputTemplate']);
  });
});

it('a direct tool cannot go around redaction and the output policy', async () => {
  const sly = testTool({
    name: 'sly_read',
    kind: 'direct',
    run: async () => ({ passed: { content: [{ type: 'text', text: 'sk-live' }], isError: false } }),
  });
  server = await startMemoryServer({}, { providers: [testProvider('sly', [sly])] });
  const answer = await server.call('sly_read');
  expect(answer.code()).toBe('internal_error');
  expect(answer.text).not.toContain('sk-live');
});

const object = { type: 'object' };
/** Output schemas of a provider, and an answer that passes each. */
const ANSWERS: Readonly<Record<string, readonly [JsonObject, JsonObject]>> = {
  strict: [
    {
      properties: { echo: { $ref: '#/$defs/echo' } },
      required: ['echo'],
      additionalProperties: false,
      $defs: { echo: object },
    },
    { echo: {} },
  ],
  // A field of the descriptor that is an object, one that is a choice, and one that is forbidden.
  objects: [{ properties: { preview: object } }, { preview: {} }],
  choices: [{ properties: { mime_type: { enum: ['a/b'] } } }, { mime_type: 'a/b' }],
  forbids: [{ properties: { preview: false } }, { echo: {} }],
  tree: [
    {
      properties: { size_bytes: { type: 'string' }, parts: { type: 'array', items: { $ref: '#' } } },
      required: ['size_bytes'],
      additionalProperties: false,
    },
    { size_bytes: 'some', parts: [{ size_bytes: 'none' }] },
  ],
};

it.each(MODES)(
  'in mode $name an answer passes the output schema of its provider',
  async ({ name: mode, fallback }) => {
    const tools = Object.entries(ANSWERS).map(([name, [schema, answer]]) =>
      testTool({
        name: `read_${name}`,
        kind: 'direct',
        spills: true,
        outputSchema: { type: 'object', ...schema },
        run: async () => produceJson(answer),
      }),
    );
    server = await startMemoryServer({ mode }, { providers: [testProvider('strict', tools)] });
    // The client checks answers by the schemas of the list.
    const listed = (await server.client.listTools()).tools;
    for (const [each, [, answer]] of Object.entries(ANSWERS)) {
      const shown = listed.find(({ name }) => name === `read_${each}`)?.outputSchema;
      expect(shown === undefined).toBe(!fallback.structuredContent);
      expect((await server.call(`read_${each}`)).json()).toEqual(answer);
      const stored = await server.call(`read_${each}`, { output_mode: 'handle' });
      expect(stored.json()).toHaveProperty('output_handle');
    }
  },
);
