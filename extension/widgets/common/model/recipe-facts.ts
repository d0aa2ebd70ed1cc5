import { isJsonList, isObject, type JsonObject } from '../../../../shared/json.ts';
import type { Shown } from './answer.ts';

/** One recipe as `recipe_get` answers it: some modes omit its definition. Null for any other answer. */
export function recipeOf(shown: Shown): (JsonObject & { readonly name: string }) | null {
  if (shown.kind !== 'value' || !isObject(shown.value)) return null;
  const { name, input_schema: input } = shown.value;
  return typeof name === 'string' && isObject(input) ? { ...shown.value, name } : null;
}

/** The recipe tool that gave an answer, by its shape; null for any other tool. */
export function recipeToolOf(shown: Shown): 'recipe_search' | 'recipe_get' | null {
  if (recipeOf(shown) !== null) return 'recipe_get';
  const isList = shown.kind === 'value' && isObject(shown.value) && isJsonList(shown.value['recipes']);
  return isList ? 'recipe_search' : null;
}
