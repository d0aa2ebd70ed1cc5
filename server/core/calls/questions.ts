import { z } from 'zod';
import { anySignal, abortable, waitAtMost } from '../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError, invalidArgument } from '../../../shared/base/errors.ts';
import { defined } from '../../../shared/base/json.ts';
import { CANCEL_GRACE, cancellation, definitionOf, type ToolCall } from './call.ts';
import { parseArguments } from './arguments.ts';
import type { PendingInteraction, ToolResult } from '../result.ts';
import type { ResumeCall, PersonDecision, RaisedQuestion } from '../people.ts';
import {
  authorise,
  type Ask,
  type BrowserAsks,
  type ExecutorOptions,
  type LoadedServices,
  prepare,
  type PreparedCall,
  CallRefusal,
} from './prepare.ts';
import { failure, type Approval } from './deliver.ts';
import { isOpen, joinCall, type KnownCall, PendingCalls, Permissions, type PendingWork } from './pending.ts';
import { buildPendingResult } from './results.ts';

interface QuestionsParts {
  readonly options: ExecutorOptions;
  readonly load: () => Promise<LoadedServices>;
  readonly work: PendingWork;
  readonly isActive: (callId: string) => boolean;
  /** Executes a call that was approved, or whose question has to be raised again. */
  readonly perform: (call: ToolCall, approval: Approval) => Promise<ToolResult>;
}

export const serverEnded = (): SpillwayError => new SpillwayError('cancelled', 'The server has stopped.');

const Name = z.string().trim().min(1);

/** Calls that wait for a person, and their ends. */
export class Questions {
  readonly #pending = new PendingCalls();
  readonly #permissions = new Permissions();
  /** Answers that say that a browser asks a person: the decision arrives by itself. */
  readonly #raised = new WeakSet<ToolResult>();
  readonly #inBrowsers = new Map<string, RaisedQuestion>();

  constructor(private readonly parts: QuestionsParts) {}

  listPending(): readonly PendingInteraction[] {
    return this.#pending.questions();
  }

  /** Once it has ended, its session may reuse the id. */
  find(call: ToolCall): ReturnType<PendingCalls['find']> {
    const asked = this.#pending.find(call.callId);
    return asked?.state === 'ended' && asked.call.session === call.session ? undefined : asked;
  }

  /** A repeat of a call that was left, under whatever id: its caller is back. */
  comeBack(call: ToolCall): KnownCall | undefined {
    const id = this.#pending.leftId(call);
    if (id === undefined) return undefined;
    this.#pending.resume(id, call.session);
    return this.#pending.find(id);
  }

  /** Whether the gate has already allowed a call. It may run once. */
  wasAllowed(call: ToolCall): boolean {
    return this.#permissions.use(call);
  }

