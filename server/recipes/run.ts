import { SpillwayError, toSpillwayError, type WireError } from '../../shared/errors.ts';
import { isObject, type JsonObject, type JsonValue, isJsonList, canonicalJson } from '../../shared/json.ts';
import {
  callsOf,
  isBranch,
  type CallStep,
  type Recipe,
  type RecipeStep,
  type Condition,
} from '../../shared/recipes/recipe.ts';
import { BadReference, fillTemplate, follow, parseReference } from '../../shared/recipes/references.ts';
import { produceJson } from '../core/calls/produce.ts';
import type { CallContext } from '../core/context.ts';
import type { Produced, ToolResult } from '../core/result.ts';
import type { CallTool } from '../core/call-tool.ts';
import type { ResumeCall } from '../core/people.ts';
import { hasTargets, Replay } from './replay.ts';
import { answerOf, sizeOf } from './own-calls.ts';

/** Whether a condition holds. What cannot be compared is not equal. */
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

/** Characters of all answers of a recipe that is being done. */
const ANSWERS_UNITS = 32 * 1024 * 1024;

/** What the steps of a recipe are done with. */
export interface RunServices {
  readonly call: CallTool;
  /** Of a step that a person took long to allow. */
  readonly resume: ResumeCall;
  readonly isRecipe: (tool: string) => boolean;
}

/** Where a recipe has stopped. */
interface Stop {
  readonly step: CallStep;
  /** The call that a person has not decided about. */
  readonly callId: string | null;
  /** An `interact` that is partly done. */
  readonly replay: Replay | null;
}

/** How a step has ended. */
interface Attempt extends Omit<Stop, 'step'> {
  /** Null where no call was made, or the last was not the step's own. */
  readonly result: ToolResult | null;
  readonly error: WireError | null;
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
    if (this.#stop === null) return;
    const { step, replay } = this.#stop;
    if (replay === null) this.#answers.set(step.id, { ok: false, skipped: true });
    replay?.skip();
    this.#stop = replay === null ? null : { step, replay, callId: null };
  }

  /** Whether it has stopped in acts on a page, one of which has a target that it did not find. */
  get takesTarget(): boolean {
    return (this.#stop?.replay ?? null) !== null;
  }

  /** Says which element it is that the recipe did not find. */
  give(target: string): void {
    this.#stop?.replay?.give(target);
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
    const done = this.#answers.size;
    context.progress({ done, total: done });
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
    this.#report(context, `${id}: ${tool}`);
    const { result, error, ...stop } = await this.#attempt(step, context);
    context.signal.throwIfAborted();
    if (error !== null && (step.on_error === 'stop' || isHeld(error))) this.#stopAt({ step, ...stop }, error);
    if (error !== null)
      this.#passedOver.push(`Step ${id} (${tool}) failed, which the recipe allows: ${error.code}.`);
    if (result !== null) this.#units += sizeOf(result);
    if (this.#units > ANSWERS_UNITS) this.#stopAt({ step, callId: null, replay: null }, TOO_MUCH);
    const url = result?.state['url'];
    if (typeof url === 'string') this.#source = url;
    this.#answers.set(id, result === null ? { ok: false, error: { ...error } } : answerOf(result));
  }

  #report({ progress }: CallContext, message: string): void {
    progress({ done: this.#answers.size, total: callsOf(this.recipe.steps).length, message });
  }

  /** Does a step, or what is left of it. */
  async #attempt(step: CallStep, context: CallContext): Promise<Attempt> {
    const before = this.#stop?.step === step ? this.#stop : null;
    this.#stop = null;
    const left = before?.callId ?? null;
    const stop: { replay: Replay | null; callId: null } = { replay: before?.replay ?? null, callId: null };
    try {
      if (left !== null) return ended(await this.#resume(left, context), { ...stop, callId: left });
      if (this.#services.isRecipe(step.tool)) throw nested(step.tool);
      if (stop.replay === null) {
        const args = fillTemplate(step.args, this.#scope());
        const given = isObject(args) ? args : {};
        if (step.tool !== 'interact' || !hasTargets(given)) {
          const callId = this.#nextId(context);
          return ended(await this.#call(callId, { tool: step.tool, args: given }, context), {
            ...stop,
            callId,
          });
        }
        stop.replay = new Replay(given);
      }
      const call = (tool: string, args: JsonObject): Promise<ToolResult> =>
        this.#call(this.#nextId(context), { tool, args }, context);
      // What a person has to allow is one act of several: it is done again, and they are asked again.
      return ended(await stop.replay.go(call, context.signal), stop);
    } catch (thrown) {
      const error = codedError(thrown);
      return { ...stop, result: null, error: { ...error.toWire(), body: error.body ?? {} } };
    }
  }

  #nextId({ callId }: CallContext): string {
    this.#calls += 1;
    return `${callId.slice(0, 100)}.${this.#calls}`;
  }

  #call(
    callId: string,
    request: { readonly tool: string; readonly args: JsonObject },
    context: CallContext,
  ): Promise<ToolResult> {
    const onAsk = (): void => this.#report(context, `${request.tool} waits for a person`);
    const { personWaitMs } = context;
    return this.#services.call({
      callId,
      ...request,
      recipe: this.recipe.name,
      context,
      personWaitMs,
      onAsk,
    });
  }

  #resume(callId: string, { session, signal, personWaitMs }: CallContext): Promise<ToolResult> {
    return this.#services.resume(callId, { session, signal, timeoutMs: personWaitMs });
  }

  #stopAt(stop: Stop, error: WireError): never {
    this.#stop = stop;
    throw new StepStopped(stop.step, error);
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
    const state = { ...this.#state(), step: step.id, continue: id };
    const next = `call recipe_run {"continue":"${id}"}`;
    // Its call is continued by the recipe, and by no other call.
    const [why, hint] = isHeld(error)
      ? [
          'a person has not decided yet.',
          `A person is asked in the browser: ${next} to wait for their decision.`,
        ]
      : [
          asSentence(error.message),
          `${error.hint} Then ${next}, with "skip":true if the step needs no more doing.`,
        ];
    return new SpillwayError(
      error.code,
      `Recipe ${this.recipe.name} stopped at step ${step.id} (${step.tool}, ${place}): ${why}${before}`,
      {
        hint,
        // The same call would do again what has been done.
        retryable: error.retryable && done.length === 0,
        body: { ...error.body, ...state, tool: step.tool },
        state,
      },
    );
  }
}

/** What other servers say may end without a mark. */
const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** A call of a step has ended; one that waits for a person can be resumed. */
function ended(result: ToolResult, { replay, callId }: Omit<Stop, 'step'>): Attempt {
  const error = result.ok ? null : (result.error ?? NO_REASON);
  return { result, error, replay, callId: error !== null && isHeld(error) ? callId : null };
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
const isHeld = ({ code }: WireError): boolean => code === 'approval_required';

const nested = (tool: string): SpillwayError =>
  new SpillwayError('recipe_invalid', `${tool} is a recipe, and a recipe cannot call another.`);

const codedError = (thrown: unknown): SpillwayError =>
  thrown instanceof BadReference
    ? new SpillwayError('recipe_reference_missing', `${thrown.message}.`)
    : toSpillwayError(thrown);
