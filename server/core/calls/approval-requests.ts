import { z } from 'zod';
import { SpillwayError, toSpillwayError } from '../../../shared/errors.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { cancellation, definitionOf, type ToolCall } from './call.ts';
import type { CallEnds } from './call-ends.ts';
import { pendingResult } from './call-results.ts';
import { isAllowed, risksOf, type Decision, type GateDecision } from './gate.ts';
import { joinCall, type KnownCall } from './join-call.ts';
import { PendingCalls } from './pending.ts';
import { Permissions } from './permissions.ts';
import type { ResumeCall } from '../resume-call.ts';
import type { ToolRegistry } from '../registry/registry.ts';
import type { PendingInteraction, ToolResult } from '../result.ts';
import { anySignal } from '../../../shared/async/abort.ts';
import type { AskedCall, WaitingCall } from './asked-call.ts';
import { LeftCalls, type SaidQuestion } from './left-calls.ts';
import type { PendingWork } from './pending-work.ts';
import { validateArguments } from './validate.ts';
import { CANCEL_GRACE } from '../cancel-grace.ts';
import { abortable, waitAtMost } from '../../../shared/async/wait.ts';
import type { PersonDecision } from '../services.ts';
import type { CleanText } from '../../redact/clean.ts';

interface QuestionsOptions {
  readonly registry: ToolRegistry;
  readonly ends: CallEnds;
  readonly work: PendingWork;
  readonly services: () => Promise<AskedCall['services']>;
  readonly isActive: (callId: string) => boolean;
  /** Executes a call that was approved, or whose question has to be raised again. */
  readonly perform: (call: ToolCall, approval: Approval) => Promise<ToolResult>;
}

/** What a call is executed with that had to wait. */
interface Approval {
  readonly approvedBy?: string;
  readonly isEdited?: boolean;
  /** How it was decided, for the answer. */
  readonly note?: CleanText | undefined;
}

/** How a decision is taken. */
export interface DecideOptions {
  /** Cancels what an approval executes, as the call's own signal and the end of its session do. */
  readonly signal?: AbortSignal | undefined;
}

export const serverEnded = (): SpillwayError => new SpillwayError('cancelled', 'The server has stopped.');

const Name = z.string().trim().min(1);

/** Decides whether a call may be executed: the gate, and the people whom it asks. */
export class ApprovalRequests {
  readonly #options: QuestionsOptions;
  readonly #pending = new PendingCalls();
  readonly #permissions = new Permissions();
  /** Answers that say that a browser asks a person: the decision comes by itself. */
  readonly #raised = new WeakSet<ToolResult>();
  readonly #left: LeftCalls;

  constructor(options: QuestionsOptions) {
    this.#options = options;
    this.#left = new LeftCalls(options);
  }

  /** What people are asked now, the oldest first. */
  pending(): readonly PendingInteraction[] {
    return this.#pending.questions();
  }

  /** Calls back with all of it when it changes. Returns an unsubscribe function. */
  onPending(listener: (pending: readonly PendingInteraction[]) => void): () => void {
    return this.#pending.onChange(listener);
  }

  /** What is pending, or decided and active, under the id of a call. Once it has ended its session may use the id again. */
  find(call: ToolCall): (KnownCall & { readonly isDecided: boolean }) | undefined {
    const asked = this.#pending.find(call.callId);
    return asked?.hasEnded === true && asked.call.session === call.session ? undefined : asked;
  }

  /** Whether the gate has allowed a call when it was asked about. It is allowed once. */
  wasAllowed(call: ToolCall): boolean {
    return this.#permissions.use(call);
  }

