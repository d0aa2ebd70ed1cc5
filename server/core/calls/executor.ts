import { lazy } from '../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError } from '../../../shared/base/errors.ts';
import type { JsonObject } from '../../../shared/base/json.ts';
import type { ClientSession } from '../context.ts';
import type { LiveMeter } from '../../activity/meter.ts';
import type { ToolRegistry } from '../registry/registry.ts';
import type { ToolResult } from '../result.ts';
import type { Logger } from '../services.ts';
import { callLogger, cancellation, CompletionHooks, createRecord, type ToolCall } from './call.ts';
import { deliver, failure, type Approval } from './deliver.ts';
import { joinCall, type KnownCall, PendingWork } from './pending.ts';
import {
  authorise,
  perform,
  prepare,
  CallRefusal,
  type ExecutorOptions,
  type LoadedServices,
  type PreparedCall,
} from './prepare.ts';
import { Questions, serverEnded } from './questions.ts';
import { pause } from '../slices.ts';
import { SMALL_UNITS, Turns, unitsOf } from './turns.ts';
import { failureResult, fitHint, stackOf, UNRECORDED_NOTE, withNote } from './results.ts';

/**
 * Sends each call (plain, a task, or the start of a run) once along its path. It never throws; every end is a
 * {@link ToolResult}.
 */
export class Executor {
  /** Calls that wait for a person. */
  readonly questions: Questions;
  readonly registry: ToolRegistry;
  /** Adapters count what they send besides answers. */
  readonly meter: Pick<LiveMeter, 'check' | 'countSent'>;
  readonly #load: () => Promise<LoadedServices>;
  readonly #activeCalls = new Map<string, KnownCall>();
  readonly #turns = new Turns();
  /** Whatever is journalled at its end. */
  readonly #work = new PendingWork();

