import { existsSync } from 'node:fs';
import { hop, pass, type Hop } from '../core/hop.ts';
import { RecipeFolder } from './folder.ts';

/** The files of recipes. An unusable one is named and fails no hop: everything else works. */
export function createHop({ home }: { readonly home: string }): Hop<unknown> | null {
  const folder = new RecipeFolder(home);
  if (!existsSync(folder.path)) return null;
  return hop('recipes', 'Recipes', 5_000, async () => {
    const { recipes, problems } = folder.read();
    return pass(
      recipes.map(({ name }) => name).join(', ') || 'none that can be used',
      problems.map(({ file, problem }) => `recipes/${file} cannot be used: ${problem}.`),
    );
  });
}