  /** See `Executor.ask`. */
  async ask(call: ToolCall): Promise<ToolResult | null> {
    const { registry, ends, services: load, isActive } = this.#options;
    if (isActive(call.callId)) return null;
    const known = this.find(call);
    if (known !== undefined) return known.isDecided ? null : this.#join(known, call);
    if (this.#permissions.has(call)) return null;
    try {
      const services = await load();
      const definition = definitionOf(registry, call);
      // What passed a schema of JSON is JSON.
      const args = validateArguments(definition.manifest, call.args) as JsonObject;
      const risks = risksOf(definition, args);
      const asked = await this.check({ call, services, definition, args, risks, gate: 'only-ask' });
      if (asked?.pending === undefined) return null;
      ends.journal({ call, services }, asked, { risks });
      return asked;
    } catch {
      return null;
    }
  }

  /**
   * Null when the call may run. @throws SpillwayError `call_denied`, `cancelled`, `too_many_pending`,
   * or what the gate throws
   */
  async check(asked: AskedCall): Promise<ToolResult | null> {
    const { call, services, definition, args, risks, gate } = asked;
    if (gate === 'passed') return null;
    const { callId, session, signal } = call;
    // A gate that answers at once, or throws at once, does so here as if it had waited.
    const checking = async (): Promise<GateDecision> =>
      services.gate.check({ callId, definition, args, risks, session, server: services.server, signal });
    const decision = await abortable(checking(), signal, CANCEL_GRACE);
    // Another call of this id may have come to wait meanwhile, or to be executed.
    const known = this.find(call);
    if (known !== undefined) return this.#join(known, call);
    if (gate === 'only-ask' && this.#options.isActive(callId)) return null;
    if (!isAllowed(decision)) return this.#wait(asked, decision);
    if (gate === 'only-ask') this.#permissions.keep(call);
    return null;
  }

  /**
   * Lets a call wait whose browser asks a person, and takes what they decide.
   * @throws SpillwayError as {@link check}
   */
  raise(asked: WaitingCall, { message, ...question }: SaidQuestion): ToolResult {
    const { call, services } = asked;
    const answer = this.#wait(asked, { ask: { question_id: question.id, message } });
    const needed = new AbortController();
    this.#raised.add(answer);
    const { callId } = call;
    const forgetQuestion = this.#left.note(callId, question);
    const end = (): void => {
      needed.abort(new SpillwayError('cancelled', 'The question is no longer needed.'));
      forgetQuestion();
    };
    const forget = (): void => services.kept.forget(callId);
    void this.#pending.settled(callId, end).finally(end).then(forget, forget);
    void this.#obey(call, services.people.decision(question, needed.signal));
    return answer;
  }

  /** Does what a person decides about a call, unless somebody else has decided. */
  async #obey(call: ToolCall, deciding: Promise<PersonDecision | null>): Promise<void> {
    const { callId } = call;
    try {
      const decision = await deciding;
      if (decision === null) await this.#pending.take(callId, (asked) => this.#perform(asked, {}));
      else await this.decide(callId, decision, {});
    } catch (thrown) {
      const error = toSpillwayError(thrown);
      if (error.code !== 'call_not_pending')
        await this.#pending.take(callId, (asked) => this.#unperformed(asked, error)).catch(() => undefined);
    }
  }

  /** The request that asked was answered long ago: the end of its session still ends the call. */
  async #perform(asked: ToolCall, approval: Approval, given?: AbortSignal): Promise<ToolResult> {
    const { signal, release } = anySignal([asked.signal, asked.session.signal, given]);
    let end: ToolResult | null = null;
    try {
      // From now on no other server can do it.
      await this.#left.take(asked.callId);
      return (end = await this.#options.perform({ ...asked, signal }, approval));
    } finally {
      // One that is asked about again can still be cancelled.
      if (end?.pending === undefined) release();
      else void this.#pending.settled(asked.callId).then(release, release);
    }
  }

  /** Whether a pending answer says that a browser asks a person. */
  isRaised(answer: ToolResult): boolean {
    return this.#raised.has(answer);
  }

  /** See `Executor.answered`. */
  async answered(
    call: ToolCall,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<ToolResult> {
    const { callId } = call;
    const end = abortable(this.#pending.settled(callId), signal, CANCEL_GRACE);
    try {
      const result = await waitAtMost(end, timeoutMs);
      if (result !== undefined) return result;
      // A call that has been decided is running: wait for its result.
      if (!this.#pending.leave(callId)) return await end;
      await this.#left.keep(call);
    } catch (thrown) {
      this.#pending.leave(callId);
      return this.#options.ends.failure(call, toSpillwayError(thrown));
    }
    return this.#options.ends.failure(
      call,
      new SpillwayError(
        'approval_required',
        `${call.tool} waits for a person, and nothing of it was done. Id: ${callId}`,
      ),
    );
  }

  /** See `Executor.resume`. */
  async resume(callId: string, how: Parameters<ResumeCall>[1]): Promise<ToolResult> {
    const isKnown = this.#pending.find(callId) !== undefined;
    const adopted = isKnown
      ? null
      : await this.#left.adopt(callId, how, (asked, question) => this.raise(asked, question));
    return this.answered(adopted ?? this.#pending.resume(callId, how.session), how);
  }

  /** Lets a call wait for a person. */
  #wait({ call, services, definition, args }: WaitingCall, decision: GateDecision): ToolResult {
    if (!('ask' in decision)) throw new SpillwayError('call_denied', `${call.tool} was denied by the gate.`);
    call.signal.throwIfAborted();
    call.session.signal.throwIfAborted();
    if (this.#options.work.isEnding) throw serverEnded();
    const answer = pendingResult(
      {
        callId: call.callId,
        tool: definition.manifest.name,
        args,
        interaction: decision.ask,
      },
      definition.presentation,
      services.redactor,
    );
    this.#pending.add(call, answer, (reason) => {
      const { code, message } = cancellation(reason);
      return this.#unperformed(call, new SpillwayError(code, `${message} No decision had been made.`));
    });
    return answer;
  }

  /** See `Executor.decide`. */
  async decide(callId: string, decision: Decision, { signal: given }: DecideOptions): Promise<ToolResult> {
    const { registry } = this.#options;
    const { call } = this.#pending.get(callId);
    if (!Name.safeParse(decision.by).success)
      throw new SpillwayError('invalid_argument', 'by: takes a string that names who decides.');
    if (decision.approve && decision.args !== undefined)
      validateArguments(definitionOf(registry, call).manifest, decision.args);
    return this.#pending.take(callId, (asked) => {
      if (!decision.approve) return this.#refuse(asked, decision);
      const { args, by, note } = decision;
      const approved = args === undefined ? asked : { ...asked, args };
      return this.#perform(approved, { approvedBy: by, isEdited: args !== undefined, note }, given);
    });
  }

  /** See `Executor.settled`. */
  settled(callId: string, onDecided?: () => void): Promise<ToolResult> {
    return this.#pending.settled(callId, onDecided);
  }

  /** Ends everything that waits: the server stops. */
  end(): void {
    this.#pending.end(serverEnded());
  }

  #refuse(call: ToolCall, { by, reason }: Decision & { readonly approve: false }): Promise<ToolResult> {
    const why = reason === undefined ? '' : `: ${reason}`;
    return this.#unperformed(
      call,
      new SpillwayError('call_denied', `${call.tool} was denied by ${by}${why}.`),
    );
  }

  /** The end of a pending call that is not executed. */
  #unperformed(call: ToolCall, error: SpillwayError): Promise<ToolResult> {
    const { ends, work, services: load } = this.#options;
    const ending = async (): Promise<ToolResult> => {
      const services = await load();
      const result = ends.failure(call, error);
      ends.journal({ call, services }, result);
      return result;
    };
    return work.add(ending());
  }

  #join(known: KnownCall, call: ToolCall): Promise<ToolResult> {
    return joinCall(known, call, (error) => this.#options.ends.failure(call, error));
  }
}
