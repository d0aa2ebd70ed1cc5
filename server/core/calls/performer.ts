import type { StepRisk } from '../../../shared/act/risks.ts';
import { toSpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { CallScope } from '../../../shared/policy/call-facts.ts';
import type { OutputMode } from '../../../shared/output/mode.ts';
import { runCompletionHooks, type CompletionHook } from './completion-hooks.ts';
import { definitionOf, type ToolCall } from './call.ts';
import { isUnbudgeted, meterAnswer } from './call-meter.ts';
import { contextOf } from './call-context.ts';
import { scopeOf } from './call-scope.ts';
import type { CallEnds, EndServices } from './call-ends.ts';
import type { CallContext } from '../context.ts';
import { deliver, stateOf } from './delivery.ts';
import { resolveOutput } from '../output-request.ts';
import { passedResult, withNote } from './call-results.ts';
import { risksOf, type Gate } from './gate.ts';
import { callLogger } from '../log-feed.ts';
import { UNRECORDED_NOTE } from './notes.ts';
import { KeptState } from './kept-state.ts';
import { ownResult } from './own-result.ts';
import type { Produced } from '../payload.ts';
import type { ApprovalRequests } from './approval-requests.ts';
import type { AskedCall } from './asked-call.ts';
import type { OwnAnswer, OwnTool } from '../own-tool.ts';
import type { ToolRegistry } from '../registry/registry.ts';
import type { ToolResult } from '../result.ts';
import {
  isPassedThrough,
  isResumed,
  type OwnRuntime,
  type PassedThrough,
  type ProvidedRuntime,
  type Resumed,
} from '../registry/runtime.ts';
import type { CleanText } from '../../redact/clean.ts';
import type { KeptCalls } from '../kept-calls.ts';
import type { Meter } from '../meter.ts';
import type { ActRecord, Clock, OutputPolicy, People, Redactor } from '../services.ts';
import { asRun } from './run-call.ts';
import type { Runs } from '../runs.ts';
import { validateArguments } from './validate.ts';
import { CANCEL_GRACE } from '../cancel-grace.ts';
import { abortable } from '../../../shared/async/wait.ts';

/** What the executor needs of the rest of the server. */
export interface ExecutorServices extends EndServices {
  readonly policy: OutputPolicy;
  readonly clock: Clock;
  readonly gate: Gate;
  readonly people: People;
  readonly runs: Pick<Runs, 'start' | 'wait' | 'get'>;
  readonly kept: KeptCalls;
  readonly acts: ActRecord;
  /** Instance of this server. */
  readonly server: string;
  /** SHA-256 of a text, in hexadecimal. */
  digest(text: string): string;
  /** @throws SpillwayError `api_not_found` for an api that the identifier's runtimes lack */
  runtime(identifier: string, api: string): Promise<OwnRuntime>;
}

export interface ExecutorOptions {
  readonly registry: ToolRegistry;
  /** Loaded with the first call, so that a start reads nothing that a list does not need. */
  readonly services: () => Promise<ExecutorServices>;
  /** For failures too that come before the services are loaded. */
  readonly redactor: Redactor;
  readonly outputModeDefault: OutputMode;
  /** Nonce fences around page text (`--content-boundaries`). */
  readonly contentBoundaries: boolean;
  /** `--sync-wait-ms`. */
  readonly syncWaitMs: number;
  readonly meter: Meter;
  /** Called with each call that has ended. */
  readonly ended?: (call: ToolCall, result: ToolResult) => void;
}

/** A call on its way through the pipeline. */
interface Step {
  readonly call: ToolCall;
  readonly services: ExecutorServices;
  readonly afterCompletion: CompletionHook;
  /** What its runtime says that it has come to. */
  readonly state: KeptState;
  readonly gate: AskedCall['gate'];
  /** Filled once the arguments are validated. */
  readonly risks: StepRisk[];
  /** Null until then. */
  asked: (Pick<AskedCall, 'definition' | 'args'> & { readonly scope: CallScope }) | null;
  /** A person changed the arguments before they approved. */
  readonly isEdited: boolean;
  /** How a person's yes came about, for the answer. */
  readonly note: CleanText | null;
  /** Its answer says that the session has used most of its budget. */
  isWarned: boolean;
}

/** How far a call is allowed. */
export interface PerformOptions {
  readonly gate: AskedCall['gate'];
  /** The person who approved it. */
  readonly approvedBy?: string | undefined;
  readonly isEdited?: boolean;
  readonly note?: CleanText | undefined;
}

interface PerformerParts {
  readonly options: ExecutorOptions;
  readonly ends: CallEnds;
  readonly questions: Pick<ApprovalRequests, 'check' | 'raise' | 'isRaised'>;
}

/** Takes one call through the pipeline. It never throws: each end is a {@link ToolResult}. */
export class Performer {
  readonly #options: ExecutorOptions;
  readonly #ends: CallEnds;
  readonly #questions: PerformerParts['questions'];

  constructor({ options, ends, questions }: PerformerParts) {
    this.#options = options;
    this.#ends = ends;
    this.#questions = questions;
  }

  async perform(
    call: ToolCall,
    { gate, isEdited = false, note, ...approved }: PerformOptions,
  ): Promise<ToolResult> {
    let services: ExecutorServices;
    try {
      services = await this.#options.services();
    } catch (thrown) {
      return this.#ends.failure(call, toSpillwayError(thrown));
    }
    const { clock, logger } = services;
    const startedAt = clock.monotonic();
    const step: Step = {
      call,
      services,
      afterCompletion: { tasks: [] },
      state: new KeptState(),
      gate,
      risks: [],
      asked: null,
      isEdited,
      note: note ?? null,
      isWarned: false,
    };
    let result: ToolResult;
    try {
      this.#ends.begun(step);
      result = await this.#run(step);
    } catch (thrown) {
      result = this.#failed(step, thrown);
    }
    const { risks } = step;
    const how = { durationMs: Math.round(clock.monotonic() - startedAt), risks, ...approved };
    try {
      this.#ends.journal(step, result, how);
    } catch (thrown) {
      // Arguments, or blocks of another server, that cannot even be looked at.
      result = this.#ends.thrown(step, thrown);
      this.#ends.journal({ call: { ...call, args: {} }, services }, result, how);
    }
    this.#options.ended?.(call, result);
    const recorded = services.acts.end(call.callId, result);
    if (recorded !== null && !call.signal.aborted && !(await recorded))
      result = withNote(result, UNRECORDED_NOTE);
    // A question that a browser asks is not answered yet.
    if (!this.#questions.isRaised(result)) meterAnswer(this.#options, call, result);
    if (step.isWarned && !result.ok) this.#options.meter.unsaid(call.session);
    const end = { isSuccess: result.ok };
    const cleanedUp = runCompletionHooks(step.afterCompletion, end, callLogger(logger, call));
    // The canceller does not wait any longer.
    if (!call.signal.aborted) await cleanedUp;
    return result;
  }

  async #run(step: Step): Promise<ToolResult> {
    const { call, services } = step;
    const { meter } = this.#options;
    call.signal.throwIfAborted();
    const definition = definitionOf(this.#options.registry, call);
    // What passed a schema of JSON is JSON.
    const args = validateArguments(definition.manifest, call.args) as JsonObject;
    const risks = risksOf(definition, args);
    step.risks.push(...risks);
    const scope = scopeOf({ call, services, definition, args });
    step.asked = { definition, args, scope };
    if (!isUnbudgeted(definition)) meter.check(call.session);
    const asked = await this.#questions.check({ ...step, definition, args, risks });
    if (asked !== null) return asked;
    const { manifest, own } = definition;
    if (own !== undefined) return this.#runOwn(step, step.asked, own);
    const loading: Promise<ProvidedRuntime> =
      definition.runtime?.() ?? services.runtime(manifest.identifier, manifest.api);
    const runtime = await abortable(loading, call.signal, CANCEL_GRACE);
    // The gate and the loading take their time: what was cancelled meanwhile starts nothing.
    call.signal.throwIfAborted();
    const { outputModeDefault, syncWaitMs, contentBoundaries } = this.#options;
    const isForRecipe = call.recipe !== undefined;
    const output = resolveOutput(manifest, args, isForRecipe ? 'inline' : outputModeDefault);
    const context = contextOf(step, { definition, output, syncWaitMs, scope });
    const produced = await this.#start(asRun(runtime, definition, services.runs), args, context);
    if (isPassedThrough(produced)) {
      const result = passedResult(produced, services.redactor);
      const warning = result.ok ? this.#warning(step) : null;
      return warning === null ? result : withNote(result, warning);
    }
    if (isResumed(produced)) return produced.resumed;
    try {
      return await deliver(step, {
        definition,
        args,
        output,
        produced,
        contentBoundaries: contentBoundaries && !isForRecipe,
        warning: () => this.#warning(step),
      });
    } catch (thrown) {
      return this.#failed(step, thrown, await stateOf(produced));
    }
  }

  /** Once, to a session that has used most of its budget. */
  #warning(step: Step): CleanText | null {
    if (step.call.recipe !== undefined) return null;
    const warning = this.#options.meter.warning(step.call.session);
    step.isWarned = warning !== null;
    return warning;
  }

  /** A browser whose policy asks has done nothing yet: the call waits for a person. Everything else is a failure. */
  #failed(step: Step, thrown: unknown, produced?: JsonObject): ToolResult {
    const { call, services, asked } = step;
    const error = toSpillwayError(thrown);
    const { questionId } = error;
    const state = step.state.of(error, produced);
    if (questionId === undefined || asked === null) return this.#ends.thrown(step, thrown, state);
    try {
      call.signal.throwIfAborted();
      const { askPerson } = call;
      const question = { id: questionId, scope: asked.scope, message: error.message, askPerson };
      return this.#questions.raise({ call, services, ...asked }, question);
    } catch (refused) {
      services.people.withdraw(questionId);
      return this.#ends.thrown(step, refused, state);
    }
  }

  /** A tool of the caller's own: its answer is redacted, and has no other form than the tool gave it. */
  async #runOwn(
    step: Step,
    { definition, args, scope }: NonNullable<Step['asked']>,
    own: OwnTool,
  ): Promise<ToolResult> {
    const { call, services } = step;
    call.signal.throwIfAborted();
    const output = resolveOutput(definition.manifest, args, this.#options.outputModeDefault);
    const context = contextOf(step, {
      definition,
      output,
      syncWaitMs: this.#options.syncWaitMs,
      scope,
    });
    // One that throws at once does so here as if it had waited.
    const work = async (): Promise<OwnAnswer> => own.run(args, context);
    return ownResult(call.tool, await abortable(work(), call.signal, CANCEL_GRACE), services.redactor);
  }

  /** The work of a runtime, abandoned when it ignores its signal. */
  #start(
    runtime: ProvidedRuntime,
    args: Record<string, unknown>,
    context: CallContext,
  ): Promise<Produced | PassedThrough | Resumed> {
    // The schema that parsed `args` is the one that the runtime declares: the registry pairs them.
    const work = runtime.run(args as never, context).then((produced) => {
      // The first failure is reported, and later ones are dropped, but each rejection must be handled.
      if ('done' in produced) produced.done.catch(() => undefined);
      return produced;
    });
    return abortable(work, context.signal, CANCEL_GRACE);
  }
}
