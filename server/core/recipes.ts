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
  /** Names of parameters, and their values in the calls. */
  readonly parameters: JsonObject;
  readonly output?: JsonObject | undefined;
}

export interface SaveOptions {
  readonly replace: boolean;
  /** Values that its receipts left out count as secrets. */
  readonly session?: ClientSession;
}

/** The recipes of a home (`server/recipes`). */
export interface Recipes {
  /** Keyed by name. */
  all(): readonly Recipe[];
  /** @throws SpillwayError `recipe_not_found` with the nearest names */
  get(name: string): Recipe;
  problems(): readonly RecipeProblem[];
  /**
   * Saves a recipe in the home, which then has a tool.
   * @throws SpillwayError `recipe_invalid`, `recipe_exists`, `recipe_has_secret`, or the disk's error
   */
  save(definition: unknown, options: SaveOptions): Promise<Recipe>;
  /**
   * The definition of a recipe that repeats calls of the session. Saving checks it.
   * @throws SpillwayError `invalid_argument` for a missing call, or a value that no call has;
   *   `recipe_invalid` for an element without a description
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
