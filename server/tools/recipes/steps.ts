import { formatNote } from '../../../shared/notes.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import {
  canonicalJson,
  isJsonList,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../shared/json.ts';
import {
  callsOf,
  isBranch,
  type CallStep,
  type Condition,
  type Recipe,
  type RecipeStep,
} from '../../../shared/recipes/recipe.ts';
import { BadReference, fillTemplate, follow, parseReference } from '../../../shared/recipes/references.ts';
import type { ToolResult } from '../../core/result.ts';
import { textOf } from '../../toolkit/page-lines.ts';
import { FlowError, type MakeCall } from '../../toolkit/programs/native.ts';
import { hasTarget, withRefs } from './targets.ts';

/** Later steps refer to it as `steps.<id>`. A stored output is its descriptor. */
export const answerOf = ({ content, structured, descriptor, state }: ToolResult): JsonObject => ({
  ok: true,
  text: textOf(content[0]),
  structured: structured ?? (descriptor === undefined ? null : { ...descriptor }),
  handle: descriptor?.output_handle ?? null,
  state,
});

/** An answer given in place of a step; a skipped step has none. */
function givenAnswer(value: JsonValue | undefined): JsonObject {
  if (isObject(value) && typeof value['ok'] === 'boolean') return value;
  if (value === undefined || value === null) return { ok: false, skipped: true };
  return { ok: true, text: typeof value === 'string' ? value : null, structured: value };
}

/** The steps of a recipe as a program: interpreted from the first one, even when its run is resumed. */
export class Steps {
  readonly #answers = new Map<string, JsonObject>();
  readonly #passedOver: string[] = [];
  #doing: CallStep | null = null;
  /** A reference that leads to nothing. */
  #failure: SpillwayError | null = null;

  constructor(
    private readonly recipe: Recipe,
    private readonly params: JsonObject,
  ) {}

