import '../common/zod-setup.ts';
import { startWidget } from '../common/start.tsx';
import { rendersOf } from '../../../extension/panel/tools/renders.ts';

/** Recipes to search in, and all of each. */
startWidget(
  'recipes',
  rendersOf('recipe_search', 'recipe_get', 'recipe_run', 'recipe_save', 'recipe_delete'),
);
