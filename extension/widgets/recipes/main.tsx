import { startWidget } from '../common/start.tsx';
import { rendersOf } from '../../panel/tools/blocks.tsx';
import { RECIPE_VIEWS } from '../../panel/tools/views/recipes.tsx';

/** A search through recipes, and each recipe in full. */
startWidget('recipes', rendersOf(RECIPE_VIEWS));
