import { SpillwayError, toSpillwayError, type WireError } from '../../shared/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import {
  callsOf,
  isBranch,
  type CallStep,
  type Recipe,
  type RecipeStep,
} from '../../shared/recipes/recipe.ts';
import { BadReference, fillTemplate } from '../../shared/recipes/references.ts';
import { produceJson } from '../core/calls/produce.ts';
import type { CallContext } from '../core/context.ts';
import type { Produced } from '../core/payload.ts';
import type { CallForRecipe } from '../core/recipes.ts';
import type { ResumeCall } from '../core/resume-call.ts';
import type { ToolResult } from '../core/result.ts';
import { holds } from './conditions.ts';
import { answerOf, sizeOf } from './step-answer.ts';

/** Characters of all answers of a recipe that is being done. */
const ANSWERS_UNITS = 32 * 1024 * 1024;

/** What the steps of a recipe are done with. */
export interface RunServices {
  readonly call: CallForRecipe;
  /** Of a step that a person took long to allow. */
  readonly resume: ResumeCall;
  readonly isRecipe: (tool: string) => boolean;
}

/** Where a recipe has stopped. */
interface Stop {
  readonly step: CallStep;
  /** The call that a person has not decided about. */
  readonly callId: string | null;
}

/** One execution of a recipe. It may stop, and go on from there: what is done is not done again. */
export class RecipeRun {
  readonly recipe: Recipe;
  readonly #services: RunServices;
  readonly #params: JsonObject;
  readonly #answers = new Map<string, JsonObject>();
  /** Which side of each branch was taken: what a page says later does not change it. */
  readonly #taken = new Map<string, boolean>();
  readonly #passedOver: string[] = [];
  #units = 0;
  #calls = 0;
  #source: string | null = null;
  #stop: Stop | null = null;

  constructor(recipe: Recipe, params: JsonObject, services: RunServices) {
    this.recipe = recipe;
    this.#params = params;
    this.#services = services;
  }

  /** It has stopped, and can go on. */
  get isStopped(): boolean {
    return this.#stop !== null;
  }

