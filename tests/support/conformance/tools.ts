import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { CallContext } from '../../../server/core/context.ts';
import type { Produced, RawPayload } from '../../../server/core/result.ts';
import type { ProvidedRuntime, ProvidedTool, ToolRuntime } from '../../../server/core/registry/definition.ts';
import type { RuntimeLoader } from '../../../server/core/index.ts';
import { SpillwayError } from '../../../shared/base/errors.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { defineTool, type ToolManifest } from '../../../shared/core/tools/manifest.ts';

/** The pause that the suite asks for between two notifications. */
const STEP_MS = 50;
/** One red pixel. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A WAV file without a sample. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const manifestOf = (name: string): ToolManifest =>
  defineTool({
    name,
    title: name.replaceAll('_', ' '),
    category: 'dev',
    tier: 2,
    risk: 'none',
    does: `Is the suite's ${name}.`,
    input: z.strictObject({}),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  });

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

const produced = (payload: RawPayload): Produced => ({
  payload,
  outcome: () => ({ state: {}, coverage: [] }),
});
const text = (value: string): Produced =>
  produced({ kind: 'text', mimeType: 'text/plain', chunks: once(value) });

type Run = (args: never, context: CallContext) => Promise<Produced>;

/** Text, a picture, a failure, progress, lines of the log. */
const RUNS: Readonly<Record<string, Run>> = {
  test_simple_text: async () => text('This is a simple text response for testing.'),
  test_image_content: async () =>
    produced({ kind: 'bytes', mimeType: 'image/png', chunks: once(Buffer.from(PNG, 'base64')) }),
  test_error_handling: async () => {
    throw new SpillwayError('upstream_error', 'This tool intentionally returns an error for testing');
  },
  test_tool_with_progress: async (_args, { progress, signal }) => {
    for (const done of [0, 50, 100]) {
      progress({ done, total: 100 });
      await delay(STEP_MS, undefined, { signal });
    }
    return text('Told its progress.');
  },
  test_tool_with_logging: async (_args, { logger, signal }) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      logger.info({}, line);
      await delay(STEP_MS, undefined, { signal });
    }
    return text('Wrote three lines.');
  },
};

export const manifests: readonly ToolManifest[] = Object.keys(RUNS).map(manifestOf);

export const runtimes: Readonly<Record<string, RuntimeLoader>> = Object.fromEntries(
  Object.entries(RUNS).map(([name, run]) => {
    const runtime: ToolRuntime = run;
    return [name, () => Promise.resolve({ [name]: runtime })];
  }),
);

/** Tools of another server: their blocks and schemas pass through as they are. */
export function upstream(
  name: string,
  answer: readonly JsonObject[] | ProvidedRuntime,
  inputSchema?: JsonObject,
): ProvidedTool {
  const run: ProvidedRuntime =
    typeof answer === 'function' ? answer : async () => ({ passed: { content: answer, isError: false } });

  return {
    kind: 'upstream',
    manifest: defineTool({ ...manifestOf(name), category: 'upstream', input: z.looseObject({}) }),
    ...(inputSchema === undefined ? {} : { inputSchema }),
    runtime: () => Promise.resolve(run),
  };
}

const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const resourceBlock = (uri: string, mimeType: string, body: string): JsonObject => ({
  type: 'resource',
  resource: { uri, mimeType, text: body },
});

export const fixedTools: readonly ProvidedTool[] = [
  upstream('test_audio_content', [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }]),
  upstream('test_embedded_resource', [
    resourceBlock('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ]),
  upstream('test_multiple_content_types', [
    { type: 'text', text: 'Multiple content types test:' },
    image,
    resourceBlock('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]),
  upstream('json_schema_2020_12_tool', [{ type: 'text', text: 'It has a schema.' }], {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  }),
];
