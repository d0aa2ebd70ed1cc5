import type { JsonObject } from '../../shared/json.ts';
import type { Recipe } from '../../shared/recipes/recipe.ts';
import type { ClientSession } from './context.ts';

/** A file of the folder that cannot be used. */
export interface RecipeProblem {
  readonly file: string;
  readonly problem: string;
}

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
  /** Keyed by name. */
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
   * The arguments of a recipe with the defaults of its parameters.
   * @throws SpillwayError `recipe_not_found`, `invalid_argument` with the path of each field
   */
  parse(name: string, args: JsonObject): Promise<JsonObject>;
}
