import type { z } from 'zod';
import { isObject, type JsonValue } from '../base/json.ts';
import { RECIPE_LIMITS, isBranch, Recipe, type RecipeStep } from './recipe.ts';
import { findMixedReferences, parseReference, referencesIn, type WrittenReference } from './references.ts';

/** Names that a recipe cannot call: it would call itself, or change the recipes. */
export const RECIPE_TOOLS: ReadonlySet<string> = new Set([
  'recipe_run',
  'recipe_save',
  'recipe_delete',
  'script',
]);
/** A call cannot say which of the two it means. */
const RESERVED_PARAMETERS = ['output_mode', 'output_inline_limit_bytes', 'async'];
const PROBLEMS_MAX = 5;

/** A recipe, or its errors: each with its place, such as `steps[0].args.url`. */
export type CheckedRecipe =
  | { readonly recipe: Recipe; readonly problems: null }
  | { readonly recipe: null; readonly problems: readonly string[] };

/** Parses a possible recipe. Never throws. */
export function checkRecipe(value: unknown): CheckedRecipe {
  if (isDeeper(value, RECIPE_LIMITS.depth))
    return buildRefusal([`the file is nested deeper than ${RECIPE_LIMITS.depth} levels`]);
  const parsed = Recipe.safeParse(value);
  if (!parsed.success) return buildRefusal(parsed.error.issues.map((issue) => formatIssue(issue, value)));
  const problems = problemsOf(parsed.data);
  return problems.length > 0 ? buildRefusal(problems) : { recipe: parsed.data, problems: null };
}

const buildRefusal = (problems: readonly string[]): CheckedRecipe => ({
  recipe: null,
  problems: problems.slice(0, PROBLEMS_MAX),
});

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Without recursion, which the depth that it looks for would exhaust. */
function isDeeper(value: unknown, levels: number): boolean {
  let layer: unknown[] = isNested(value) ? [value] : [];
  for (let depth = 0; layer.length > 0; depth += 1) {
    if (depth > levels) return true;
    layer = layer.flatMap((part): unknown[] => Object.values(part ?? {}).filter(isNested));
  }
  return false;
}

const formatPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (place, part) =>
      typeof part === 'number' ? `${place}[${part}]` : `${place}${place === '' ? '' : '.'}${String(part)}`,
    '',
  );

/** A step is checked as the kind that was intended: a branch has `if`. */
function formatIssue(issue: z.core.$ZodIssue, value: unknown, prefix: readonly PropertyKey[] = []): string {
  const path = [...prefix, ...issue.path];
  if (issue.code === 'invalid_union') {
    const [asCall, asBranch] = issue.errors;
    const [first] = (isObject(at(value, path)) && 'if' in Object(at(value, path)) ? asBranch : asCall) ?? [];
    if (first !== undefined) return formatIssue(first, value, path);
  }
  return `${formatPath(path) || 'the recipe'}: ${issue.message}`;
}

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined),
    value,
  );

/** Ids, references and bounds. */
function problemsOf(recipe: Recipe): readonly string[] {
  const { parameters, output, steps = [], code } = recipe;
  const checker = new Checker(parameters['properties']);
  if (parameters['type'] !== 'object') checker.add('parameters.type', 'takes "object"');
  for (const name of RESERVED_PARAMETERS)
    if (isObject(parameters['properties']) && Object.hasOwn(parameters['properties'], name))
      checker.add(`parameters.properties.${name}`, 'every recipe takes this already: use another name');
  if ((code === undefined) === (steps.length === 0))
    checker.add('steps', 'a recipe has either steps or code');
  if (code !== undefined && output !== undefined)
    checker.add('output', 'what the code returns is the answer');
  checker.steps(steps, 'steps', 0);
  if (checker.count > RECIPE_LIMITS.steps)
    checker.add('steps', `has ${checker.count} steps; at most ${RECIPE_LIMITS.steps} are allowed`);
  if (output !== undefined) checker.template(output, 'output');
  return checker.problems;
}

class Checker {
  readonly problems: string[] = [];
  count = 0;
  readonly #earlier = new Set<string>();

  constructor(private readonly parameters: JsonValue | undefined) {}

  add(where: string, what: string): void {
    this.problems.push(`${where}: ${what}`);
  }

  steps(steps: readonly RecipeStep[], where: string, depth: number): void {
    if (depth > RECIPE_LIMITS.branchDepth)
      return this.add(where, `branches are nested deeper than ${RECIPE_LIMITS.branchDepth}`);
    steps.forEach((step, index) => this.#step(step, `${where}[${index}]`, depth));
  }

  #step(step: RecipeStep, where: string, depth: number): void {
    this.count += 1;
    if (this.#earlier.has(step.id)) this.add(`${where}.id`, `"${step.id}" is the id of another step, too`);
    if (isBranch(step)) {
      this.#reference({ text: step.if.ref, path: parseReference(step.if.ref), where: `${where}.if.ref` });
      this.steps(step.then, `${where}.then`, depth + 1);
      this.steps(step.else ?? [], `${where}.else`, depth + 1);
    } else {
      if (RECIPE_TOOLS.has(step.tool)) this.add(`${where}.tool`, `a recipe cannot call ${step.tool}`);
      this.template(step.args, `${where}.args`);
    }
    this.#earlier.add(step.id);
  }

  template(template: JsonValue, where: string): void {
    for (const place of findMixedReferences(template, where))
      this.add(
        place,
        'an object with "$ref" may have "default" and nothing else; wrap other objects in {"$literal": …}',
      );
    for (const written of referencesIn(template, where)) this.#reference(written);
  }

  #reference({ text, path, where }: WrittenReference): void {
    const shown = JSON.stringify(text.slice(0, 80));
    if (path === null)
      return this.add(where, `${shown} is not a path such as params.url or steps.open.structured.items[0]`);
    const [root, name] = path;
    if (root === 'steps') {
      if (name !== undefined && this.#earlier.has(String(name))) return;
      return this.add(where, `${shown} names no earlier step`);
    }
    // The whole of them, or one that the schema declares.
    if (name === undefined || this.#declares(String(name))) return;
    this.add(where, `${shown} names a parameter that parameters.properties lacks`);
  }

  #declares(name: string): boolean {
    return isObject(this.parameters) && Object.hasOwn(this.parameters, name);
  }
}
