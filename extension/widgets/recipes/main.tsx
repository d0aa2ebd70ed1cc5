import { startWidget } from '../common/start.tsx';
import { rendersOf } from '../../ui/faces/blocks.tsx';
import { RECIPE_VIEWS } from '../../recipes/panel/view.tsx';

/** A search through recipes, and each recipe in full. */
startWidget('recipes', rendersOf(RECIPE_VIEWS));
