/** Bounds of a recipe: what is larger is a program. */
export const RECIPE_LIMITS = Object.freeze({
  /** Steps in all, those of both sides of a branch included. */
  steps: 100,
  /** Branches within branches. */
  branchDepth: 4,
  /** Levels of anything in a file. */
  depth: 64,
  /** Of a file. */
  bytes: 256 * 1024,
  /** Characters of a reference. */
  referenceUnits: 500,
  /** Characters of a text that references are put into. */
  textUnits: 1024 * 1024,
});
