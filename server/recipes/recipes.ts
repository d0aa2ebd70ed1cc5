import { z } from 'zod';
import { SpillwayError, invalidArgument } from '../../shared/base/errors.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { defined, isObject, type JsonObject } from '../../shared/base/json.ts';
import { checkRecipe } from '../../shared/recipes/check.ts';
import { RECIPE_LIMITS, callsOf, type Recipe } from '../../shared/recipes/recipe.ts';
import { defineTool } from '../../shared/core/tools/manifest.ts';
import type { CallContext, ClientSession } from '../core/context.ts';
import { Listeners } from '../../shared/base/queue.ts';
import type { Produced, ToolResult } from '../core/result.ts';
import type { Logger, Redactor } from '../core/services.ts';
import { isCompilable, propertiesOf } from '../core/registry/json-schema.ts';
import { nearestNames } from '../core/registry/selector.ts';
import type { ProvidedTool, Resumed, ToolProvider } from '../core/registry/definition.ts';
import type { Clean } from '../libraries/redaction/clean.ts';
import type { ToolCall } from '../core/calls/call.ts';
import { hiddenIn, recipeExists, RecipeFolder, secretPlaces, type RecipeProblem } from './folder.ts';
import { BoundedMap, valueIn } from '../../shared/base/maps.ts';
import { JsonRecord } from '../../shared/base/json-schema.ts';
import type { LiftRequest, OwnCall } from './lift.ts';
import { findDescriptions, blockText, type Described } from './page-lines.ts';
import type { RecordSchema } from '../core/record-schema.ts';

/** Only changed files are read. */
const LOOK_MS = 1_000;
const ACT_HINTS = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

const ASYNC = { type: 'boolean', description: 'Return the run_id immediately' };

export interface RecipeBookOptions {
  /** The runtime of `recipe_run`. */
  recipeRun(args: JsonObject, context: CallContext): Promise<Produced | Resumed>;
  readonly home: string;
  readonly isTaken: (name: string) => boolean;
  /**
   * Whether a tool of another server currently has a name. It comes and goes, and a recipe does not replace
   * it.
   */
  readonly isElsewhere: (name: string) => boolean;
  readonly redactor: Pick<Redactor, 'value'>;
  readonly logger: Logger;
}

/** The recipes of a home, each a tool under its own name. */
export class RecipeBook implements ToolProvider {
  readonly id = 'recipes';
  readonly #folder: RecipeFolder;
  readonly #changes = new Listeners<void>();
  /** An unchanged recipe is the same tool, so that a list changes only if a recipe does. */
  readonly #tools = new WeakMap<Recipe, ProvidedTool>();
  readonly #own = new OwnCalls();
  #recipes: ReadonlyMap<string, Recipe> = new Map();
  #problems: readonly RecipeProblem[] = [];
  #looking: NodeJS.Timeout | undefined;

  constructor(private readonly options: RecipeBookOptions) {
    this.#folder = new RecipeFolder(options.home);
    this.#read();
  }

  /** From now on, notices changes by editors and other servers. Idempotent. */
  start(): void {
    this.#looking ??= setInterval(() => this.#refresh(), LOOK_MS).unref();
  }

