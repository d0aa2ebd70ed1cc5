import { startWidget } from '../common/start.tsx';
import { RECIPE_RENDERS } from '../../recipes/panel/view.tsx';

/** A search through recipes, and each recipe in full. */
startWidget('recipes', RECIPE_RENDERS);
