import '../common/zod-setup.ts';
import { startWidget } from '../common/start.tsx';
import { faces as recipes } from '../../../extension/panel/tools/recipes/render.tsx';

/** Recipes to search in, and all of each. */
startWidget('recipes', { ...recipes });
