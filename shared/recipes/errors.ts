import { entry, type ErrorEntry } from '../error-entry.ts';

/** Codes of recipes, a part of the table of `shared/errors.ts`. */
export const RECIPE_ERRORS = {
  recipe_not_found: entry('caller', false, 'Call recipe_search to see the recipes that there are.'),
  recipe_invalid: entry(
    'caller',
    false,
    'Correct the place that the message names, and save the recipe again.',
  ),
  recipe_exists: entry('caller', false, 'Pass replace: true to replace it, or another name.'),
  recipe_has_secret: entry(
    'caller',
    false,
    'Make the value a parameter, or write secret:NAME with a name of --secrets.',
  ),
  recipe_reference_missing: entry(
    'caller',
    false,
    'Give the reference a default, or refer to what an earlier step answers: {"ok", "text", "structured", "handle", "state"}.',
  ),
  recipe_target_not_found: entry(
    'page',
    false,
    'Find the element that was meant, and pass its ref as target; or do the act yourself, and pass skip.',
  ),
  recipe_not_stopped: entry('caller', false, 'Call the recipe again from its beginning.'),
} as const satisfies Record<string, ErrorEntry>;
