import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { callTool } from '../../support/call-tool.ts';
import { startMemoryServer } from '../../support/memory-client.ts';
import { startClient } from '../../support/upstream-rig.ts';

test('the model of the client ranks the tools, and names of its own are left out', async () => {
  const server = await startMemoryServer({ toolSelection: 'ai' });
  const client = await startClient(server, { sampling: {} }, (asked) =>
    asked.setRequestHandler(CreateMessageRequestSchema, ({ params: { messages } }) => {
      expect(JSON.stringify(messages)).toContain('\\"take a picture\\"');
      const text = '["run_list", "rm_rf", "console"]';
      return { role: 'assistant', model: 'scripted', content: { type: 'text', text } };
    }),
  );
  const answer = await callTool(client, 'find_tools', { query: 'take a picture' });
  const { matches } = answer.json<{ matches: readonly { name: string }[] }>();
  expect(matches.map(({ name }) => name)).toEqual(['run_list', 'console']);
  expect(answer.notes).toContain('named 1 unknown tool,');
});
