import type { JsonObject } from '../../shared/json.ts';
import type { Recipe } from '../../shared/recipes/recipe.ts';
import type { CallContext, ClientSession } from './context.ts';
import type { Produced } from './result.ts';

/** A file of the folder that cannot be used. */
export interface RecipeProblem {
  /** Its name in the folder. */
  readonly file: string;
  /** What is wrong, with the place in the file. */
  readonly problem: string;
}

/** A recipe to do. */
interface StartRecipe {
  readonly name: string;
  readonly args: JsonObject;
}

/** How a recipe that has stopped continues. */
export interface ContinueRecipe {
  /** The id that the failure named. */
  readonly continue: string;
  /** The step at which it stopped has been done by other means, or is left out. */
  readonly skip: boolean;
  /** The element that the recipe did not find, as a target of `interact`. */
  readonly target?: string | undefined;
}

/** What a call of a recipe asks for. */
export type RecipeRequest = StartRecipe | ContinueRecipe;

/** How a recipe is made of what a session did. */
export interface LiftRequest {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Places from the end: 1 is the last call that succeeded. */
  readonly calls: readonly number[];
  /** Names of parameters, and the values in the calls that they stand for. */
  readonly parameters: JsonObject;
  readonly output?: JsonObject | undefined;
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
  /**
   * The definition of a recipe that does what calls of the session did. It is checked when it is saved.
   * @throws SpillwayError `invalid_argument` for a call that is not there, or a value that no call has;
   * `recipe_invalid` for an element that nothing describes
   */
  lift(session: ClientSession, request: LiftRequest): Promise<JsonObject>;
  /** @throws SpillwayError `recipe_not_found` */
  delete(name: string): Promise<void>;
  /**
   * Whether a request may begin.
   * @throws SpillwayError `recipe_not_found`, `invalid_argument`; `recipe_not_stopped` for an id that this session does not have
   */
  admit(request: RecipeRequest, session: ClientSession): Promise<void>;
  /**
   * Does the steps of a recipe, or those that are left of one that has stopped, as calls of the session.
   * @throws SpillwayError as {@link admit}, and that of the step that failed, with the id by which the recipe continues
   */
  run(request: RecipeRequest, context: CallContext): Promise<Produced>;
}

const none = (): Promise<never> => Promise.reject(new Error('There are no recipes here.'));

/** Of a server without any. */
export const NO_RECIPES: Recipes = {
  all: () => [],
  get: () => {
    throw new Error('There are no recipes here.');
  },
  problems: () => [],
  save: none,
  lift: none,
  delete: none,
  admit: none,
  run: none,
};