  constructor(private readonly options: ExecutorOptions) {
    this.registry = options.registry;
    this.meter = options.meter;
    this.#load = lazy(async () => {
      const services = await options.services();
      return { ...options, ...services, record: createRecord(options, services) };
    });
    this.questions = new Questions({
      options,
      load: this.#load,
      work: this.#work,
      isActive: (callId) => this.#activeCalls.has(callId),
      perform: (call, approval) => this.#perform(call, { isAllowed: true, ...approval }),
    });
  }

  /**
   * A call with an active or pending id joins that call instead of starting again. An id belongs to the
   * session and the call that used it first; the session may reuse it once that call has ended (models number
   * their calls, some from zero in each answer). Repeating a call that was left with `approval_required`
   * continues it: the person is asked once, and it runs once.
   */
  execute(call: ToolCall): Promise<ToolResult> {
    const { callId } = call;
    let units: number;
    try {
      units = unitsOf(call.args);
    } catch (thrown) {
      return Promise.resolve(failure(call, toSpillwayError(thrown), this.options));
    }
    const known = this.questions.find(call) ?? this.#activeCalls.get(callId) ?? this.questions.comeBack(call);
    if (known !== undefined) return joinCall(known, call, (error) => failure(call, error, this.options));
    const isAllowed = this.questions.wasAllowed(call);
    const end = this.#held(call, units, () => this.#perform(call, { isAllowed })).finally(() =>
      this.#activeCalls.delete(callId),
    );
    this.#activeCalls.set(callId, { call, end });
    return end;
  }

  /** Makes a call, whose arguments count as held until its end, or that of the question that it has become. */
  async #held(call: ToolCall, units: number, perform: () => Promise<ToolResult>): Promise<ToolResult> {
    let release: () => void;
    try {
      release = this.#turns.hold(call, units);
    } catch (thrown) {
      return failure(call, toSpillwayError(thrown), this.options);
    }
    if (units > SMALL_UNITS) await pause();
    const result = await perform();
    if (result.pending === undefined) release();
    else void this.questions.settled(call.callId).then(release, release);
    return result;
  }

  /**
   * Refuses further calls and ends those that wait for a person. Resolves once active work has ended and is
   * journalled, or has taken too long. The caller cancels that work first.
   */
  end(): Promise<void> {
    this.questions.end();
    return this.#work.end();
  }

  /**
   * The end of a call that a browser asks a person about, for a caller that waits as long as for a run. After
   * that the answer is `approval_required` with the call's id, and resuming the call executes a later
   * decision.
   * @param begun the call's first answer; returned unchanged if no browser asks
   */
  async awaitAnswer(call: ToolCall, begun: ToolResult): Promise<ToolResult> {
    if (begun.pending === undefined || !this.questions.isRaised(begun)) return begun;
    const { syncWaitMs: timeoutMs = this.options.syncWaitMs, signal } = call;
    return this.questions.answered({ ...call, callId: begun.pending.callId }, { timeoutMs, signal });
  }

  /** A text goes to an agent outside a call. @param from as {@link ToolResult.from}, a handle or a run */
  async given(session: ClientSession, texts: readonly string[], from: string): Promise<void> {
    (await this.#load()).flows.given(session, texts, from);
  }

  /**
   * Lets the arguments of a request that is not a call go to another server.
   * @throws SpillwayError `approval_required` for text of a private site: a person is asked only about calls
   */
  async expectOwn(session: ClientSession, tool: string, args: JsonObject): Promise<void> {
    const { flows } = await this.#load();
    await flows.ready(session);
    const source = flows.sourcesOf({ callId: '', tool, args, session }, null).find((one) => one.is_private);
    if (source === undefined) return;
    throw new SpillwayError('approval_required', `${tool} would send text read from ${source.site}.`, {
      hint: 'Send it with a tool of that server: a person is asked about its call.',
    });
  }

  /** A hint for a session outside a call. */
  fitHint(hint: string, session: ClientSession): string {
    return fitHint(hint, { session }, this.options);
  }

  /** The result of a call that never reaches the pipeline. */
  refusal(error: SpillwayError): ToolResult {
    const { redactor, contentBoundaries: hasFences } = this.options;
    return failureResult(error, redactor, { hasFences });
  }

  #perform(call: ToolCall, entry: Entry): Promise<ToolResult> {
    if (this.#work.isEnding) return Promise.resolve(failure(call, serverEnded(), this.options));
    return this.#work.add(this.#takePath(call, entry));
  }

  /**
   * The path of every call: prepare → authorise → perform → deliver → record. Each step returns the next one's
   * input, or a {@link CallRefusal}. It never throws: each end is a {@link ToolResult}, including a question to a
   * person.
   */
  async #takePath(call: ToolCall, entry: Entry): Promise<ToolResult> {
    const { options, questions } = this;
    const services = await this.#load().catch((thrown: unknown) => new CallRefusal(thrown));
    if (services instanceof CallRefusal) return refuse(call, services, options);
    const { record, logger, clock } = services;
    const hooks = new CompletionHooks(callLogger(logger, call));
    const begunAt = clock.monotonic();
    record.begun(call);
    services.flows.begun(call);
    const prepared = prepare(call, services);
    const answer =
      prepared instanceof CallRefusal ? prepared : await this.#answer(prepared, entry, services, hooks);
    const durationMs = Math.round(clock.monotonic() - begunAt);
    const ended = answer instanceof CallRefusal ? refuse(call, answer, options, logger) : answer;
    const result = await withLedger(call, ended, services);
    services.flows.arrived(call, result);
    record.ended({
      call,
      result,
      isPerformed: true,
      isRaised: questions.isRaised(result),
      ...(prepared instanceof CallRefusal ? {} : { risks: prepared.risks, coerced: prepared.coerced }),
      durationMs,
      approvedBy: entry.approvedBy,
    });
    const cleanedUp = hooks.run({ isSuccess: result.ok });
    // After a cancel, nobody waits for the answer.
    if (!call.signal.aborted) await cleanedUp;
    return result;
  }

  /** From a prepared call to its answer, which may be a question to a person. */
  async #answer(
    prepared: PreparedCall,
    entry: Entry,
    services: LoadedServices,
    hooks: CompletionHooks,
  ): Promise<ToolResult | CallRefusal> {
    const { questions } = this;
    const { meter, server, gate } = services;
    const permission = await authorise(prepared, { meter, server, gate: entry.isAllowed ? null : gate });
    if (permission instanceof CallRefusal) return permission;
    if (permission !== null) return questions.wait(prepared, permission);
    const answer = await this.#turns
      .take(prepared.call, async (aside) => {
        await services.flows.ready(prepared.call.session);
        const work = await perform(prepared, services, { hooks, aside });
        return work instanceof CallRefusal || 'questionId' in work
          ? work
          : deliver(prepared, work, services, entry);
      })
      // It was cancelled before its turn came.
      .catch((thrown: unknown) => new CallRefusal(thrown));
    return 'questionId' in answer ? questions.wait(prepared, answer) : answer;
  }
}

interface Entry extends Approval {
  /** It was already allowed: the gate is not asked again. */
  readonly isAllowed: boolean;
}

function refuse(
  call: ToolCall,
  { thrown, state }: CallRefusal,
  options: ExecutorOptions,
  logger?: Logger,
): ToolResult {
  const error = call.signal.aborted ? cancellation(call.signal.reason) : toSpillwayError(thrown);
  if (error.code === 'internal_error' && logger !== undefined) {
    const stack = stackOf(thrown) ?? error.message;
    callLogger(logger, call).error({ stack }, 'call failed');
  }
  return failure(call, error, options, state);
}

/** Writes to the ledger how the acts of a call have ended. */
async function withLedger(call: ToolCall, result: ToolResult, { acts }: LoadedServices): Promise<ToolResult> {
  const recorded = acts.end(call.callId, result);
  // After a cancel, nobody waits for the answer.
  if (recorded === null || call.signal.aborted || (await recorded)) return result;
  return withNote(result, UNRECORDED_NOTE);
}
