import { readFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import { startMemoryServer } from '../../support/memory-client.ts';

const server = await startMemoryServer();
const MAX_TOKENS = 3_000;

it('the default tools/list is this, to the letter', async () => {
  const { tools } = await server.client.listTools();
  await expect(`${JSON.stringify(tools, null, 2)}\n`).toMatchFileSnapshot(
    '../../../fixtures/golden/tools-list.json',
  );
  const [, said] =
    /^\| Spillway, `auto` +\| +\d+ ms \| +([\d,]+) \|/m.exec(readFileSync('README.md', 'utf8')) ?? [];
  expect(said, 'the tokens of the list in README.md').toBe(
    encode(JSON.stringify(tools)).length.toLocaleString('en'),
  );
});

it.each([
  ['default', 'inline', MAX_TOKENS],
  ['default', 'handle', MAX_TOKENS],
  // Lists with output schemas are longer. With the fields of a descriptor in each, they would take 12,296 and 12,446.
  ['apps', 'inline', 8_550],
  ['openai', 'inline', 8_550],
] as const)(
  'the default tools/list of mode %s with output %s names its default, for few tokens',
  async (mode, outputModeDefault, most) => {
    const other = await startMemoryServer({ mode, outputModeDefault });
    const { tools } = await other.client.listTools();
    await other.close();
    const fields = tools.flatMap(({ inputSchema }) => inputSchema.properties?.['output_mode'] ?? []);
    expect(fields.length).toBeGreaterThan(0);
    for (const field of fields)
      expect(field).toMatchObject({ description: `auto: handle if large; default ${outputModeDefault}` });
    expect(encode(JSON.stringify(tools)).length).toBeLessThanOrEqual(most);
  },
);
