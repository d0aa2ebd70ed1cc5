import type { z } from 'zod';
import { each } from '../../shared/base/queue.ts';
import { lazy } from '../../shared/base/async.ts';
import { MIME } from '../../shared/base/mime.ts';
import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import { defined, isObject, type JsonObject } from '../../shared/base/json.ts';
import { JsonRecord, toJson } from '../../shared/base/json-schema.ts';
import { callsOf, type Recipe } from '../../shared/recipes/recipe.ts';
import type {
  recipeDelete,
  recipeExport,
  recipeGet,
  recipeRun,
  recipeSave,
  recipeSearch,
} from '../../shared/recipes/recipes.manifest.ts';
import { answerRun, produceJson, produceReceipt } from '../core/calls/produce.ts';
import type { LiftRequest } from './lift.ts';
import type { ToolRuntime, ToolRuntimes } from '../core/registry/definition.ts';
import { propertiesOf } from '../core/registry/json-schema.ts';
import { rememberCall } from '../programs/caller.ts';
import { toSelectable } from '../core/registry/session.ts';
import type { ToolServices } from '../core/index.ts';
import { toPlaywright } from './export.ts';

type RecipeArgs<Tool extends { readonly input: z.ZodObject }> = z.output<Tool['input']>;

type RecipeServices = Pick<ToolServices, 'recipes' | 'registry' | 'runs'>;

/** The runtimes of `recipes`, by api. */
export const createRuntimes = (services: RecipeServices): ToolRuntimes => ({
  recipe_search: createSearch(services),
  /** The schemas and the definition of one recipe. */
  recipe_get: async ({ name }: RecipeArgs<typeof recipeGet>) => {
    const recipe = services.recipes.get(name);
    const { title, description, parameters } = recipe;
    return produceJson({
      name,
      title,
      description,
      input_schema: parameters,
      output_schema: outputSchemaOf(recipe),
      definition: toJson(recipe),
    });
  },
  recipe_run: createRun(services),
  recipe_save: createSave(services),
  /** The text of the test. */
  recipe_export: async ({ name }: RecipeArgs<typeof recipeExport>) => {
    const { recipes, registry } = services;
    const { text, left } = toPlaywright(
      recipes.get(name),
      (tool) => tool !== 'wait_for' && registry.find(tool)?.manifest.annotations.readOnlyHint === true,
    );
    return {
      payload: { kind: 'text', mimeType: MIME.typescript, chunks: each([text]) },
      outcome: () => ({
        state: { name },
        coverage: left.length === 0 ? [] : [`Left out, since a test does not read: ${left.join(', ')}.`],
      }),
    };
  },
  recipe_delete: async ({ name }: RecipeArgs<typeof recipeDelete>) => {
    await services.recipes.delete(name);
    return produceReceipt({ deleted: name });
  },
});

/** `recipe_search`: `{ recipes, total }`, best first. */
function createSearch({ recipes, registry }: RecipeServices): ToolRuntime<RecipeArgs<typeof recipeSearch>> {
  // Loaded with the first query, and kept with its index.
  const selector = lazy(async () => {
    const { createToolSelector } = await import('../find-tools/index.ts');
    return createToolSelector({ strategy: 'keyword' });
  });
  return async ({ query, limit }, { signal }) => {
    const all = recipes.all();
    const broken = recipes.problems().slice(0, limit);
    const matching = async (words: string): Promise<readonly Recipe[]> => {
      const offered = all.flatMap(({ name }) => registry.find(name) ?? []).map(toSelectable);
      const { tools } = await (await selector()).select({ query: words, tools: offered, signal });
      return tools.flatMap(({ name }) => all.find((recipe) => recipe.name === name) ?? []);
    };
    const found = query === undefined ? all : await matching(query);
    const shown = found.slice(0, limit).map((recipe) => ({
      name: recipe.name,
      title: recipe.title,
      description: recipe.description,
      parameters: Object.keys(propertiesOf(recipe.parameters)),
      steps: recipe.code === undefined ? callsOf(recipe.steps).length : 1,
    }));
    const problems = broken.length === 0 ? {} : { problems: broken.map((each) => ({ ...each })) };
    return produceJson({ recipes: shown, total: found.length, ...problems });
  };
}

/** A recipe without members that are undefined. */

/** The names in its output, if that has no schema. */
function outputSchemaOf({ output, output_schema: given }: Recipe): JsonObject {
  if (given !== undefined) return given;
  if (!isObject(output) || '$ref' in output || '$literal' in output) return { type: 'object' };
  const names = Object.keys(output);
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])), required: names };
}

/** `recipe_run`: the answer of the recipe's own tool. Its work is in `work.ts`. */
const createRun =
  ({ recipes, runs }: RecipeServices): ToolRuntime<RecipeArgs<typeof recipeRun>> =>
  async ({ name, args: given, async }, context) => {
    // Invalid arguments start nothing.
    const args = await recipes.parse(name, JsonRecord.parse(given));
    rememberCall(context);
    const { session, call, signal, output } = context;
    const view = await runs.start({
      tool: 'recipe_run',
      args: { name, args },
      source: name,
      session,
      call,
      signal,
      output,
      callsTools: true,
    });
    return answerRun(runs, view, { async, context });
  };

/** `recipe_save`: when it answers, the tool exists and is listed in the session. */
const createSave =
  ({ recipes, registry }: RecipeServices): ToolRuntime<RecipeArgs<typeof recipeSave>> =>
  async ({ definition: given, code, from, replace }, { session }) => {
    if ((given === undefined && code === undefined) === (from === undefined))
      throw invalidArgument('recipe_save: pass either definition or from.');
    const written = code === undefined ? given : { version: 1, ...given, code };
    const definition = from === undefined ? (written ?? {}) : await recipes.lift(session, toRequest(from));
    const { name } = definition;
    // The registry knows tools of other servers, too.
    if (typeof name === 'string' && registry.has(name) && recipes.all().every((each) => each.name !== name))
      throw new SpillwayError('recipe_invalid', `The recipe: name: "${name}" is the name of a tool.`);
    const saved = await recipes.save(definition, { replace, session });
    session.tools.add([saved.name]);
    const calls = callsOf(saved.steps).map(({ id, tool }) => `${id}: ${tool}`);
    const steps = saved.code === undefined ? calls : ['code'];
    return produceReceipt({ saved: saved.name, input_schema: saved.parameters, steps });
  };

/** In the service's form: arguments that passed a schema are JSON. */
const toRequest = ({
  parameters,
  output,
  ...rest
}: NonNullable<RecipeArgs<typeof recipeSave>['from']>): LiftRequest => ({
  ...rest,
  parameters: JsonRecord.parse(parameters),
  ...defined({ output: output && JsonRecord.parse(output) }),
});
