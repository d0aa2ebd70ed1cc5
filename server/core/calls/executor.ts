import type { SpillwayError } from '../../../shared/errors.ts';
import { lazy } from '../../../shared/async.ts';
import type { ClientSession } from '../context.ts';
import type { Meter } from '../feed.ts';
import type { ToolRegistry } from '../registry/registry.ts';
import type { ToolResult } from '../result.ts';
import { type ToolCall, CallRecord } from './call.ts';
import { joinCall, type KnownCall, PendingWork } from './pending.ts';
import {
  failure,
  takePath,
  type Entry,
  type ExecutorOptions,
  type LoadedServices,
  type PathParts,
} from './path.ts';
import { Questions, serverEnded } from './questions.ts';
import { failureResult, fitHint } from './results.ts';

/**
 * Sends each call (plain, a task, or the start of a run) once along its path. It never throws; every end is a
 * {@link ToolResult}.
 */
export class Executor {
  /** Calls that wait for a person. */
  readonly questions: Questions;
  readonly #path: PathParts;
  readonly #activeCalls = new Map<string, KnownCall>();
  /** Whatever is journalled at its end. */
  readonly #work = new PendingWork();

  constructor(private readonly options: ExecutorOptions) {
    const load = lazy(async (): Promise<LoadedServices> => {
      const services = await options.services();
      return { ...services, record: new CallRecord(options, services) };
    });
    const questions = new Questions({
      options,
      load,
      work: this.#work,
      isActive: (callId) => this.#activeCalls.has(callId),
      perform: (call, approval) => this.#perform(call, { isAllowed: true, ...approval }),
    });
    this.questions = questions;
    this.#path = {
      options,
      load,
      wait: (prepared, asked) => questions.wait(prepared, asked),
      isRaised: (answer) => questions.isRaised(answer),
    };
  }

  get registry(): ToolRegistry {
    return this.options.registry;
  }

  /** Adapters count what they send besides answers. */
  get meter(): Pick<Meter, 'check' | 'sent'> {
    return this.options.meter;
  }

  /**
   * A call with an active or pending id joins that call instead of starting again. An id belongs to the
   * session and the call that used it first; the session may reuse it once that call has ended (models number
   * their calls, some from zero in each answer). Repeating a call that was left with `approval_required`
   * continues it: the person is asked once, and it runs once.
   */
  execute(call: ToolCall): Promise<ToolResult> {
    const { callId } = call;
    const known = this.questions.find(call) ?? this.#activeCalls.get(callId) ?? this.questions.comeBack(call);
    if (known !== undefined) return joinCall(known, call, (error) => failure(call, error, this.options));
    const isAllowed = this.questions.wasAllowed(call);
    const end = this.#perform(call, { isAllowed }).finally(() => this.#activeCalls.delete(callId));
    this.#activeCalls.set(callId, { call, end });
    return end;
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
  async answered(call: ToolCall, begun: ToolResult): Promise<ToolResult> {
    if (begun.pending === undefined || !this.questions.isRaised(begun)) return begun;
    const { syncWaitMs: timeoutMs = this.options.syncWaitMs, signal } = call;
    return this.questions.answered({ ...call, callId: begun.pending.callId }, { timeoutMs, signal });
  }

  /** A hint for a session outside a call. */
  fitHint(hint: string, session: ClientSession): string {
    return fitHint(hint, { session }, this.options);
  }

  /** The result of a call that never reaches the pipeline. */
  refusal(error: SpillwayError): ToolResult {
    return failureResult(error, this.options.redactor);
  }

  #perform(call: ToolCall, entry: Entry): Promise<ToolResult> {
    if (this.#work.isEnding) return Promise.resolve(failure(call, serverEnded(), this.options));
    return this.#work.add(takePath(call, entry, this.#path));
  }
}
