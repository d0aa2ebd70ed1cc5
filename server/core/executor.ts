import { SpillwayError, toSpillwayError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { OutputMode } from '../../shared/output/mode.ts';
import { runAfterCompletion, type AfterCompletion } from './after-completion.ts';
import { cancellation, isSameCall, type ToolCall } from './call.ts';
import { contextOf } from './call-context.ts';
import { journalEntry } from './call-journal.ts';
import type { CallContext } from './context.ts';
import type { ToolDefinition } from './definition.ts';
import {
  isPassedThrough,
  notesOf,
  outputOptions,
  presentFailure,
  stateOf,
  successResult,
  toDeliver,
} from './delivery.ts';
import { failureResult, passedResult, pendingResult, stackOf } from './funnel.ts';
import { isAllowed, type Decision, type Gate, type GateDecision } from './gate.ts';
import { callLogger } from './log-feed.ts';
import { meet } from './meet.ts';
import type { Produced } from './payload.ts';
import { PendingCalls } from './pending.ts';
import { Permissions } from './permissions.ts';
import type { ToolRegistry } from './registry.ts';
import type { ToolResult } from './result.ts';
import type { PassedThrough, ProvidedRuntime, ToolRuntime } from './runtime.ts';
import type { Clock, Journal, Logger, OutputPolicy, Redactor } from './services.ts';
import { joinSignals } from './signals.ts';
import { UnderWay } from './under-way.ts';
import { validateArguments } from './validate.ts';
import { orLeft } from './within.ts';

/** What the executor needs of the rest of the server. */
export interface ExecutorServices {
  readonly policy: OutputPolicy;
  readonly redactor: Redactor;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly gate: Gate;
  /** @throws SpillwayError `api_not_found` for an api that the identifier's runtimes lack */
  runtime(identifier: string, api: string): Promise<ToolRuntime>;
}

export interface ExecutorOptions {
  readonly registry: ToolRegistry;
  /** Loaded with the first call, so that a start reads nothing that a list does not need. */
  readonly services: () => Promise<ExecutorServices>;
  readonly outputModeDefault: OutputMode;
  /** Nonce fences around page text (`--content-boundaries`). */
  readonly contentBoundaries: boolean;
  /** `--sync-wait-ms`. */
  readonly syncWaitMs: number;
}

const serverEnded = (): SpillwayError => new SpillwayError('cancelled', 'The server has ended.');
const DEFAULT_ENVELOPE_BYTES = 256;
/** Two fences of `fence()` with room for their blocks. */
const FENCES_BYTES = 320;

/** A call on its way through the pipeline. */
interface Step {
  readonly call: ToolCall;
  readonly services: ExecutorServices;
  readonly afterCompletion: AfterCompletion;
  /** It was allowed before: the gate is not asked again. */
  readonly isApproved: boolean;
  /** It is only asked whether it may be executed. */
  readonly isQuestion: boolean;
}

/**
 * The one pipeline of every call, be it plain, a task, or the start of a run: validate → authorise →
 * run → redact → output policy → funnel → journal. It never throws; every end is a {@link ToolResult}.
 */
export class Executor {
  readonly #options: ExecutorOptions;
  readonly #pending = new PendingCalls();
  readonly #permissions = new Permissions();
  readonly #underWay = new Map<string, { readonly call: ToolCall; readonly end: Promise<ToolResult> }>();
  /** Whatever is journalled at its end. */
  readonly #work = new UnderWay();

  constructor(options: ExecutorOptions) {
    this.#options = options;
  }

  get registry(): ToolRegistry {
    return this.#options.registry;
  }

  /** Whether a call asks for a handle, be it only where its output is large. */
  mayStore(tool: string, args: unknown): boolean {
    const definition = this.registry.find(tool);
    if (definition === undefined) return false;
    const given = typeof args === 'object' && args !== null ? { ...args } : {};
    return outputOptions(definition, given, this.#options.outputModeDefault).mode !== 'inline';
  }

  /** Calls that are executed now, and calls that wait for a person. */
  get open(): { readonly underWay: number; readonly pending: number } {
    return { underWay: this.#underWay.size, pending: this.#pending.size };
  }

  /**
   * A call under an id that is under way or pending meets that call, and starts nothing; so does one
   * under an id that was pending and is decided. An id belongs to the session and the call that used it
   * first.
   */
  execute(call: ToolCall): Promise<ToolResult> {
    const { callId } = call;
    const known = this.#asked(call) ?? this.#underWay.get(callId);
    if (known !== undefined) return this.#meet(known, call);
    const end = this.#perform(call, this.#permissions.use(call)).finally(() => this.#underWay.delete(callId));
    this.#underWay.set(callId, { call, end });
    return end;
  }

  /**
   * Executes nothing from now on, and lets nothing wait for a person. Resolves once what is under way
   * has ended and is journalled, or has taken too long: who calls this has cancelled it.
   */
  end(): Promise<void> {
    this.#pending.end(serverEnded());
    return this.#work.end();
  }

  /** What is pending, or decided, under the id of a call; the end of another call is none of its. */
  #asked(call: ToolCall): ReturnType<PendingCalls['find']> {
    const asked = this.#pending.find(call.callId);
    const isOver = asked?.hasEnded === true && asked.call.session === call.session;
    return isOver && !isSameCall(asked.call, call) ? undefined : asked;
  }

  /**
   * Decides a call that is pending, and executes it when it was approved. Answers its end.
   * @throws SpillwayError `call_not_pending` for one that was decided before, or never asked for;
   * `invalid_argument` for edited arguments that do not fit: the call waits on. `signal` cancels what an
   * approval executes, as the call's own and the end of its session do.
   */
  async decide(
    callId: string,
    decision: Decision,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<ToolResult> {
    const { call } = this.#pending.get(callId);
    if (decision.approve && decision.args !== undefined)
      validateArguments(this.registry.get(call.tool).manifest, decision.args);
    return this.#pending.take(callId, (asked) => {
      if (!decision.approve) return this.#refuse(asked, decision);
      // The request that asked was answered long ago: the end of its session still ends the call.
      const { signal, release } = joinSignals([asked.signal, asked.session.signal, options.signal]);
      return this.#perform({ ...asked, signal, args: decision.args ?? asked.args }, true).finally(release);
    });
  }

  /**
   * Asks whether a person has to allow a call, and executes nothing: null when it may go on, or when
   * its execution will say what is wrong with it; else it is pending from now on. What the gate allows
   * here it is not asked about again when the same call is executed, once.
   */
  async ask(call: ToolCall): Promise<ToolResult | null> {
    if (this.#underWay.has(call.callId) || this.#permissions.has(call)) return null;
    const known = this.#asked(call);
    if (known !== undefined) return known.isDecided ? null : this.#meet(known, call);
    try {
      const services = await this.#options.services();
      const definition = this.registry.get(call.tool);
      const args = validateArguments(definition.manifest, call.args);
      const step: Step = {
        call,
        services,
        afterCompletion: { tasks: [] },
        isApproved: false,
        isQuestion: true,
      };
      // What passed a schema of JSON is JSON.
      const asked = await this.#ask(step, definition, args as JsonObject);
      if (asked?.pending === undefined) return null;
      this.#journal(services, call, asked);
      return asked;
    } catch {
      return null;
    }
  }

  /**
   * The end of a call that was answered as pending. `onDecided` is told when a person has said yes or
   * no, before the call goes on. @throws SpillwayError `call_not_pending`
   */
  settled(callId: string, onDecided?: () => void): Promise<ToolResult> {
    return this.#pending.settled(callId, onDecided);
  }

  /** The end of a call that the pipeline does not perform, where it threw: coded, logged and redacted. */
  async failed(call: ToolCall, thrown: unknown): Promise<ToolResult> {
    try {
      return this.#fail({ call, services: await this.#options.services() }, thrown, {});
    } catch (failed) {
      return this.#failure(call, toSpillwayError(failed));
    }
  }

  async #refuse(call: ToolCall, { by, reason }: Decision & { readonly approve: false }): Promise<ToolResult> {
    const why = reason === undefined ? '' : `: ${reason}`;
    const error = new SpillwayError('call_denied', `${call.tool} was refused by ${by}${why}.`);
    return this.#work.add(this.#unperformed(call, error));
  }

  /** The end of a pending call that is not executed. */
  async #unperformed(call: ToolCall, error: SpillwayError): Promise<ToolResult> {
    const services = await this.#options.services();
    const result = this.#failure(call, error, { services });
    this.#journal(services, call, result);
    return result;
  }

  #perform(call: ToolCall, isApproved: boolean): Promise<ToolResult> {
    if (this.#work.isEnding) return Promise.resolve(this.#failure(call, serverEnded()));
    return this.#work.add(this.#performing(call, isApproved));
  }

  async #performing(call: ToolCall, isApproved: boolean): Promise<ToolResult> {
    let services: ExecutorServices;
    try {
      services = await this.#options.services();
    } catch (thrown) {
      return this.#failure(call, toSpillwayError(thrown));
    }
    const { clock, logger } = services;
    const startedAt = clock.monotonic();
    const step: Step = { call, services, afterCompletion: { tasks: [] }, isApproved, isQuestion: false };
    let result: ToolResult;
    try {
      result = await this.#run(step);
    } catch (thrown) {
      result = this.#fail(step, thrown, {});
    }
    const durationMs = Math.round(clock.monotonic() - startedAt);
    try {
      this.#journal(services, call, result, durationMs);
    } catch (thrown) {
      // Arguments, or blocks of another server, that cannot even be looked at.
      result = this.#fail(step, thrown, {});
      this.#journal(services, { ...call, args: {} }, result, durationMs);
    }
    const cleanedUp = runAfterCompletion(step.afterCompletion, callLogger(logger, call));
    // Whoever cancelled has waited long enough.
    if (!call.signal.aborted) await cleanedUp;
    return result;
  }

  #journal(
    { journal, redactor }: ExecutorServices,
    call: ToolCall,
    result: ToolResult,
    durationMs = 0,
  ): void {
    const audience = this.registry.find(call.tool)?.row.audience ?? 'model';
    journal.record(journalEntry(call, result, { durationMs, redactor, audience }));
  }

  async #run(step: Step): Promise<ToolResult> {
    const { call, services } = step;
    call.signal.throwIfAborted();
    const definition = this.registry.get(call.tool);
    const args = validateArguments(definition.manifest, call.args);
    // What passed a schema of JSON is JSON.
    const asked = step.isApproved ? null : await this.#ask(step, definition, args as JsonObject);
    if (asked !== null) return asked;
    const { manifest } = definition;
    const loading: Promise<ProvidedRuntime> =
      definition.runtime?.() ?? services.runtime(manifest.identifier, manifest.api);
    const runtime = await orLeft(loading, call.signal);
    // The gate and the loading take their time: what was cancelled meanwhile starts nothing.
    call.signal.throwIfAborted();
    const context = contextOf(step, { definition, args, options: this.#options });
    const produced = await this.#start(runtime, args, context);
    if (isPassedThrough(produced)) return passedResult(produced);
    return this.#deliver(step, { definition, output: context.output, produced });
  }

  /** The work of a runtime, left behind when it does not heed its signal. */
  #start(
    runtime: ProvidedRuntime,
    args: Record<string, unknown>,
    context: CallContext,
  ): Promise<Produced | PassedThrough> {
    // The schema that parsed `args` is the one that the runtime declares: the registry pairs them.
    const work = runtime.run(args as never, context).then((produced) => {
      // Whoever fails first reports, and what comes too late is dropped: its end must be met all the same.
      if (!isPassedThrough(produced)) produced.done.catch(() => undefined);
      return produced;
    });
    return orLeft(work, context.signal);
  }

  /** Null when the call may go on. */
  async #ask(step: Step, definition: ToolDefinition, args: JsonObject): Promise<ToolResult | null> {
    const { call, services } = step;
    const { callId, session, signal } = call;
    // A gate that answers at once, or throws at once, does so here as if it had waited.
    const checking = async (): Promise<GateDecision> =>
      services.gate.check({ callId, definition, args, session, signal });
    const decision = await orLeft(checking(), signal);
    // Another call of this id may have come to wait meanwhile, or to be executed.
    const known = this.#asked(call);
    if (known !== undefined) return this.#meet(known, call);
    if (step.isQuestion && this.#underWay.has(callId)) return null;
    if (isAllowed(decision) && step.isQuestion) this.#permissions.keep(call);
    if (isAllowed(decision)) return null;
    if (!('ask' in decision))
      throw new SpillwayError('call_denied', `${call.tool} was not allowed by the gate.`);
    signal.throwIfAborted();
    session.signal.throwIfAborted();
    if (this.#work.isEnding) throw serverEnded();
    const { redactor } = services;
    const answer = pendingResult(
      {
        callId,
        tool: definition.manifest.name,
        args: redactor.value(args),
        interaction: redactor.value(decision.ask),
      },
      definition.presentation,
    );
    this.#pending.add(call, answer, (reason) => {
      const { code, message } = cancellation(reason);
      const error = new SpillwayError(code, `${message} Nobody had decided about it.`);
      return this.#work.add(this.#unperformed(call, error));
    });
    return answer;
  }

  async #deliver(
    step: Step,
    {
      definition,
      output,
      produced,
    }: {
      readonly definition: ToolDefinition;
      readonly output: CallContext['output'];
      readonly produced: Produced;
    },
  ): Promise<ToolResult> {
    const { call, services } = step;
    const { row, presentation } = definition;
    const { resultMeta } = presentation;
    const fenced = this.#options.contentBoundaries && produced.untrustedFrom !== undefined;
    const { redactor } = services;
    const { redacted, report } = toDeliver(redactor, produced, row.text);
    const deliver = services.policy.deliver(redacted, {
      ...output,
      mode: produced.deliverAs ?? output.mode,
      tool: call.tool,
      // An inline answer is an object where a schema says so; a descriptor is one anyhow.
      structured: presentation.outputSchema !== undefined || (row.structuredContent && 'stored'),
      envelopeBytes:
        (call.envelopeBytes ?? DEFAULT_ENVELOPE_BYTES) +
        (fenced ? FENCES_BYTES : 0) +
        (resultMeta === undefined ? 0 : Buffer.byteLength(JSON.stringify(resultMeta)) + 16),
      signal: call.signal,
      notes: (outcome) => notesOf(produced, { row, outcome, report: report(), redactor }),
    });
    try {
      const delivered = await orLeft(deliver, call.signal);
      if (delivered.descriptor !== undefined)
        call.session.outputs.add({ descriptor: delivered.descriptor, tool: call.tool });
      return {
        ...successResult(delivered, fenced),
        ...(resultMeta === undefined ? {} : { meta: resultMeta }),
        ...(produced.stop === true ? { stop: true } : {}),
      };
    } catch (thrown) {
      return this.#fail(step, thrown, await stateOf(produced));
    }
  }

  #fail({ call, services }: Pick<Step, 'call' | 'services'>, thrown: unknown, state: JsonObject): ToolResult {
    const error = call.signal.aborted ? cancellation(call.signal.reason) : toSpillwayError(thrown);
    if (error.code === 'internal_error') {
      const stack = services.redactor.text(stackOf(thrown) ?? error.message);
      callLogger(services.logger, call).error({ stack }, 'call failed');
    }
    return this.#failure(call, error, { services, state });
  }

  /** A failure as the mode sends those of the call's tool. */
  #failure(
    { tool }: ToolCall,
    error: SpillwayError,
    { services, state }: { readonly services?: ExecutorServices; readonly state?: JsonObject } = {},
  ): ToolResult {
    return presentFailure(failureResult(error, services?.redactor, state), this.registry.find(tool));
  }

  #meet(known: Parameters<typeof meet>[0], call: ToolCall): Promise<ToolResult> {
    return meet(known, call, (error) => this.#failure(call, error));
  }
}
