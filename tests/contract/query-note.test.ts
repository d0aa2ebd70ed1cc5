import { afterEach, expect, it } from 'vitest';
import { callTool } from '../support/call-tool.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';
import { produceItems, testTools } from '../support/test-tool.ts';

let server: MemoryServer | undefined;
afterEach(async () => {
  await server?.close();
});

const NOTE = 'To search, filter or compare it: oc_output_query.';

it.each([
  ['long', [], 3_000, false],
  ['long', ['default', 'oc_output_query'], 3_000, true],
  ['short', ['default', 'oc_output_query'], 10, false],
] as const)('a handle of a %s output, with tools %j', async (_what, selectors, length, isNamed) => {
  server = await startMemoryServer(
    {},
    testTools(
      {
        test_tell: async () => {
          async function* items(): AsyncGenerator<string> {
            yield JSON.stringify('x'.repeat(length));
          }
          return produceItems(items());
        },
      },
      { spills: true },
    ),
  );
  const client = await server.connect(selectors.length === 0 ? undefined : selectors);
  const { notes } = await callTool(client, 'test_tell', { output_mode: 'handle' });
  await client.close();
  expect(notes.includes(NOTE)).toBe(isNamed);
});