  /** Runs all steps. Returns the recipe's answer. */
  async run(make: MakeCall): Promise<JsonValue> {
    await this.#all(this.recipe.steps ?? [], make);
    this.#doing = null;
    const last = [...this.#answers.values()].at(-1);
    const { output = last?.['structured'] ?? { text: last?.['text'] ?? null } } = this.recipe;
    return this.recipe.output === undefined ? output : this.#fill(output);
  }

  get facts(): { readonly coverage: readonly string[]; readonly state: JsonObject; readonly source: string } {
    const { name } = this.recipe;
    const urls = [...this.#answers.values()].flatMap(({ state }) => (isObject(state) ? [state['url']] : []));
    return {
      coverage: this.#passedOver,
      state: { recipe: name, done: [...this.#answers.keys()] },
      source: String(urls.findLast((url) => typeof url === 'string') ?? `the recipe ${name}`),
    };
  }

  /** A run's failure with its place in the recipe, and how to continue the run. */
  stopped(thrown: unknown, runId: string): SpillwayError {
    const { name, steps } = this.recipe;
    const error = this.#failure ?? toSpillwayError(thrown);
    const resume = `call run_resume {"run_id":"${runId}"}`;
    if (this.#doing === null)
      return error.with({
        message: `Recipe ${name}: output: ${error.message}`,
        hint: `Correct output in the recipe, then ${resume}: all of its steps are done.`,
      });
    const { id, tool } = this.#doing;
    const calls = callsOf(steps);
    const place = `${calls.findIndex((call) => call.id === id) + 1} of ${calls.length}`;
    const done = [...this.#answers.keys()];
    const before = done.length === 0 ? '' : ` Done before it: ${done.join(', ')}.`;
    const skip = `with "outcome":"skip" if ${error.code === 'recipe_target_not_found' ? 'the act is to be left out, and with "result":"e12" where that is the element' : 'the step needs no more doing'}`;
    return error.with({
      message: `Recipe ${name} stopped at step ${id} (${tool}, ${place}): ${error.message}${before}`,
      hint: this.#failure === null ? `${error.hint} Then ${resume}, ${skip}.` : error.hint,
      retryable: false,
    });
  }

  async #all(steps: readonly RecipeStep[], make: MakeCall): Promise<void> {
    for (const step of steps) {
      if (!isBranch(step)) await this.#step(step, make);
      else if (holds(step.if, this.#scope())) await this.#all(step.then, make);
      else await this.#all(step.else ?? [], make);
    }
  }

  async #step(step: CallStep, make: MakeCall): Promise<void> {
    const { id, tool, on_error: onError } = step;
    this.#doing = step;
    try {
      const filled = this.#fill(step.args);
      const args = isObject(filled) ? filled : {};
      const acts = args['steps'];
      const isActs = tool === 'interact' && isJsonList(acts) && acts.some(hasTarget);
      this.#answers.set(id, isActs ? await this.#acts(args, acts, make) : await this.#call(args, make));
    } catch (thrown) {
      if (onError === 'stop') throw thrown;
      const { code, message, hint, retryable } =
        thrown instanceof FlowError ? thrown : (this.#failure ?? toSpillwayError(thrown));
      this.#failure = null;
      this.#passedOver.push(formatNote('allowed_failure', { id, tool, code }));
      this.#answers.set(id, { ok: false, text: message, error: { code, message, hint, retryable } });
    }
  }

  async #call(args: JsonObject, make: MakeCall): Promise<JsonObject> {
    const { id = '', tool: name = '' } = this.#doing ?? {};
    return givenAnswer(
      await make({ kind: 'tool', name, title: `${id}: ${name}`, args: JSON.stringify(args) }),
    );
  }

  /** Act by act, each in the page that the previous act left. */
  async #acts(
    { fields, steps: _, ...rest }: JsonObject,
    acts: readonly JsonValue[],
    make: MakeCall,
  ): Promise<JsonObject> {
    const place = rest['tab'] === undefined ? {} : { tab: rest['tab'] };
    let last: JsonObject = { ok: true, text: 'done 0' };
    if (fields !== undefined) last = await this.#call({ ...rest, fields }, make);
    for (const act of acts) {
      if (!hasTarget(act)) {
        last = await this.#call({ ...rest, steps: [act] }, make);
        continue;
      }
      const perform = (given: string | null): Promise<JsonValue | undefined> =>
        make({
          kind: 'step',
          name: 'interact',
          title: `${this.#doing?.id}: interact`,
          args: JSON.stringify({ act, given }),
          perform: async (call) =>
            answerOf(
              await call('interact', { ...rest, steps: [await withRefs(act, { place, given, call })] }),
            ),
        });
      let done = await perform(null);
      // The resuming call has named the element.
      while (typeof done === 'string') done = await perform(done);
      last = givenAnswer(done);
    }
    return last;
  }

  #scope(): JsonObject {
    return { params: this.params, steps: Object.fromEntries(this.#answers) };
  }

  #fill(template: JsonValue): JsonValue {
    try {
      return fillTemplate(template, this.#scope());
    } catch (thrown) {
      this.#failure =
        thrown instanceof BadReference
          ? new SpillwayError('recipe_reference_missing', `${thrown.message}.`)
          : toSpillwayError(thrown);
      throw thrown;
    }
  }
}

/** Whether a condition holds. Incomparable values are not equal. */
function holds(condition: Condition, scope: JsonObject): boolean {
  const { ref, exists, equals, not_equals: notEquals, contains } = condition;
  const found = follow(scope, parseReference(ref) ?? ['']);
  if (exists !== undefined) return exists === (found !== undefined && found !== null);
  if (equals !== undefined) return isSame(found, equals);
  if (notEquals !== undefined) return !isSame(found, notEquals);
  if (contains === undefined || found === undefined) return false;
  return typeof found === 'string' ? found.includes(contains) : isJsonList(found) && found.includes(contains);
}

function isSame(one: JsonValue | undefined, other: JsonValue): boolean {
  if (one === undefined) return false;
  try {
    return canonicalJson(one) === canonicalJson(other);
  } catch {
    return false;
  }
}
