import { SpillwayError, invalidArgument } from '../../shared/errors.ts';
import { isObject, type JsonObject } from '../../shared/json.ts';
import { messageOf } from '../../shared/message-of.ts';
import type { Recipe } from '../../shared/recipes/recipe.ts';
import type { RecordSchema } from '../toolkit/record-schema.ts';

const PROBLEMS_MAX = 5;
const compiled = new WeakMap<Recipe, RecordSchema>();

async function schemaOf(recipe: Recipe): Promise<RecordSchema> {
  const known = compiled.get(recipe);
  if (known !== undefined) return known;
  const { compileSchema } = await import('../toolkit/record-schema.ts');
  const schema = compileSchema(recipe.parameters);
  compiled.set(recipe, schema);
  return schema;
}

/** @throws SpillwayError `recipe_invalid` where the parameters are not a JSON Schema that can be used */
export async function checkParameters(recipe: Recipe): Promise<void> {
  try {
    await schemaOf(recipe);
  } catch (thrown) {
    throw new SpillwayError('recipe_invalid', `${recipe.name}: parameters: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  }
}

/**
 * The arguments of a recipe with the defaults of its parameters.
 * @throws SpillwayError `invalid_argument` with the path of each field
 */
export async function parseArguments(recipe: Recipe, given: JsonObject): Promise<JsonObject> {
  await checkParameters(recipe);
  const schema = await schemaOf(recipe);
  const { properties } = recipe.parameters;
  const defaults = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, property]) =>
    isObject(property) && property['default'] !== undefined ? [[name, property['default']] as const] : [],
  );
  const args: JsonObject = { ...Object.fromEntries(defaults), ...given };
  const problems = schema.validate(args).slice(0, PROBLEMS_MAX);
  if (problems.length === 0) return args;
  const { describeProblems } = await import('../toolkit/record-schema.ts');
  throw invalidArgument(`${recipe.name}: ${describeProblems(problems)}.`);
}
