import type { JsonObject } from '../../shared/json.ts';
import type { Recipe } from '../../shared/recipes/recipe.ts';
import type { CallContext } from './context.ts';
import type { Produced } from './payload.ts';
import type { ToolResult } from './result.ts';

/** A file of the folder that cannot be used. */
export interface RecipeProblem {
  /** Its name in the folder. */
  readonly file: string;
  /** What is wrong, with the place in the file. */
  readonly problem: string;
}

/** How a recipe that has stopped continues. */
export interface ContinueRecipe {
  /** The id that the failure named. */
  readonly continue: string;
  /** The step at which it stopped has been done by other means, or is left out. */
  readonly skip: boolean;
}

/** The recipes of a home (`server/recipes`). */
export interface Recipes {
  /** By name. */
  all(): readonly Recipe[];
  /** @throws SpillwayError `recipe_not_found` with the nearest names */
  get(name: string): Recipe;
  problems(): readonly RecipeProblem[];
  /**
   * Keeps a recipe in the home; its tool is there from now on.
   * @throws SpillwayError `recipe_invalid`, `recipe_exists`, `recipe_has_secret`, or what the disk refuses
   */
  save(definition: unknown, options: { readonly replace: boolean }): Promise<Recipe>;
  /** @throws SpillwayError `recipe_not_found` */
  delete(name: string): Promise<void>;
  /**
   * Does the steps of a recipe as calls of the session.
   * @throws SpillwayError that of the step that failed, with the id by which the recipe continues
   */
  run(name: string, args: JsonObject, context: CallContext): Promise<Produced>;
  /** Continues a recipe of this session where it has stopped. @throws SpillwayError `recipe_not_stopped` */
  continue(request: ContinueRecipe, context: CallContext): Promise<Produced>;
}

/** A call that a recipe makes. */
interface RecipeCall {
  readonly tool: string;
  readonly args: JsonObject;
  readonly callId: string;
  readonly recipe: string;
  /** The call of the recipe itself. */
  readonly context: CallContext;
}

/** Executes the call of a step to its end, or until a person takes longer to allow it than the call may wait. */
export type CallForRecipe = (call: RecipeCall) => Promise<ToolResult>;

const none = (): Promise<never> => Promise.reject(new Error('There are no recipes here.'));

/** Of a server without any. */
export const NO_RECIPES: Recipes = {
  all: () => [],
  get: () => {
    throw new Error('There are no recipes here.');
  },
  problems: () => [],
  save: none,
  delete: none,
  run: none,
  continue: none,
};