  close(): void {
    clearInterval(this.#looking);
  }

  tools(): readonly ProvidedTool[] {
    return [...this.#recipes.values()].map((recipe) =>
      valueIn(this.#tools, recipe, (made) => this.#toolOf(made)),
    );
  }

  /** A file of this name exists, and may be corrected later. */
  expects(name: string): boolean {
    return this.#problems.some(({ file }) => file === `${name}.json`);
  }

  onChange(listener: () => void): () => void {
    return this.#changes.add(listener);
  }

  /** Keyed by name. */
  all(): readonly Recipe[] {
    return [...this.#recipes.values()].filter(({ name }) => this.#has(name));
  }

  problems(): readonly RecipeProblem[] {
    const displaced = [...this.#recipes.keys()].filter((name) => !this.#has(name));
    return [
      ...this.#problems,
      ...displaced.map((name) => ({ file: `${name}.json`, problem: nameOfTool(name) })),
    ];
  }

  #has(name: string): boolean {
    return this.#recipes.has(name) && !this.options.isElsewhere(name);
  }

  /** @throws SpillwayError `recipe_not_found` with the nearest names */
  get(name: string): Recipe {
    const recipe = this.#has(name) ? this.#recipes.get(name) : undefined;
    if (recipe !== undefined) return recipe;
    const invalid = this.problems().find(({ file }) => file === `${name}.json`);
    if (invalid !== undefined)
      throw new SpillwayError('recipe_invalid', `${invalid.file} cannot be used: ${invalid.problem}.`);
    const near = nearestNames(name, [...this.#recipes.keys()]);
    throw new SpillwayError(
      'recipe_not_found',
      `There is no recipe "${name.slice(0, 80)}".`,
      near.length === 0 ? {} : { hint: `Did you mean ${near.join(' or ')}?` },
    );
  }

  /**
   * Saves a recipe in the home, which then has a tool.
   * @param options `session`: values that its receipts left out count as secrets
   * @throws SpillwayError `recipe_invalid`, `recipe_exists`, `recipe_has_secret`, or the disk's error
   */
  async save(
    definition: unknown,
    { replace, session }: { readonly replace: boolean; readonly session?: ClientSession },
  ): Promise<Recipe> {
    const { recipe, problems } = checkRecipe(definition);
    if (recipe === null) throw invalidRecipe(problems.join('; '));
    const { name } = recipe;
    const problem = this.#problemOf(recipe);
    if (problem !== null) throw invalidRecipe(problem);
    await schemaOf(recipe);
    if (recipe.code !== undefined) (await import('../programs/source.ts')).stripTypes(recipe.code);
    this.#refuseSecrets(recipe, session === undefined ? [] : this.#own.hidden(session));
    const text = `${JSON.stringify(recipe, null, 2)}\n`;
    if (Buffer.byteLength(text) > RECIPE_LIMITS.bytes)
      throw invalidRecipe(`it is larger than ${RECIPE_LIMITS.bytes / 1024} KiB`);
    this.#refresh();
    this.#refuseNested(recipe);
    const known = this.#listNames();
    if (known.has(name) && !replace) throw recipeExists(name);
    const alike = [...known].find((each) => each !== name && each.toLowerCase() === name.toLowerCase());
    if (alike !== undefined)
      throw new SpillwayError(
        'recipe_exists',
        `There is a recipe "${alike}" already: some file systems take ${name}.json for its file.`,
        { hint: 'Pass another name, or delete the other one with recipe_delete.' },
      );
    if (!this.#folder.hasRoomFor(name))
      throw new SpillwayError('store_full', 'The folder of recipes is full.', {
        hint: 'Delete one with recipe_delete.',
      });
    await this.#folder.write(recipe, text, { replace });
    this.#refresh();
    return recipe;
  }

  /** Names of recipes, and of unusable files. */
  #listNames(): ReadonlySet<string> {
    return new Set([
      ...this.#recipes.keys(),
      ...this.#problems.map(({ file }) => file.replace(/\.json$/, '')),
    ]);
  }

  /** @throws SpillwayError `recipe_invalid` */
  #refuseNested({ name, steps }: Recipe): void {
    const nested = callsOf(steps).find(({ tool }) => tool === name || this.#has(tool));
    if (nested !== undefined)
      throw invalidRecipe(`step ${nested.id}: ${nested.tool} is a recipe, and a recipe cannot call another`);
  }

  /** Takes note of a call of a session that has ended. */
  noteEnded(call: ToolCall, result: ToolResult): void {
    // A recipe cannot call another: called by its name it is left out, like recipe_run.
    if (!this.#has(call.tool)) this.#own.add(call, result);
  }

  /** The definition of a recipe that repeats calls of the session, as `lift.ts` makes it. */
  async lift(session: ClientSession, request: LiftRequest): Promise<JsonObject> {
    const { liftCalls } = await import('./lift.ts');
    return liftCalls(this.#own.of(session), request);
  }

  /** @throws SpillwayError `recipe_not_found` */
  async delete(name: string): Promise<void> {
    const isKnown = this.#listNames().has(name);
    // Its name comes from a file that was seen, never from a caller's path.
    if (!isKnown || !(await this.#folder.remove(name))) this.get(name);
    this.#refresh();
  }

  /**
   * The arguments of a recipe with the defaults of its parameters.
   * @throws SpillwayError `recipe_not_found`, `invalid_argument` with the path of each field
   */
  async parse(name: string, args: JsonObject): Promise<JsonObject> {
    return parseArguments(this.get(name), args);
  }

  /** Reads the folder again, and reports changes. */
  #refresh(): void {
    if (this.#read()) this.#changes.notify();
  }

  #read(): boolean {
    const { recipes, problems } = this.#folder.read();
    const before = [...this.#recipes.values()];
    const checked = recipes.map((recipe) => ({ recipe, problem: this.#problemOf(recipe) }));
    const usable = checked.flatMap(({ recipe, problem }) => (problem === null ? [recipe] : []));
    const refused = checked.flatMap(({ recipe: { name }, problem }) =>
      problem === null ? [] : [{ file: `${name}.json`, problem }],
    );
    this.#recipes = new Map(usable.map((recipe) => [recipe.name, recipe]));
    this.#tell([...problems, ...refused]);
    return before.length !== usable.length || usable.some((recipe) => !before.includes(recipe));
  }

  /** Each problem is logged once. */
  #tell(problems: readonly RecipeProblem[]): void {
    const isKnown = ({ file, problem }: RecipeProblem): boolean =>
      this.#problems.some((known) => known.file === file && known.problem === problem);
    for (const problem of problems.filter((one) => !isKnown(one)))
      this.options.logger.warn({ ...problem }, 'a recipe is skipped');
    this.#problems = problems;
  }

  #problemOf({ name, parameters, output_schema: output }: Recipe): string | null {
    if (this.options.isTaken(name)) return nameOfTool(name);
    if (!isCompilable(parameters)) return 'parameters: it is not a JSON Schema that every client takes';
    if (output !== undefined && (output['type'] !== 'object' || !isCompilable(output)))
      return 'output_schema: it is not a JSON Schema of an object that every client takes';
    return null;
  }

  /** @throws SpillwayError `recipe_has_secret` with the places */
  #refuseSecrets(recipe: Recipe, hidden: readonly string[]): void {
    const places = secretPlaces(recipe, this.options.redactor, hidden);
    if (places.length === 0) return;
    throw new SpillwayError(
      'recipe_has_secret',
      `The recipe has what looks like a secret, at ${places.slice(0, 5).join(', ')}.`,
    );
  }

  #toolOf(recipe: Recipe): ProvidedTool {
    const { name, title, description, parameters, output_schema: outputSchema } = recipe;
    const shown: Clean<Pick<Recipe, 'title' | 'description' | 'parameters'>> = this.options.redactor.value({
      title,
      description,
      parameters,
    });
    return {
      kind: 'direct',
      presentAs: 'recipe_run',
      manifest: defineTool({
        name,
        title: shown.title,
        category: 'recipes',
        // Each step has the risk of its own tool.
        risk: 'none',
        does: shown.description,
        input: z.looseObject({ async: z.boolean().optional() }),
        output: z.looseObject({}),
        annotations: ACT_HINTS,
        spills: true,
        runs: true,
        needs: ['recipe_run'],
      }),
      inputSchema: { ...shown.parameters, properties: { ...propertiesOf(shown.parameters), async: ASYNC } },
      ...defined({ outputSchema }),
      runtime:
        async () =>
        ({ async, ...args }: JsonObject, context: CallContext) =>
          this.options.recipeRun({ name, args, ...defined({ async }) }, context),
    };
  }
}

const invalidRecipe = (why: string): SpillwayError =>
  new SpillwayError('recipe_invalid', `The recipe: ${why}.`);

const nameOfTool = (name: string): string => `name: "${name}" is the name of a tool`;

/** Maximum calls that a session remembers, and maximum elements that it was shown. */
const CALLS_MAX = 50;
const REFS_MAX = 5_000;
/** For one call: nobody wants a larger one in a recipe. */
const ARGS_UNITS = 64 * 1024;
const TEXT_UNITS = 1024 * 1024;

/** Tools whose answers show elements with refs. */
const SHOWS_REFS: ReadonlySet<string> = new Set(['find', 'read_page', 'interact']);
/** Calls about the work, which are not part of it. */
const ABOUT_TOOLS =
  /^(?:recipe_|find_tools$|docs_|oc_journal$|oc_connection_health$|resume_call$)|_internal$/;

interface Remembered {
  readonly calls: OwnCall[];
  readonly refs: Map<string, Described>;
  /** Values that receipts left out. */
  readonly hidden: string[];
}

const HIDDEN_MAX = 200;

/** The last calls of sessions, in memory, with their arguments as given. */
export class OwnCalls {
  readonly #bySession = new WeakMap<ClientSession, Remembered>();

  /** Takes note of a call that has ended. */
  add({ tool, args, session, recipe, own }: ToolCall, result: ToolResult): void {
    if (recipe !== undefined || own !== undefined || result.pending !== undefined) return;
    const { calls, refs, hidden } = valueIn(this.#bySession, session, () => ({
      ...{ calls: [], hidden: [] },
      refs: new BoundedMap<string, Described>(REFS_MAX),
    }));
    hidden.push(...hiddenIn(args, result.state['hidden']));
    hidden.splice(0, hidden.length - HIDDEN_MAX);
    const text = result.ok && !ABOUT_TOOLS.test(tool) ? textFrom(args) : null;
    if (text !== null)
      calls.push({
        tool,
        args: JsonRecord.parse(JSON.parse(text)),
        handle: result.descriptor?.output_handle ?? null,
        refs: new Map([...refs].filter(([ref]) => text.includes(ref))),
      });
    if (calls.length > CALLS_MAX) calls.shift();
    if (SHOWS_REFS.has(tool)) addRefs(refs, blockText(result.content[0]) ?? '');
  }

  /** The calls of a session, the oldest first. */
  of(session: ClientSession): readonly OwnCall[] {
    return this.#bySession.get(session)?.calls ?? [];
  }

  /** Values that the session has typed, and its receipts left out. */
  hidden(session: ClientSession): readonly string[] {
    return this.#bySession.get(session)?.hidden ?? [];
  }
}

function addRefs(refs: Map<string, Described>, text: string): void {
  for (const [ref, described] of findDescriptions(text.slice(0, TEXT_UNITS))) {
    // The same ref may occur twice: the one with more about its place counts.
    if (described.near === undefined && refs.get(ref)?.name === described.name) continue;
    refs.set(ref, described);
  }
}

/** Arguments as JSON; null for those that are not, or are too long. */
function textFrom(args: unknown): string | null {
  try {
    const text = JSON.stringify(isObject(args) ? args : {});
    return text.length > ARGS_UNITS ? null : text;
  } catch {
    return null;
  }
}

const PROBLEMS_MAX = 5;
const compiled = new WeakMap<Recipe, RecordSchema>();

/** @throws SpillwayError `recipe_invalid` where the parameters are not a JSON Schema that can be used */
async function schemaOf(recipe: Recipe): Promise<RecordSchema> {
  const known = compiled.get(recipe);
  if (known !== undefined) return known;
  const { compileSchema } = await import('../core/record-schema.ts');
  try {
    const schema = compileSchema(recipe.parameters);
    compiled.set(recipe, schema);
    return schema;
  } catch (thrown) {
    throw new SpillwayError('recipe_invalid', `${recipe.name}: parameters: ${messageOf(thrown)}`, {
      cause: thrown,
    });
  }
}

/**
 * The arguments of a recipe with the defaults of its parameters.
 * @throws SpillwayError `invalid_argument` with the path of each field
 */
async function parseArguments(recipe: Recipe, given: JsonObject): Promise<JsonObject> {
  const schema = await schemaOf(recipe);
  const defaults = Object.entries(propertiesOf(recipe.parameters)).flatMap(([name, property]) =>
    isObject(property) && property['default'] !== undefined ? [[name, property['default']] as const] : [],
  );
  const args: JsonObject = { ...Object.fromEntries(defaults), ...given };
  const problems = schema.validate(args).slice(0, PROBLEMS_MAX);
  if (problems.length === 0) return args;
  const { describeProblems } = await import('../core/record-schema.ts');
  throw invalidArgument(`${recipe.name}: ${describeProblems(problems)}.`);
}
