import { z } from 'zod';
import { Json, JsonRecord } from '../base/json-schema.ts';
import { PROVIDED_NAME_PATTERN } from '../core/tools/manifest.ts';

/** Bounds of a recipe; beyond them, write a program. */
export const RECIPE_LIMITS = Object.freeze({
  /** All steps, including both sides of branches. */
  steps: 100,
  /** Branches within branches. */
  branchDepth: 4,
  /** Nesting depth of anything in a file. */
  depth: 64,
  bytes: 256 * 1024,
  /** Characters of a reference. */
  referenceUnits: 500,
  /** Characters of a text that references are put into. */
  textUnits: 1024 * 1024,
});

/** Identifies a step within its recipe. */
const StepId = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, 'takes a letter or _, then letters, digits, _ or -')
  .describe('Unique in the recipe: later steps refer to it as steps.<id>');

/** A call of a tool. */
const CallStep = z
  .strictObject({
    id: StepId,
    tool: z.string().regex(PROVIDED_NAME_PATTERN, 'takes the name of a tool').describe('The tool to call'),
    args: JsonRecord.default({}).describe(
      'Its arguments. {"$ref": "params.url"} is replaced by a value, {{params.url}} in a text by its text, {"$literal": …} for its content unchanged',
    ),
    on_error: z
      .enum(['stop', 'continue'])
      .default('stop')
      .describe('continue: a failure is an answer, with ok false and error.code'),
  })
  .describe('A call of a tool');
export type CallStep = z.infer<typeof CallStep>;

const Condition = z
  .strictObject({
    ref: z.string().min(1).describe('A path such as steps.open.structured.items[0]'),
    exists: z.boolean().optional().describe('Whether the path has a value'),
    equals: Json.optional().describe('The value there is this'),
    not_equals: Json.optional().describe('The value is different or missing'),
    contains: z.string().optional().describe('The text contains this, or the list has this item'),
  })
  .refine(
    ({ ref: _, ...tests }) => Object.values(tests).filter((test) => test !== undefined).length === 1,
    'takes one of exists, equals, not_equals and contains',
  );
export type Condition = z.infer<typeof Condition>;

/** Two sides, one of which runs. */
interface BranchStep {
  readonly id: string;
  readonly if: Condition;
  readonly then: readonly RecipeStep[];
  readonly else?: readonly RecipeStep[] | undefined;
}
export type RecipeStep = CallStep | BranchStep;

const Steps: z.ZodType<readonly RecipeStep[]> = z.lazy(() => z.array(AnyStep).max(RECIPE_LIMITS.steps));
const BranchStep = z
  .strictObject({
    id: StepId,
    if: Condition,
    then: Steps.describe('Steps if the condition is met'),
    else: Steps.optional().describe('Steps if it is not met'),
  })
  .describe('A branch');
const AnyStep = z.union([CallStep, BranchStep]);

/** A saved program with parameters, as a sequence of tool calls or as code: one file `<home>/recipes/<name>.json`. */
export const Recipe = z.strictObject({
  $schema: z.string().optional().describe('For editors'),
  version: z.literal(1).describe('Of this format'),
  name: z
    .string()
    .regex(PROVIDED_NAME_PATTERN, 'takes 1 to 64 letters, digits, _ or -')
    .describe('Of the recipe, of its tool and of its file'),
  title: z.string().trim().min(1).max(200).describe('For people'),
  description: z.string().trim().min(1).max(1_000).describe('What it does and when to use it'),
  parameters: JsonRecord.default({ type: 'object', properties: {} }).describe(
    'The parameters: a JSON Schema (2020-12) of an object',
  ),
  steps: z.array(AnyStep).max(RECIPE_LIMITS.steps).optional().describe('Done in their order'),
  code: z
    .string()
    .min(1)
    .max(200_000)
    .optional()
    .describe('In place of steps: JavaScript or TypeScript, as for script. Its input is the parameters'),
  output: Json.optional().describe(
    'The result, with references as in args. Default: the result of the last step',
  ),
  output_schema: JsonRecord.optional().describe('A JSON Schema of the result'),
});
export type Recipe = z.infer<typeof Recipe>;

export const isBranch = (step: RecipeStep): step is BranchStep => 'if' in step;

/** Every call that a recipe may make, including both sides of branches. */
export function callsOf(steps: readonly RecipeStep[] = []): readonly CallStep[] {
  return steps.flatMap((step) =>
    isBranch(step) ? [...callsOf(step.then), ...callsOf(step.else ?? [])] : [step],
  );
}
