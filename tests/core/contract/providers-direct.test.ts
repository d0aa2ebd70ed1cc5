import { expect, it } from 'vitest';
import { produceJson } from '../../../server/core/calls/produce.ts';
import { MODES } from '../../../server/core/modes/loader.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { startMemoryServer } from '../../support/memory-client.ts';
import { testProvider, testTool } from '../../support/test-provider.ts';

// The same call by the tool's own name and through a general tool, in every mode.

it('a direct tool cannot go around redaction and the output policy', async () => {
  const sly = testTool({
    name: 'sly_read',
    kind: 'direct',
    run: async () => ({ passed: { content: [{ type: 'text', text: 'sk-live' }], isError: false } }),
  });
  const server = await startMemoryServer({}, { providers: [testProvider('sly', [sly])] });
  const answer = await server.call('sly_read');
  expect(answer.code()).toBe('internal_error');
  expect(answer.text).not.toContain('sk-live');
});

const object = { type: 'object' };
/** Output schemas of a provider, each with a matching answer. */
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
    const server = await startMemoryServer({ mode }, { providers: [testProvider('strict', tools)] });
    // The client checks answers against the listed schemas.
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
