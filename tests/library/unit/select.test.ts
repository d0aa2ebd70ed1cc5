import { asSchema } from 'ai';
import { expect, test } from 'vitest';
import { toAiSdkTools } from '../../../server/library/ai-sdk/index.ts';
import { localSpillways } from '../../support/local-spillway.ts';

const start = localSpillways();

test('a session chooses among all tools for what was asked, with what they need, and lists them', async () => {
  const { spillway } = await start();
  const session = spillway.session({ tools: ['read'] });
  expect(session.list().map(({ name }) => name)).not.toContain('crawl');
  const messages = [
    { role: 'user', content: 'Hello.' },
    { role: 'assistant', content: [{ type: 'text', text: 'What shall I do?' }] },
    { role: 'user', content: [{ type: 'text', text: 'crawl a website' }] },
  ];
  const { tools, notes } = await session.select({ messages, budget_tokens: 1 });
  const names = tools.map(({ name }) => name);
  expect(names[0]).toBe('crawl');
  expect(names).toEqual(expect.arrayContaining(['run_status', 'run_output']));
  expect(names).not.toContain('console');
  expect(notes).toEqual([]);
  expect(session.list().map(({ name }) => name)).toEqual(expect.arrayContaining(['crawl', 'run_status']));
});

test('a model of the AI SDK is shown the tools that the session lists', async () => {
  const { spillway } = await start();
  const shown = Object.entries(toAiSdkTools(spillway)).map(([name, { description, inputSchema }]) => ({
    name,
    description,
    inputSchema: asSchema(inputSchema).jsonSchema,
  }));
  expect(shown).toEqual(
    spillway.list().map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  );
});
