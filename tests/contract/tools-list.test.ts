import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';

let server: MemoryServer;
beforeAll(async () => {
  server = await startMemoryServer();
});
afterAll(() => server.close());

/** The peers' lists take 4,413 and 6,549. */
const MOST_TOKENS = 3_000;

describe('the default tools/list', () => {
  it('is this, to the letter', async () => {
    const { tools } = await server.client.listTools();
    await expect(`${JSON.stringify(tools, null, 2)}\n`).toMatchFileSnapshot(
      '../../fixtures/golden/tools-list.json',
    );
  });

  it('costs few tokens', async () => {
    const { tools } = await server.client.listTools();
    const perTool = tools.map((tool) => [tool.name, encode(JSON.stringify(tool)).length] as const);
    const total = encode(JSON.stringify(tools)).length;
    console.info(perTool.map(([name, tokens]) => `${name} ${tokens}`).join(', '), `together ${total}`);
    expect(total).toBeLessThanOrEqual(MOST_TOKENS);
  });

  // Those with output schemas take more. Once, each had the fields of a descriptor: 12,296 and 12,446.
  it.each(['apps', 'openai'])('costs at most 8,500 tokens in the mode %s', async (mode) => {
    const other = await startMemoryServer({ mode });
    const { tools } = await other.client.listTools();
    await other.close();
    expect(encode(JSON.stringify(tools)).length).toBeLessThanOrEqual(8_500);
  });

  it.each(['inline', 'handle', 'auto'] as const)(
    'names the default of a server with %s, for few tokens',
    async (mode) => {
      const other = await startMemoryServer({ outputModeDefault: mode });
      const { tools } = await other.client.listTools();
      await other.close();
      const fields = tools.flatMap(({ inputSchema }) => inputSchema.properties?.['output_mode'] ?? []);
      expect(fields.length).toBeGreaterThan(0);
      for (const field of fields)
        expect(field).toMatchObject({ description: `auto: handle if large; default ${mode}` });
      expect(encode(JSON.stringify(tools)).length).toBeLessThanOrEqual(MOST_TOKENS);
    },
  );

  it('leaves out what is understood or what an error says: a default of false, many names of an item', async () => {
    const { tools } = await server.client.listTools();
    const text = JSON.stringify(tools);
    expect(text).not.toContain('"default":false');
    const include = tools.find(({ name }) => name === 'oc_evidence_bundle')?.inputSchema.properties?.[
      'include'
    ];
    expect(include).toMatchObject({
      description: expect.stringContaining('mhtml'),
      items: { type: 'string' },
    });
    expect(JSON.stringify(include)).not.toContain('enum');
    const find = tools.find(({ name }) => name === 'find')?.inputSchema.properties;
    expect(find?.['css']).toEqual({ type: 'string' });
  });

  it('is the same in every session, byte for byte', async () => {
    const second = await server.connect();
    expect(JSON.stringify(await second.listTools())).toBe(JSON.stringify(await server.client.listTools()));
    await second.close();
  });

  it('declares no output schema, and answers no structuredContent', async () => {
    server.bridge.addBrowser({ 1: { url: 'https://a.test/', title: 'A', content: () => ['# A\n'] } });
    const { tools } = await server.client.listTools();
    expect(tools.filter((tool) => tool.outputSchema !== undefined)).toEqual([]);
    const answer = await server.call('read_page', { tab: 'b1:1' });
    expect(answer.raw.structuredContent).toBeUndefined();
  });

  it('names in its instructions only tools that are listed', async () => {
    const { tools } = await server.client.listTools();
    const names = new Set(tools.map(({ name }) => name));
    const mentioned = server.client.getInstructions()?.match(/\b[a-z]+_[a-z_]+\b/g) ?? [];
    expect(
      mentioned.filter(
        (word) => !names.has(word) && !['output_mode', 'next_offset', 'run_id'].includes(word),
      ),
    ).toEqual([]);
  });
});
