import { describe, expect, it } from 'vitest';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { startMemoryServer } from '../../support/memory-client.ts';

const server = await startMemoryServer();

const NEEDED: Readonly<Record<string, Record<string, string>>> = {
  audit_page: {},
  extract_table: { what: 'all plans with their price' },
  reproduce_bug: { what: 'Save does nothing' },
};

async function textOf(name: string, args: Record<string, string>, client: Client = server.client) {
  const { messages } = await client.getPrompt({ name, arguments: args });
  expect(messages).toHaveLength(1);
  const [first] = messages;
  if (first?.content.type !== 'text') throw new Error('a prompt is text');
  return first.content.text;
}

/** Names before arguments, as a call is written: `name {…}`. */
const callsIn = (text: string): string[] =>
  [...text.matchAll(/`([a-z_]+) (\{[^`]*\})`/g)].map(([, name = '']) => name);

describe.each(Object.keys(NEEDED))('%s', (name) => {
  it.each([
    ['in the front tab', {}],
    ['at an address', { url: 'https://shop.test/plans?a="b"' }],
  ])('names only tools that exist, with arguments that they take, %s', async (_where, more) => {
    const text = await textOf(name, { ...NEEDED[name], ...more });
    const { registry } = server.executor;
    const calls = [...text.matchAll(/`([a-z_]+) (\{[^`]*\})`/g)];
    expect(calls.length).toBeGreaterThan(3);
    for (const [whole, tool = '', args = ''] of calls) {
      expect(registry.has(tool), whole).toBe(true);
      // Placeholders replace values that only a result contains.
      const filled = args.replaceAll('"TAB"', '"b1:42"').replaceAll('oh_…', 'oh_AAAAAAAAAAAA');
      const given: unknown = JSON.parse(filled.replaceAll('run_…', 'run_AAAAAAAAAAAA'));
      expect(registry.get(tool).manifest.input.safeParse(given).error?.issues, whole).toBeUndefined();
    }
    expect(text).toContain('output_handle');
    expect(text).toContain('next_offset');
    if ('url' in more) expect(text).toContain(JSON.stringify(new URL(more.url).href));
    else expect(text).toContain('"tab":"active"');
  });

  it('has the tools listed first that its session does not list', async () => {
    const client = await server.connect(['tabs']);
    const text = await textOf(name, { ...NEEDED[name], url: 'https://shop.test/' }, client);
    const { tools } = await client.listTools();
    const listed = new Set(tools.map((tool) => tool.name));
    const wanted = [...new Set(callsIn(text))].filter((tool) => !listed.has(tool) && tool !== 'find_tools');
    const select = /`find_tools \{"select":(\[[^\]]*\])/.exec(text)?.[1] ?? '[]';
    expect(wanted.length).toBeGreaterThan(0);
    expect(new Set(JSON.parse(select) as string[])).toEqual(new Set(wanted));
    await client.close();
  });
});

it.each([
  ['nothing_like_it_at_all', {}, /audit_page, extract_table, reproduce_bug/],
  ['extract_table', {}, /what: this argument is required/],
  ['audit_page', { url: 'javascript:alert(1)' }, /url: takes an http: or https: URL/],
  ['audit_page', { colour: 'red' }, /takes no argument colour/],
])(
  'prompts/get refuses %s %j with -32602 and the name',
  async (name, args: Record<string, string>, message) => {
    await expect(server.client.getPrompt({ name, arguments: args })).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringMatching(message),
    });
  },
);