  /**
   * Checks whether a person has to allow a call, without executing it. Null if it may run, or if its
   * execution will report what is wrong with it; otherwise it is pending from now on. If the gate allows it
   * here, executing the same call does not ask again, once.
   */
  async ask(call: ToolCall): Promise<ToolResult | null> {
    const { load, isActive } = this.parts;
    if (isActive(call.callId)) return null;
    const known = this.find(call);
    if (known !== undefined) return isOpen(known) ? this.#join(known, call) : null;
    if (this.#permissions.has(call)) return null;
    const services = await load().catch(() => null);
    if (services === null) return null;
    const prepared = prepare(call, services);
    if (prepared instanceof CallRefusal) return null;
    const permission = await authorise(prepared, services);
    // Another call of this id may have begun to wait or run meanwhile.
    const met = this.find(call);
    if (met !== undefined) return this.#join(met, call);
    if (permission instanceof CallRefusal || isActive(call.callId)) return null;
    if (permission === null) {
      this.#permissions.keep(call);
      return null;
    }
    const answer = this.wait(prepared, permission);
    if (answer instanceof CallRefusal) return null;
    services.record.ended({ call, result: answer, risks: prepared.risks });
    return answer;
  }

  /** Lets a call wait for a person, whom the gate or a browser asks. */
  wait(prepared: PreparedCall, asked: Ask | BrowserAsks): ToolResult | CallRefusal {
    if ('questionId' in asked) return this.#raise(prepared, asked);
    try {
      return this.#wait(prepared, asked);
    } catch (thrown) {
      return new CallRefusal(thrown);
    }
  }

  /** Whether a pending answer says that a browser asks a person. */
  isRaised(answer: ToolResult): boolean {
    return this.#raised.has(answer);
  }

  /** Takes decisions made in a browser about a waiting call. */
  #raise(
    prepared: PreparedCall,
    asked: BrowserAsks & { readonly isAdopted?: boolean },
  ): ToolResult | CallRefusal {
    const { questionId: id, message, refuse: refuseWith, ...adopted } = asked;
    const { call, scope } = prepared;
    const { callId, askPerson } = call;
    const question: RaisedQuestion = { id, scope, askPerson, ...adopted };
    let answer: ToolResult;
    try {
      answer = this.#wait(prepared, { ask: { question_id: id, message } });
    } catch (thrown) {
      void this.parts.load().then(({ people }) => people.withdraw(id));
      return refuseWith(thrown);
    }
    this.#raised.add(answer);
    this.#inBrowsers.set(callId, question);
    const needed = new AbortController();
    const end = (): void => {
      needed.abort(new SpillwayError('cancelled', 'The question is no longer needed.'));
      if (this.#inBrowsers.get(callId) === question) this.#inBrowsers.delete(callId);
    };
    const forget = async (): Promise<void> => (await this.parts.load()).kept.forget(callId);
    void this.#pending.settled(callId, end).finally(end).then(forget, forget);
    void this.#applyDecision(call, question, needed.signal);
    return answer;
  }

  /** @throws SpillwayError `cancelled`, `too_many_pending` */
  #wait({ call, definition, args }: PreparedCall, { ask }: Ask): ToolResult {
    const { callId } = call;
    const { options, work } = this.parts;
    call.signal.throwIfAborted();
    call.session.signal.throwIfAborted();
    if (work.isEnding) throw serverEnded();
    const tool = definition.manifest.name;
    const answer = buildPendingResult(
      { callId, tool, args, interaction: ask },
      definition.presentation,
      options.redactor,
    );
    this.#pending.add(call, answer, (reason) => {
      const { code, message } = cancellation(reason);
      return this.#refuseUnperformed(call, new SpillwayError(code, `${message} No decision had been made.`));
    });
    return answer;
  }

  /** Applies a person's decision about a call, unless it is decided already. */
  async #applyDecision(call: ToolCall, question: RaisedQuestion, signal: AbortSignal): Promise<void> {
    const { callId } = call;
    try {
      const { people } = await this.parts.load();
      const decision = await people.decision(question, signal);
      if (decision === null) await this.#pending.take(callId, (asked) => this.#perform(asked, {}));
      else await this.decide(callId, decision);
    } catch (thrown) {
      const error = toSpillwayError(thrown);
      if (error.code !== 'call_not_pending')
        await this.#pending
          .take(callId, (asked) => this.#refuseUnperformed(asked, error))
          .catch(() => undefined);
    }
  }

  /** The original request was answered long ago, but the end of its session still ends the call. */
  async #perform(asked: ToolCall, approval: Approval, given?: AbortSignal): Promise<ToolResult> {
    const { signal, release } = anySignal([asked.signal, asked.session.signal, given]);
    let end: ToolResult | null = null;
    try {
      const { kept } = await this.parts.load();
      // From now on, no other server can run it.
      await kept.take(asked.callId);
      return (end = await this.parts.perform({ ...asked, signal }, approval));
    } finally {
      // A call that asks again can still be cancelled.
      if (end?.pending === undefined) release();
      else void this.#pending.settled(asked.callId).then(release, release);
    }
  }

  /** See `Executor.answered`. */
  async answered(
    call: ToolCall,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<ToolResult> {
    const { callId, session } = call;
    const end = abortable(this.#pending.settled(callId), signal, CANCEL_GRACE);
    try {
      const result = await waitAtMost(end, timeoutMs);
      if (result !== undefined) return result;
      // The call has been decided and is running: wait for its result.
      if (!this.#pending.leave(callId)) return await end;
      const question = this.#inBrowsers.get(callId);
      // The next server may resume it, if it can.
      if (question !== undefined) await (await this.parts.load()).kept.keep(question, session);
    } catch (thrown) {
      this.#pending.leave(callId);
      return this.#fail(call, toSpillwayError(thrown));
    }
    return this.#fail(
      call,
      new SpillwayError(
        'approval_required',
        `${call.tool} waits for a person, and nothing of it was done. Id: ${callId}`,
      ),
    );
  }

  /**
   * Continues a call that was left with `approval_required`, even by an earlier server of the home, and waits
   * for it like {@link answered}.
   * @throws SpillwayError `call_not_pending` for a call that the session did not leave, or has resumed;
   *   `approval_expired` for another server's call that cannot be continued
   */
  async resume(callId: string, how: Parameters<ResumeCall>[1]): Promise<ToolResult> {
    const isKnown = this.#pending.find(callId) !== undefined;
    const adopted = isKnown ? null : await this.#adopt(callId, how);
    return this.answered(adopted ?? this.#pending.resume(callId, how.session), how);
  }

  /**
   * Takes over a call that was left on an earlier server, and lets it wait; null for an unknown one.
   * @throws SpillwayError like `KeptCalls.adopt`, or if the call cannot wait here
   */
  async #adopt(callId: string, { session, signal }: Parameters<ResumeCall>[1]): Promise<ToolCall | null> {
    const services = await this.parts.load();
    const adopted = await services.kept.adopt(callId, session, signal);
    if (adopted === null) return null;
    const { tool, args, question: questionId, sources } = adopted;
    const call = { callId, tool, args, session, signal: session.signal, ...defined({ sources }) };
    const prepared = prepare(call, services);
    const message = `A person is asked about ${tool}.`;
    const refuseWith = (thrown: unknown): CallRefusal => new CallRefusal(thrown);
    const answer =
      prepared instanceof CallRefusal
        ? prepared
        : this.#raise(prepared, { questionId, message, refuse: refuseWith, isAdopted: true });
    if (!(answer instanceof CallRefusal)) return call;
    services.kept.forget(callId);
    if (answer === prepared) services.people.withdraw(questionId);
    throw answer.thrown;
  }

  /**
   * Decides a pending call, and executes it if approved. Returns its end. `given` cancels the execution, as
   * the call's own signal and the end of its session do.
   * @throws SpillwayError `call_not_pending` for one that was already decided or never asked about;
   *   `invalid_argument` for edited arguments that do not match the schema, or a decision without `by`: the
   *   call stays pending
   */
  async decide(callId: string, decision: PersonDecision, given?: AbortSignal): Promise<ToolResult> {
    const { registry } = this.parts.options;
    const { call } = this.#pending.get(callId);
    if (!Name.safeParse(decision.by).success)
      throw invalidArgument('by: takes a string that names who decides.');
    if (decision.approve && decision.args !== undefined)
      parseArguments(definitionOf(registry, call).manifest, decision.args);
    return this.#pending.take(callId, (asked) => {
      if (!decision.approve) return this.#refuseUnperformed(asked, buildDenial(asked, decision));
      const { args, by } = decision;
      const approved = args === undefined ? asked : { ...asked, args };
      return this.#perform(approved, { approvedBy: by, isEdited: args !== undefined }, given);
    });
  }

  /**
   * The end of a call that was answered as pending. `onDecided` is called when a person has said yes or no,
   * before the call continues. @throws SpillwayError `call_not_pending`
   */
  settled(callId: string, onDecided?: () => void): Promise<ToolResult> {
    return this.#pending.settled(callId, onDecided);
  }

  /** Ends all waiting calls: the server stops. */
  end(): void {
    this.#pending.end(serverEnded());
  }

  /** The end of a pending call that is not executed. */
  #refuseUnperformed(call: ToolCall, error: SpillwayError): Promise<ToolResult> {
    const ending = async (): Promise<ToolResult> => {
      const { record } = await this.parts.load();
      const result = this.#fail(call, error);
      record.ended({ call, result });
      return result;
    };
    return this.parts.work.add(ending());
  }

  #fail(call: ToolCall, error: SpillwayError): ToolResult {
    return failure(call, error, this.parts.options);
  }

  #join(known: KnownCall, call: ToolCall): Promise<ToolResult> {
    return joinCall(known, call, (error) => this.#fail(call, error));
  }
}

function buildDenial(
  { tool }: ToolCall,
  { by, reason }: PersonDecision & { readonly approve: false },
): SpillwayError {
  const why = reason === undefined ? '' : `: ${reason}`;
  return new SpillwayError('call_denied', `${tool} was denied by ${by}${why}.`);
}
