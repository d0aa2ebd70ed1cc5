import '../common/zod-setup.ts';
import { startWidget } from '../common/start.tsx';
import { Deleted, Recipe, Recipes, Run, Saved } from '../../../extension/panel/tools/own/recipes.tsx';

/** Recipes to search in, and all of each. */
startWidget('recipes', {
  recipe_search: Recipes,
  recipe_get: Recipe,
  recipe_run: Run,
  recipe_save: Saved,
  recipe_delete: Deleted,
});
