import type { StepRisk } from '../../../shared/act/risks.ts';
import { toSpillwayError, type SpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { CallScope } from '../../../shared/policy/call-facts.ts';
import type { OutputMode } from '../../../shared/output/mode.ts';
import { runCompletionHooks, type CompletionHook } from './completion-hooks.ts';
import { definitionOf, type ToolCall } from './call.ts';
import { contextOf } from './call-context.ts';
import { scopeOf } from './call-scope.ts';
import { CallEnds, type EndServices } from './call-ends.ts';
import type { CallContext } from '../context.ts';
import { deliver, stateOf } from './delivery.ts';
import { resolveOutput } from '../output-request.ts';
import { failureResult, passedResult } from './call-results.ts';
import { risksOf, type Decision, type Gate } from './gate.ts';
import { callLogger } from '../log-feed.ts';
import { ownResult } from './own-result.ts';
import { joinCall, type KnownCall } from './join-call.ts';
import type { Produced } from '../payload.ts';
import { ApprovalRequests, serverEnded, type AskedCall, type DecideOptions } from './approval-requests.ts';
import type { OwnAnswer, OwnTool } from '../own-tool.ts';
import type { ResumeCall } from '../resume-call.ts';
import type { ToolRegistry } from '../registry/registry.ts';
import type { PendingInteraction, ToolResult } from '../result.ts';
import {
  isPassedThrough,
  isResumed,
  type OwnRuntime,
  type PassedThrough,
  type ProvidedRuntime,
  type Resumed,
} from '../registry/runtime.ts';
import type { CleanText } from '../../redact/clean.ts';
import type { ActRecord, Clock, OutputPolicy, People, Redactor } from '../services.ts';
import { PendingWork } from './pending-work.ts';
import { validateArguments } from './validate.ts';
import { CANCEL_GRACE } from '../cancel-grace.ts';
import { abortable } from '../../../shared/async/wait.ts';

/** What the executor needs of the rest of the server. */
export interface ExecutorServices extends EndServices {
  readonly policy: OutputPolicy;
  readonly clock: Clock;
  readonly gate: Gate;
  readonly people: People;
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
}

/** A call on its way through the pipeline. */
interface Step {
  readonly call: ToolCall;
  readonly services: ExecutorServices;
  readonly afterCompletion: CompletionHook;
  readonly gate: AskedCall['gate'];
  /** Filled once the arguments are validated. */
  readonly risks: StepRisk[];
  /** Null until then. */
  asked: (Pick<AskedCall, 'definition' | 'args'> & { readonly scope: CallScope }) | null;
  /** A person changed the arguments before they approved. */
  readonly isEdited: boolean;
  /** How a person's yes came about, for the answer. */
  readonly note: CleanText | null;
}

/** How far a call is allowed. */
interface Leave {
  readonly gate: AskedCall['gate'];
  /** The person who approved it. */
  readonly approvedBy?: string | undefined;
  readonly isEdited?: boolean;
  readonly note?: CleanText | undefined;
}

/**
 * The one pipeline of every call (plain, a task, or the start of a run): validate → authorise →
 * run → redact → output policy → result → journal. It never throws; every end is a {@link ToolResult}.
 */
export class Executor {
  readonly #options: ExecutorOptions;
  readonly #ends: CallEnds;
  readonly #questions: ApprovalRequests;
  readonly #activeCalls = new Map<string, KnownCall>();
  /** Whatever is journalled at its end. */
  readonly #work = new PendingWork();

  constructor(options: ExecutorOptions) {
    const { registry, services } = options;
    this.#options = options;
    this.#ends = new CallEnds(registry, options.redactor);
    this.#questions = new ApprovalRequests({
      registry,
      services,
      ends: this.#ends,
      work: this.#work,
      isActive: (callId) => this.#activeCalls.has(callId),
      perform: (call, approval) => this.#perform(call, { gate: 'passed', ...approval }),
    });
  }

  get registry(): ToolRegistry {
    return this.#options.registry;
  }

  /** What people are asked now, the oldest first. */
  pending(): readonly PendingInteraction[] {
    return this.#questions.pending();
  }

  /** Calls back with all of {@link pending} when it changes. Returns an unsubscribe function. */
  onPending(listener: (pending: readonly PendingInteraction[]) => void): () => void {
    return this.#questions.onPending(listener);
  }

  /**
   * A call under an id that is active or pending joins that call, and starts nothing. An id belongs
   * to the session and the call that used it first; its session may use it again once that has ended
   * (models number their calls, some from zero in each answer).
   */
  execute(call: ToolCall): Promise<ToolResult> {
    const { callId } = call;
    const known = this.#questions.find(call) ?? this.#activeCalls.get(callId);
    if (known !== undefined) return joinCall(known, call, (error) => this.#ends.failure(call, error));
    const gate = this.#questions.wasAllowed(call) ? 'passed' : 'ask';
    const end = this.#perform(call, { gate }).finally(() => this.#activeCalls.delete(callId));
    this.#activeCalls.set(callId, { call, end });
    return end;
  }

  /**
   * Executes nothing from now on, and ends what waits for a person. Resolves once active work
   * has ended and is journalled, or has taken too long: who calls this has cancelled it.
   */
  end(): Promise<void> {
    this.#questions.end();
    return this.#work.end();
  }

  /**
   * Decides a call that is pending, and executes it when it was approved. Answers its end.
   * @throws SpillwayError `call_not_pending` for one that was decided before, or never asked for;
   * `invalid_argument` for edited arguments that do not fit, or a decision without `by`: the call stays pending
   */
  decide(callId: string, decision: Decision, options: DecideOptions = {}): Promise<ToolResult> {
    return this.#questions.decide(callId, decision, options);
  }

  /**
   * Asks whether a person has to allow a call, and executes nothing: null when it may run, or when
   * its execution will say what is wrong with it; else it is pending from now on. What the gate allows
   * here it is not asked about again when the same call is executed, once.
   */
  ask(call: ToolCall): Promise<ToolResult | null> {
    return this.#questions.ask(call);
  }

  /**
   * The end of a call that was answered as pending. `onDecided` is called when a person has said yes or
   * no, before the call continues. @throws SpillwayError `call_not_pending`
   */
  settled(callId: string, onDecided?: () => void): Promise<ToolResult> {
    return this.#questions.settled(callId, onDecided);
  }

  /**
   * The end of a call about which a browser asks a person, for a caller that waits for as long as for a run: then the answer
   * is `approval_required` with the id of the call, and what a person decides later is executed when the call is resumed.
   * @param begun what the call was answered; returned as it is where no browser asks
   */
  async answered(call: ToolCall, begun: ToolResult): Promise<ToolResult> {
    if (!this.#questions.isRaised(begun)) return begun;
    const timeoutMs = call.syncWaitMs ?? this.#options.syncWaitMs;
    return this.#questions.answered(call, { timeoutMs, signal: call.signal });
  }

  /**
   * Continues a call that was left with `approval_required`, and waits for it as {@link answered} does.
   * @throws SpillwayError `call_not_pending` for a call that the session did not leave, or has resumed
   */
  resume(callId: string, how: Parameters<ResumeCall>[1]): Promise<ToolResult> {
    return this.#questions.resume(callId, how);
  }

  /** The result of a call that never reaches the pipeline. */
  refusal(error: SpillwayError): ToolResult {
    return failureResult(error, this.#options.redactor);
  }

  #perform(call: ToolCall, leave: Leave): Promise<ToolResult> {
    if (this.#work.isEnding) return Promise.resolve(this.#ends.failure(call, serverEnded()));
    return this.#work.add(this.#performing(call, leave));
  }

  async #performing(
    call: ToolCall,
    { gate, isEdited = false, note, ...approved }: Leave,
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
      gate,
      risks: [],
      asked: null,
      isEdited,
      note: note ?? null,
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
    services.acts.end(call.callId, result);
    const end = { isSuccess: result.ok };
    const cleanedUp = runCompletionHooks(step.afterCompletion, end, callLogger(logger, call));
    // The canceller does not wait any longer.
    if (!call.signal.aborted) await cleanedUp;
    return result;
  }

  async #run(step: Step): Promise<ToolResult> {
    const { call, services } = step;
    call.signal.throwIfAborted();
    const definition = definitionOf(this.registry, call);
    // What passed a schema of JSON is JSON.
    const args = validateArguments(definition.manifest, call.args) as JsonObject;
    const risks = risksOf(definition, args);
    step.risks.push(...risks);
    const { redactor, digest, people } = services;
    const asksClient = people.asksClients && call.askPerson !== undefined;
    const scope = scopeOf(call, { definition, args, redactor, digest, asksClient, home: people.home });
    step.asked = { definition, args, scope };
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
    const output = resolveOutput(manifest, args, outputModeDefault);
    const context = contextOf(step, { definition, output, syncWaitMs, scope });
    const produced = await this.#start(runtime, args, context);
    if (isPassedThrough(produced)) return passedResult(produced, services.redactor);
    if (isResumed(produced)) return produced.resumed;
    try {
      return await deliver(step, { definition, args, output, produced, contentBoundaries });
    } catch (thrown) {
      return this.#failed(step, thrown, await stateOf(produced));
    }
  }

  /** A browser whose policy asks has done nothing yet: the call waits for a person. Everything else is a failure. */
  #failed(step: Step, thrown: unknown, state?: JsonObject): ToolResult {
    const { call, services, asked } = step;
    const error = toSpillwayError(thrown);
    const { questionId } = error;
    if (questionId === undefined || asked === null || call.signal.aborted)
      return this.#ends.thrown(step, thrown, state);
    try {
      const { askPerson } = call;
      const question = { id: questionId, scope: asked.scope, message: error.message, askPerson };
      return this.#questions.raise({ call, services, ...asked }, question);
    } catch (refused) {
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