  /** The step at which it has stopped is done by other means, or left out. */
  skip(): void {
    if (this.#stop !== null) this.#answers.set(this.#stop.step.id, { ok: false, skipped: true });
    this.#stop = null;
  }

  /**
   * Does all steps that are left. @param id by which it continues if one of them fails
   * @throws SpillwayError that of the step that failed
   */
  async go(context: CallContext, id: string): Promise<Produced> {
    context.keepState(() => this.#state());
    const { steps } = this.recipe;
    try {
      await this.#all(steps, context);
    } catch (thrown) {
      if (context.signal.aborted) throw context.signal.reason;
      throw thrown instanceof StepStopped ? this.#failure(thrown, id) : thrown;
    }
    const { untrustedFrom, ...produced } = this.#answer();
    return { ...produced, ...(this.#answers.size === 0 ? {} : { untrustedFrom }) };
  }

  async #all(steps: readonly RecipeStep[], context: CallContext): Promise<void> {
    for (const step of steps) {
      if (isBranch(step)) {
        const isTaken = this.#taken.get(step.id) ?? holds(step.if, this.#scope());
        this.#taken.set(step.id, isTaken);
        await this.#all(isTaken ? step.then : (step.else ?? []), context);
      } else if (!this.#answers.has(step.id)) await this.#step(step, context);
    }
  }

  async #step(step: CallStep, context: CallContext): Promise<void> {
    context.signal.throwIfAborted();
    const { id, tool } = step;
    const total = callsOf(this.recipe.steps).length;
    context.progress({ done: this.#answers.size, total, message: `${id}: ${tool}` });
    const { callId, result } = await this.#call(step, context);
    context.signal.throwIfAborted();
    if (!result.ok && (step.on_error === 'stop' || isHeld(result)))
      this.#stopAt(step, result.error ?? NO_REASON, isHeld(result) ? callId : null);
    if (!result.ok)
      this.#passedOver.push(
        `Step ${id} (${tool}) failed, which the recipe allows: ${result.error?.code ?? ''}.`,
      );
    this.#units += sizeOf(result);
    if (this.#units > ANSWERS_UNITS) this.#stopAt(step, TOO_MUCH);
    const { url } = result.state;
    if (typeof url === 'string') this.#source = url;
    this.#answers.set(id, answerOf(result));
  }

  async #call(
    step: CallStep,
    context: CallContext,
  ): Promise<{ readonly callId: string; readonly result: ToolResult }> {
    const { session, signal, syncWaitMs } = context;
    const left = this.#stop?.step === step ? this.#stop.callId : null;
    this.#stop = null;
    try {
      if (left !== null) {
        const result = await this.#services.resume(left, { session, signal, timeoutMs: syncWaitMs });
        return { callId: left, result };
      }
      if (this.#services.isRecipe(step.tool))
        throw new SpillwayError(
          'recipe_invalid',
          `${step.tool} is a recipe, and a recipe cannot call another.`,
        );
      const args = fillTemplate(step.args, this.#scope());
      this.#calls += 1;
      const callId = `${context.callId.slice(0, 100)}.${this.#calls}`;
      const call = {
        callId,
        tool: step.tool,
        args: isObject(args) ? args : {},
        recipe: this.recipe.name,
        context,
      };
      return { callId, result: await this.#services.call(call) };
    } catch (thrown) {
      return this.#stopAt(step, codedError(thrown).toWire(), left);
    }
  }

  #stopAt(step: CallStep, error: WireError, callId: string | null = null): never {
    this.#stop = { step, callId };
    throw new StepStopped(step, error);
  }

  #scope(): JsonObject {
    return { params: this.#params, steps: Object.fromEntries(this.#answers) };
  }

  #answer(): Produced {
    const { name, output } = this.recipe;
    const last = [...this.#answers.values()].at(-1);
    const whole = last?.['structured'] ?? { text: last?.['text'] ?? null };
    let value: JsonValue;
    try {
      value = output === undefined ? whole : fillTemplate(output, this.#scope());
    } catch (thrown) {
      const { code, message } = codedError(thrown);
      throw new SpillwayError(code, `Recipe ${name}: output: ${message}`, {
        hint: 'Correct output in the recipe. All of its steps are done.',
      });
    }
    return {
      ...produceJson(isObject(value) ? value : { value }),
      done: Promise.resolve({ state: this.#state(), coverage: this.#passedOver }),
      untrustedFrom: () => this.#source ?? `the recipe ${name}`,
    };
  }

  /** What is done. */
  #state(): JsonObject {
    return { recipe: this.recipe.name, done: [...this.#answers.keys()] };
  }

  #failure({ step, error }: StepStopped, id: string): SpillwayError {
    const done = [...this.#answers.keys()];
    const calls = callsOf(this.recipe.steps);
    const place = `${calls.findIndex((call) => call.id === step.id) + 1} of ${calls.length}`;
    const before = done.length === 0 ? '' : ` Done before it: ${done.join(', ')}.`;
    const state = { ...this.#state(), step: step.id, tool: step.tool, continue: id };
    return new SpillwayError(
      error.code,
      `Recipe ${this.recipe.name} stopped at step ${step.id} (${step.tool}, ${place}): ${error.message}${before}`,
      {
        hint: `${error.hint} Then call recipe_run {"continue":"${id}"}, with "skip":true if the step needs no more doing.`,
        // The same call would do again what has been done.
        retryable: error.retryable && done.length === 0,
        body: { ...error.body, ...state },
        state,
      },
    );
  }
}

/** A step has failed: the recipe stops there. */
class StepStopped extends Error {
  readonly step: CallStep;
  readonly error: WireError;

  constructor(step: CallStep, error: WireError) {
    super(error.message);
    this.step = step;
    this.error = error;
  }
}

const NO_REASON: WireError = new SpillwayError(
  'internal_error',
  'The step failed without a reason.',
).toWire();

const TOO_MUCH: WireError = new SpillwayError(
  'invalid_argument',
  `The answers of the steps have more than ${ANSWERS_UNITS} characters together.`,
  { hint: 'Give the steps that read much "output_mode": "handle", and refer to their handle.' },
).toWire();

/** A person has not decided yet: the call may still be done. */
const isHeld = ({ error }: ToolResult): boolean => error?.code === 'approval_required';

const codedError = (thrown: unknown): SpillwayError =>
  thrown instanceof BadReference
    ? new SpillwayError('recipe_reference_missing', `${thrown.message}.`)
    : toSpillwayError(thrown);
