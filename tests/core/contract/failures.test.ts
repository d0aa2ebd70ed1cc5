import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Gate } from '../../../server/core/calls/prepare.ts';
import { MODES } from '../../../server/core/modes/loader.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import { MANIFESTS } from '../../../shared/core/tools/index.ts';
import { sample } from '../../support/depth.ts';
import { startMemoryServer, type MemoryParts, type MemoryServer } from '../../support/memory-client.ts';
import { testProvider, testTool } from '../../support/test-provider.ts';

/* Widgets are given `structuredContent` alone: errors and questions must be there too. */

let server: MemoryServer;

/** Through the SDK's client, which validates every answer against the listed output schemas. */
async function start(mode: string, parts: MemoryParts = {}, more: readonly string[] = []): Promise<void> {
  const tools = [...MANIFESTS.map((manifest) => manifest.name), ...more];
  server = await startMemoryServer({ mode, tools }, parts);
  await server.client.listTools();
}

const Said = z.object({
  error: z.strictObject({ code: z.string(), message: z.string(), hint: z.string(), retryable: z.boolean() }),
});
const call = async (name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> =>
  (await server.call(name, args)).raw;
const textOf = ({ content: [block] }: CallToolResult): unknown =>
  block?.type === 'text' ? JSON.parse(block.text) : null;

const asking: Gate = { check: async () => ({ ask: { question: 'May it?' } }) };

describe.each(sample(MODES.toReversed(), MODES.length))(
  'in the mode $name',
  ({ name, fallback, rows, widgets }) => {
    const isStructured = (tool: string): boolean => ({ ...fallback, ...rows[tool] }).structuredContent;

    it('every tool fails with the same four fields, as text and as an object where others are', async () => {
      await start(name);
      for (const tool of MANIFESTS) {
        const failed = await call(tool.name, { no_such_field: 1 });
        expect(failed.isError).toBe(true);
        expect(Said.parse(textOf(failed)).error.code, tool.name).toBe('invalid_argument');
        expect(failed.structuredContent, tool.name).toEqual(
          isStructured(tool.name) ? textOf(failed) : undefined,
        );
      }
    });

    it('a failure and a question are sent for the widget of their tool', async () => {
      await start(name);
      const meta = widgets?.resultMeta({ ...fallback, widget: 'run' }) ?? undefined;
      expect((await call('crawl', { url: 'nowhere' }))._meta).toEqual(meta);
      await server.close();
      await start(name, { gate: asking });
      const asked = await call('crawl', { url: 'https://a.test/' });
      expect(asked._meta).toEqual(meta);
      expect(asked.isError).toBeUndefined();
      expect(textOf(asked)).toMatchObject({
        pending: { tool: 'crawl', interaction: { question: 'May it?' } },
      });
      expect(asked.structuredContent).toEqual(isStructured('crawl') ? textOf(asked) : undefined);
    });

    const total = { type: 'integer' };
    it.each<[string, JsonObject | undefined]>([
      ['none', undefined],
      ['a strict one', { properties: { total }, required: ['total'], additionalProperties: false }],
    ])('a schema that a provider wrote is not broken by a failure or a question: %s', async (_, schema) => {
      const outputSchema = schema === undefined ? {} : { outputSchema: { type: 'object', ...schema } };
      const run = async (): Promise<never> => {
        throw new Error('broken');
      };
      const tools = [
        testTool({ name: 'theirs_read', kind: 'upstream', ...outputSchema, run }),
        testTool({ name: 'direct_read', kind: 'direct', ...outputSchema, run }),
      ];
      const names = tools.map((tool) => tool.manifest.name);
      const providers = [testProvider('p', tools)];
      await start(name, { providers }, names);
      for (const each of names) {
        const failed = await call(each);
        expect(failed.isError).toBe(true);
        expect(Said.parse(textOf(failed)).error.message).toContain('broken');
        // Another server's answer contains no object of ours.
        const isObject = each === 'direct_read' && isStructured(each);
        expect(failed.structuredContent).toEqual(isObject ? textOf(failed) : undefined);
      }
      await server.close();
      await start(name, { providers, gate: asking }, names);
      const { tools: listed } = await server.client.listTools();
      for (const each of names) {
        const asked = await call(each);
        expect(textOf(asked)).toMatchObject({ pending: { tool: each } });
        const isObject = listed.find((tool) => tool.name === each)?.outputSchema !== undefined;
        expect(isObject).toBe(schema !== undefined && (isStructured(each) || each === 'theirs_read'));
        expect(asked.structuredContent).toEqual(isObject ? textOf(asked) : undefined);
      }
    });
  },
);
