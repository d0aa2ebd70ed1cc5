import '../common/zod-setup.ts';
import { startWidget } from '../common/start.tsx';
import { rendersOf } from '../../panel/tools/blocks.tsx';
import { RECIPE_VIEWS } from '../../panel/tools/views/recipes.tsx';

/** Recipes to search in, and all of each. */
startWidget('recipes', rendersOf(RECIPE_VIEWS));
