import { afterEach, describe, expect, it } from 'vitest';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { AdapterTool } from '../../server/adapters/mcp/session.ts';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';
import { testTools } from '../support/test-tool.ts';

/* What leaves in the name of a tool of an adapter's own is held to what holds for ours. */

let server: MemoryServer;
afterEach(() => server.close());

const ownTool = (name: string, call: AdapterTool['call']): AdapterTool => ({
  tool: { name, inputSchema: { type: 'object' } },
  call,
});
const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });
const start = async (...ownTools: readonly AdapterTool[]): Promise<void> => {
  server = await startMemoryServer({ mode: 'apps' }, { ownTools });
};

const KEY = `sk-ant-${'aB3dE6gH9'.repeat(5)}`;

/** Asked for its message it throws in turn. */
const hostile = new Proxy(new Error('x'), {
  get: () => {
    throw new Error('no');
  },
});

describe('what a tool of the adapter throws is coded, whatever it is', () => {
  it.each([
    ['a number for a code', Object.assign(new Error('broken'), { code: 7 })],
    ['a secret', new Error(`401 for Authorization: Bearer ${KEY}`)],
    ['what throws in turn', hostile],
  ])('%s', async (_what, thrown: unknown) => {
    await start(ownTool('mine', () => Promise.reject(thrown as Error)));
    const failed = await server.call('mine');
    expect(failed.code()).toBe('internal_error');
    expect(failed.raw.content).toHaveLength(1);
    expect(JSON.stringify(failed.raw)).not.toContain('sk-ant-');
  });
});

describe('one with an output schema', () => {
  const withSchema = (answer: CallToolResult): AdapterTool => {
    const { tool, call } = ownTool('mine', async () => answer);
    return { tool: { ...tool, outputSchema: { type: 'object' } }, call };
  };
  const answerOf = async (answer: CallToolResult): Promise<CallToolResult> => {
    await start(withSchema(answer));
    // It knows the schema from now on, and refuses results that do not match it.
    await server.client.listTools();
    return (await server.client.callTool({ name: 'mine' })) as CallToolResult;
  };

  it('that answers words alone fails, and is answered', async () => {
    const failed = await answerOf(text('words'));
    expect(failed).toMatchObject({ isError: true });
    expect(JSON.stringify(failed.content)).toMatch(/internal_error.*structuredContent/);
  });
});

it('one with a name of ours, or of an earlier one, is neither listed nor called', async () => {
  const ownTools = [
    ...['tabs', 'test_act'].map((name) => ownTool(name, async () => text('theirs'))),
    ...['first', 'second'].map((said) => ownTool('mine', async () => text(said))),
  ];
  const ours = testTools({ test_act: async () => Promise.reject(new Error('ours')) });
  server = await startMemoryServer({}, { ...ours, ownTools });
  const names = (await server.client.listTools()).tools.map(({ name }) => name);
  expect(names.filter((name) => ['tabs', 'mine'].includes(name))).toEqual(['tabs', 'mine']);
  expect(names).not.toContain('test_act');
  expect((await server.call('mine')).text).toBe('first');
  expect((await server.call('tabs')).text).not.toBe('theirs');
  expect((await server.call('test_act')).text).toContain('ours');
});
