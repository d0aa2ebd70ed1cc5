import { afterEach, expect, it } from 'vitest';
import { startMemoryServer, type MemoryServer } from '../support/memory-client.ts';
import { OPEN, stepTools } from '../support/recipes/step-tools.ts';

// What each mode says of recipes, and what it lets widgets read.

let server: MemoryServer;
afterEach(() => server.close());

const CARD = {
  name: 'open-One',
  title: 'Open one',
  description: 'Opens one address and names the second item.',
  parameters: ['word', 'times'],
  steps: 2,
};

async function start(mode: string): Promise<void> {
  server = await startMemoryServer({ mode, tools: ['recipes'] }, stepTools());
  await server.call('recipe_save', { definition: OPEN });
}
const raw = async (name: string, args: Record<string, unknown> = {}) => (await server.call(name, args)).raw;
const listed = async (name: string) =>
  (await server.client.listTools()).tools.find((tool) => tool.name === name);

it('openai: cards for the widget, a line each for the model, and the parameters of a recipe alone', async () => {
  await start('openai');
  const found = await raw('recipe_search', { query: 'address' });
  expect(found).toMatchObject({
    structuredContent: { recipes: [CARD], total: 1 },
    _meta: { 'openai/outputTemplate': 'ui://spillway/recipes.html' },
  });
  expect(found.content[0]).toMatchObject({
    text: expect.stringMatching(/\n- open-One: Open one$/) as unknown,
  });
  const { structuredContent = {} } = await raw('recipe_get', { name: 'open-One' });
  expect(Object.keys(structuredContent).toSorted()).toEqual(['description', 'input_schema', 'name', 'title']);
  expect((await listed('recipe_run'))?.description).toContain('returns its run_id at once');
  for (const name of ['recipe_run', 'open-One'])
    expect((await listed(name))?._meta).toMatchObject({ 'openai/outputTemplate': 'ui://spillway/run.html' });
});
