import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, expect, test } from 'vitest';
import { createMcpServer } from '../../server/adapters/mcp/era-2025/server.ts';
import type { SelectionStrategy } from '../../server/core/registry/selector.ts';
import { callTool, type CallAnswer } from '../support/call-tool.ts';
import { startMemoryServer } from '../support/memory-client.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

type Answer = (prompt: string) => string;

async function find(toolSelection: SelectionStrategy, answer: Answer | null): Promise<CallAnswer> {
  const server = await startMemoryServer({ toolSelection });
  ends.push(() => server.close());
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client(
    { name: 'sampling', version: '1' },
    { capabilities: answer === null ? {} : { sampling: {} } },
  );
  if (answer !== null)
    client.setRequestHandler(CreateMessageRequestSchema, ({ params: { messages } }) => {
      const [content] = [messages[0]?.content].flat();
      const text = answer(content?.type === 'text' ? content.text : '');
      return { role: 'assistant', model: 'scripted', content: { type: 'text', text } };
    });
  const mcp = createMcpServer({ ...server.faces, onClient: () => undefined });
  await Promise.all([mcp.connect(far), client.connect(near)]);
  ends.push(() => client.close());
  return callTool(client, 'find_tools', { query: 'take a picture' });
}

const namesOf = (answer: CallAnswer): readonly string[] =>
  answer.json<{ matches: readonly { name: string }[] }>().matches.map(({ name }) => name);

test('the model of the client ranks the tools, and names of its own are left out', async () => {
  const answer = await find('ai', (prompt) => {
    expect(prompt).toContain('"take a picture"');
    return '["run_list", "rm_rf", "console"]';
  });
  expect(namesOf(answer)).toEqual(['run_list', 'console']);
  expect(answer.notes).toContain('named 1 unknown tool,');
});
