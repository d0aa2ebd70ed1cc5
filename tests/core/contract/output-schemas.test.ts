import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { RunScope } from '../../../server/core/runs.ts';
import { MODES } from '../../../server/core/modes/loader.ts';
import { loadWorker } from '../../../server/core/index.ts';
import { RUN_WORKERS } from '../../../server/core/runtimes.generated.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';
import type { ConsoleMessage } from '../../../shared/inspect/console.methods.ts';
import { pageFacts } from '../../support/fake-tabs.ts';
import { TOOL_CASES } from '../../support/cases.generated.ts';
import { untilAborted } from '../../support/test-tool.ts';
import { FOUND_RECORD } from '../../support/tool-cases.ts';
import { startMemoryServer, type MemoryServer } from '../../support/memory-client.ts';
import { CaptureBridge } from '../../network/unit/capture-bridge.ts';

/* Real answers of tools fit their output schemas; here no object may have an undeclared field. */
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

/** Two items; then it is complete, or waits to be stopped. */
const worker = {
  async run(args: JsonObject, scope: RunScope) {
    if (scope.state.get(['done']) === undefined)
      await scope.commit({
        items: [{ url: 'https://a.test/1' }, { url: 'https://a.test/2' }],
        change: (change) => change.put(['done'], true),
      });
    scope.progress({ done: 2, queued: 0, failed: 0 });
    if (args['render'] === 'always' && !scope.signal.aborted) await untilAborted(scope.signal);
    return { state: {}, coverage: [] };
  },
};

async function start(mode: string): Promise<void> {
  server = await startMemoryServer(
    { mode },
    {
      workers: {
        ...Object.fromEntries(
          Object.keys(RUN_WORKERS).map((tool) => [tool, () => Promise.resolve(worker)] as const),
        ),
        recipes: loadWorker(() => import('../../../server/recipes/recipes.work.ts')),
      },
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
      yield `${JSON.stringify(FOUND_RECORD)}\n`;
      return { page: pageFacts(PAGE), coverage: [], tried: [], hidden_records: 0, next: null };
    },
  });
}

/** Parts of an answer with free fields: a caller's record, an event's facts, a recipe's text. */
const OPEN: Readonly<Record<string, string>> = {
  extract_data: 'properties',
  recipe_run: 'properties',
  run_log: 'lines',
};

/** Rejects undeclared fields wherever a schema declares any; below `open` more are allowed. */
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

function problemsOf(name: string, answer: unknown): string[] {
  const output = MANIFESTS.find((manifest) => manifest.name === name)?.output ?? null;
  if (output === null) return [`${name} has no output schema`];
  const schema = z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' });
  const validate = validators.get(name) ?? ajv.compile(Object(close(schema, OPEN[name])));
  validators.set(name, validate);
  if (validate(answer)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${name} ${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

function fieldsOf(name: string): string[] {
  const { presentation } = server.executor.registry.get(name);
  return Object.keys(Object(presentation.outputSchema?.['properties']));
}

/** In the order of the tools' folders; tabs are captured and closed, and the journal has all of it. */
const cases = Object.values(TOOL_CASES).flatMap(({ outputCases = [] }) => outputCases);
const structuredModes = MODES.filter(({ fallback }) => fallback.structuredContent);

describe.each(structuredModes)('in the mode $name', ({ name: mode }) => {
  beforeAll(() => start(mode));

  it.each(cases)('$tool $args answers what its schemas say', async ({ tool, args = {}, has }) => {
    const given = typeof args === 'function' ? await args({ server, captures }) : args;
    const answer = await server.call(tool, given);
    expect(answer.isError, answer.text).toBe(false);
    const { structuredContent } = answer.raw;
    expect(Object.keys(Object(structuredContent)).length).toBeGreaterThan(0);
    // A row may keep some keys, write a text, or declare a schema of its own.
    const { outputSchema } = server.executor.registry.get(tool).presentation;
    const validate = ajv.compile(Object(close(outputSchema, OPEN[tool])));
    expect([validate(structuredContent), validate.errors]).toEqual([true, null]);
    if (mode !== 'apps') return;
    expect(structuredContent).toHaveProperty(has);
    expect(problemsOf(tool, structuredContent)).toEqual([]);
    // The same as the text, a list as `items`.
    const parsed = answer.json<JsonObject>();
    expect(Array.isArray(parsed) ? { items: parsed } : parsed).toEqual(structuredContent);
  });

  it('a stored answer is the descriptor, and fits what is listed: there its fields are, and nowhere else', async () => {
    const args = { url: 'https://a.test/', async: false, output_mode: 'handle' };
    const answer = await server.call('crawl', args);
    expect(answer.raw.structuredContent).toEqual(answer.json());
    expect(answer.raw.structuredContent).toHaveProperty('output_handle');
    const { tools } = await server.client.listTools();
    const listed = tools.find(({ name }) => name === 'crawl')?.outputSchema;
    expect(ajv.validate(Object(listed), answer.raw.structuredContent)).toBe(true);
    expect(fieldsOf('crawl')).toContain('expires_at');
    expect(fieldsOf('run_status')).not.toContain('expires_at');
  });
});

it('every tool with an output schema is called above', () => {
  const called = new Set<string>(cases.map(({ tool }) => tool));
  const lacking = MANIFESTS.filter(({ name, output }) => output !== null && !called.has(name));
  expect(
    lacking.map(({ name, identifier }) => `add outputCases of ${name} to ${identifier}.cases.ts`),
  ).toEqual([]);
});
