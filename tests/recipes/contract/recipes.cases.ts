import { fails, ok, type CaseTools, type OutputCase, type ToolCase } from '../../support/tool-cases.ts';
import type { JsonObject } from '../../../shared/base/json.ts';

/** A recipe of one call that needs no page. */
const recipe = (name: string, ...more: readonly JsonObject[]): JsonObject => ({
  version: 1,
  name,
  title: 'Runs',
  description: 'Lists runs.',
  steps: [{ id: 'list', tool: 'run_list', args: { count: 1 } }, ...more],
  output: { total: { $ref: 'steps.list.structured.total' } },
});

const saved =
  (name: string, ...more: readonly JsonObject[]) =>
  async ({ call }: CaseTools): Promise<JsonObject> => {
    await call('recipe_save', { definition: recipe(name, ...more), replace: true });
    return { name };
  };

export const adapterCases: readonly ToolCase[] = [
  ok('recipe_save', 'saves', { definition: recipe('runs_saved'), replace: true }),
  fails('recipe_save', 'recipe_invalid', { definition: { version: 1 } }),
  ok('recipe_search', 'lists', { query: 'runs' }),
  fails('recipe_search', 'invalid_argument', { limit: 0 }),
  ok('recipe_get', 'shows', saved('runs_shown')),
  fails('recipe_get', 'recipe_not_found', { name: 'nothing' }),
  ok('recipe_run', 'runs', saved('runs_run')),
  fails('recipe_run', 'recipe_not_found', { name: 'nothing' }),
  ok(
    'recipe_export',
    'writes a test',
    saved('runs_exported', { id: 'back', tool: 'navigate', args: { action: 'back' } }),
  ),
  fails('recipe_export', 'recipe_not_found', { name: 'nothing' }),
  ok('recipe_delete', 'deletes', saved('runs_deleted')),
  fails('recipe_delete', 'recipe_not_found', { name: 'nothing' }),
];

const NAMED = recipe('runs_of_case');
const named: OutputCase['args'] = async ({ server }) => {
  await server.call('recipe_save', { definition: NAMED, replace: true });
  return { name: NAMED['name'] };
};

export const outputCases: readonly OutputCase[] = [
  { tool: 'recipe_save', args: { definition: NAMED, replace: true }, has: 'saved' },
  { tool: 'recipe_search', has: 'recipes' },
  { tool: 'recipe_get', args: named, has: 'definition' },
  { tool: 'recipe_run', args: named, has: 'total' },
  { tool: 'recipe_delete', args: named, has: 'deleted' },
];
