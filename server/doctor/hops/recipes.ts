import type { RecipeProblem } from '../../core/recipes.ts';
import { pass, type Hop } from '../hop.ts';

/** What was seen of the recipes of a home. */
export interface RecipeCheck {
  readonly recipes: readonly string[];
  readonly problems: readonly RecipeProblem[];
}

/** The files of recipes. One that cannot be used is named and fails no hop: everything else works. */
export const recipesHop = (check: () => RecipeCheck): Hop<unknown> => ({
  id: 'recipes',
  title: 'Recipes',
  timeoutMs: 5_000,
  async run() {
    const { recipes, problems } = check();
    return pass(
      [recipes.length === 0 ? 'none that can be used' : recipes.join(', ')],
      problems.map(({ file, problem }) => `recipes/${file} cannot be used: ${problem}.`),
    );
  },
});
