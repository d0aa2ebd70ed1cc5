import { z } from 'zod';
import { textField, defineTool } from '../core/tools/manifest.ts';

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const count = z.number().int().min(0);
const recipeName = textField(64);

const Free = z.looseObject({});

/** Members of a JSON Schema and of a definition that people see. A branch has further steps. */
const ShownSchema = z
  .object({
    properties: z.record(
      z.string(),
      z
        .object({
          type: z.unknown(),
          default: z.unknown(),
          description: z.string(),
          items: Free,
          enum: z.array(z.unknown()),
        })
        .partial(),
    ),
    required: z.array(z.string()),
  })
  .partial();
const ShownStep = z
  .object({ id: z.string(), tool: z.string(), args: Free, on_error: z.string(), if: Free })
  .extend({ then: z.array(z.unknown()), else: z.array(z.unknown()) })
  .partial();
const ShownDefinition = z.object({ code: z.string(), steps: z.array(ShownStep) }).partial();
const shownSchemas = { input_schema: ShownSchema, output_schema: ShownSchema, definition: ShownDefinition };

const RecipeFields = z.looseObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  input_schema: Free,
  output_schema: Free,
  definition: Free,
});

const SavedFields = z.looseObject({ saved: z.string(), input_schema: Free, steps: z.array(z.string()) });

/** Part of the texts of every tool for recipes. */
const common = {
  identifier: 'recipes',
  category: 'recipes',
  // A recipe's calls have the risks of their own tools, which ask about them.
  risk: 'none',
} as const;

export const recipeSearch = defineTool({
  ...common,
  name: 'recipe_search',
  title: 'Search recipes',
  does: 'Finds recipes: saved programs and sequences of calls.',
  use: 'Then recipe_get for its parameters, or recipe_run.',
  avoid: 'Not for other tools: use find_tools.',
  keywords: 'workflow macro automation saved steps list',
  input: z.strictObject({
    query: z.string().trim().min(1).max(1_000).optional().describe('What to do, in words; default: all'),
    limit: z.int().min(1).max(50).default(10).describe('Most recipes'),
  }),
  output: z.looseObject({
    recipes: z.array(
      z.looseObject({
        name: z.string(),
        title: z.string(),
        description: z.string(),
        parameters: z.array(z.string()),
        steps: count,
      }),
    ),
    total: count,
    problems: z.array(z.looseObject({ file: z.string(), problem: z.string() })).optional(),
  }),
  annotations: READS,
  needs: ['recipe_get', 'recipe_run'],
});

export const recipeGet = defineTool({
  ...common,
  name: 'recipe_get',
  title: 'Show recipe',
  does: 'Shows a recipe: parameters, answer and steps.',
  use: 'Use it before recipe_run, or to change a recipe.',
  avoid: 'Not for a list: use recipe_search.',
  keywords: 'workflow macro definition schema',
  input: z.strictObject({ name: recipeName.describe('Of the recipe') }),
  output: RecipeFields,
  shown: { value: RecipeFields.extend(shownSchemas) },
  annotations: READS,
  needs: ['recipe_run'],
});

export const recipeRun = defineTool({
  ...common,
  name: 'recipe_run',
  title: 'Run recipe',
  does: 'Runs a recipe and returns its answer, or a run_id if it takes long.',
  use: 'If it stops, run_resume continues it. Each recipe is also a tool under its own name.',
  avoid: 'Not for a single call.',
  keywords: 'workflow macro automation replay execute steps',
  input: z.strictObject({
    name: recipeName.describe('Of the recipe'),
    args: z.looseObject({}).default({}).describe('Its parameters'),
    async: z.boolean().optional().describe('Return the run_id immediately'),
  }),
  output: z.looseObject({}),
  shown: { value: z.object({ items: z.array(z.unknown()) }), state: z.object({}) },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  spills: true,
  runs: true,
});

export const recipeSave = defineTool({
  ...common,
  name: 'recipe_save',
  title: 'Save recipe',
  does: 'Saves a program or a sequence of calls as a recipe, which becomes a tool.',
  use: 'Use it when the same work will be done again.',
  avoid: 'Not with passwords: write secret:NAME, or make them parameters.',
  keywords: 'workflow macro automation record remember steps',
  input: z.strictObject({
    definition: z
      .looseObject({})
      .optional()
      .describe(
        '{"version": 1, "name", "title", "description", "parameters": JSON Schema, "steps": [{"id", "tool", "args"}], "output"}; args refer to {"$ref": "params.url"} and {"$ref": "steps.ID.structured"}, in texts {{params.url}}',
      ),
    code: textField(200_000)
      .optional()
      .describe(
        'A program of script in place of steps; definition has name, title, description and parameters, which it sees as input',
      ),
    from: z
      .strictObject({
        name: recipeName.describe('Of the recipe'),
        title: textField(200).describe('For people'),
        description: textField(1_000).describe('What it does and when to use it'),
        calls: z
          .array(z.int().min(1).max(50))
          .min(1)
          .max(50)
          .describe('Places from the end: [3, 2, 1] are the last three calls that succeeded'),
        parameters: z.looseObject({}).default({}).describe('{name: value in the calls that it stands for}'),
        output: z.looseObject({}).optional().describe('As in a definition; steps are s1, s2, …'),
      })
      .optional()
      .describe('What this session did, in place of definition'),
    replace: z.boolean().default(false).describe('Replace a recipe of the same name'),
  }),
  output: SavedFields,
  shown: { value: SavedFields.extend({ input_schema: ShownSchema }) },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  needs: ['recipe_run', 'docs_fetch'],
});

export const recipeExport = defineTool({
  ...common,
  name: 'recipe_export',
  title: 'Export recipe',
  does: 'Writes a recipe as a Playwright test, with its parameters and secrets from the environment.',
  use: 'Use it to keep work that an agent did as a test.',
  avoid: 'Not for programs: recipe_get shows their code.',
  keywords: 'playwright test code generate convert spec e2e',
  input: z.strictObject({
    name: recipeName.describe('Of the recipe'),
    as: z.enum(['playwright']).default('playwright').describe('Form'),
  }),
  annotations: READS,
  spills: true,
});

export const recipeDelete = defineTool({
  ...common,
  name: 'recipe_delete',
  title: 'Delete recipe',
  does: 'Deletes a recipe and its tool.',
  use: 'Use it when the person wants it gone.',
  avoid: 'Not to change one: save it with replace.',
  keywords: 'workflow macro remove',
  input: z.strictObject({ name: recipeName.describe('Of the recipe') }),
  output: z.looseObject({ deleted: z.string() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
});

export const manifests = [
  recipeSearch,
  recipeGet,
  recipeRun,
  recipeSave,
  recipeExport,
  recipeDelete,
] as const;
