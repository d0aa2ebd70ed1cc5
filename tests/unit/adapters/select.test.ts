import { generateText, stepCountIs } from 'ai';
import { expect, test } from 'vitest';
import { rankWithModel, selectTools, toAiSdkTools } from '../../../server/adapters/ai-sdk/index.ts';
import type { SelectionRequest, ToolSelector } from '../../../server/core/registry/selector.ts';
import { createToolSelector } from '../../../server/library/index.ts';
import { localSpillways } from '../../support/local-spillway.ts';
import { scriptedModel } from '../../support/scripted-model.ts';
import { collect, DONE, endOf, scriptedLoops, use } from '../../support/scripted-loop.ts';

const start = localSpillways();
const loopOver = scriptedLoops();

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

test('a loop of the Messages API shows at each turn what fits the conversation', async () => {
  const { spillway } = await start();
  const asked: SelectionRequest[] = [];
  const { loop, server } = await loopOver(
    spillway,
    [{ content: [use('toolu_1', 'find_tools', { query: 'nothing' })] }, DONE],
    { select: { selector: onlyConsole(asked), budget_tokens: 900 } },
  );
  expect(endOf(await collect(loop))?.reason).toBe('end_turn');
  expect(asked.map(({ query, budget_tokens }) => [query, budget_tokens])).toEqual([
    ['Read the page.', 900],
    ['Read the page.', 900],
  ]);
  for (const { tools = [] } of server.requests) {
    const names = tools.map(({ name }) => name);
    expect(names[0]).toBe('console');
    expect(names).not.toContain('screenshot');
  }
});

test('a step of the AI SDK shows the model what fits', async () => {
  const { spillway } = await start();
  const model = scriptedModel([[{ id: 'call-1', name: 'find_tools', input: { query: 'nothing' } }]]);
  await generateText({
    model,
    tools: toAiSdkTools(spillway),
    prepareStep: selectTools(spillway, { budget_tokens: 1 }),
    stopWhen: stepCountIs(3),
    prompt: 'crawl a website',
  });
  expect(model.doGenerateCalls).toHaveLength(2);
  for (const { tools = [] } of model.doGenerateCalls) {
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['crawl', 'run_status']));
    expect(names).not.toContain('screenshot');
  }
});

test('a model of the AI SDK ranks tools; one that answers something else does not', async () => {
  const { spillway } = await start();
  // It says `Done.`, not a list of names.
  const selector = createToolSelector({ rank: rankWithModel(scriptedModel([])) });
  const { tools, notes } = await spillway.select({ query: 'take a picture', selector });
  expect(tools[0]?.name).toBe('screenshot');
  expect(notes).toEqual(['Chosen by keywords: the model answered no list of names.']);
});
