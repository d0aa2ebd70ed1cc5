import { expect, test } from 'vitest';
import type { SelectionRequest, ToolSelector } from '../../../server/core/registry/selector.ts';
import { createToolSelector } from '../../../server/library/index.ts';
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

const onlyConsole = (asked: SelectionRequest[]): ToolSelector => ({
  select: (request) => {
    asked.push(request);
    return Promise.resolve({ tools: request.tools.filter(({ name }) => name === 'console'), notes: [] });
  },
});

test("a session's own selector serves find_tools and select; that of one choice comes first", async () => {
  const { spillway } = await start();
  const asked: SelectionRequest[] = [];
  const session = spillway.session({ toolSelector: onlyConsole(asked) });
  const { structured } = await session.call('find_tools', { query: 'take a picture' });
  expect(structured).toMatchObject({ matches: [{ name: 'console' }] });
  expect((await session.select({ query: 'picture' })).tools[0]?.name).toBe('console');
  const other = await session.select({ query: 'picture', selector: createToolSelector() });
  expect(other.tools[0]?.name).toBe('screenshot');
  expect(asked.map(({ query }) => query)).toEqual(['take a picture', 'picture']);
});
