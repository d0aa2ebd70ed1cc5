import { z } from 'zod';
import { abortable, anySignal, deferred, onAbort, waitAtMost } from '../../../shared/async.ts';
import { BoundedMap } from '../../../shared/bounded-map.ts';
import { SpillwayError, toSpillwayError, invalidArgument } from '../../../shared/errors.ts';
import type { ClientSession } from '../context.ts';
import type { PendingInteraction, ToolResult } from '../result.ts';
import type { ResumeCall, PersonDecision, RaisedQuestion } from '../people.ts';
import {
  CANCEL_GRACE,
  cancellation,
  definitionOf,
  isSameCall,
  type PendingWork,
  type ToolCall,
  validateArguments,
} from './call.ts';
import {
  authorise,
  type Ask,
  type BrowserAsks,
  type ExecutorOptions,
  type LoadedServices,
  prepare,
  type PreparedCall,
  Refusal,
} from './prepare.ts';
import { failure, type Approval } from './deliver.ts';
import { pendingResult } from './results.ts';

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

/** The first call under its id. */
export interface KnownCall {
  readonly call: ToolCall;
  readonly end: Promise<ToolResult>;
}

/** A call that a person is asked about, and its end, even after the decision. */
interface Asked extends KnownCall {
  readonly question: PendingInteraction;
  /** The question until it is decided, then the end. */
  end: Promise<ToolResult>;
  /** `left`: its caller may come back, and a decision is kept until then. */
  state: 'waiting' | 'left' | 'running' | 'ended';
  kept: Perform | null;
  readonly settled: ReturnType<typeof deferred<ToolResult>>;
  readonly decided: ReturnType<typeof deferred<void>>;
  /** The end of the call or of its session, while nobody has decided. */
  readonly gone: ReturnType<typeof anySignal>;
}

const isOpen = ({ state }: Asked): boolean => state === 'waiting' || state === 'left';

/** Executes a call, or refuses it. */
type Perform = (call: ToolCall) => Promise<ToolResult>;

/** Most waiting calls of one session: a person answers no more. */
const WAITING_MAX = 64;
/** Ends of one session that are remembered for late callers. */
const DECIDED_MAX = 64;

/**
 * Calls that wait for a person, and their ends. Each is taken once, by the first decision or by the end of its
 * session or its call, so that none is executed twice.
 */
export class Questions {
  readonly #asked = new Map<string, Asked>();
  readonly #permissions = new Permissions();
  /** Answers that say that a browser asks a person: the decision arrives by itself. */
  readonly #raised = new WeakSet<ToolResult>();
  readonly #inBrowsers = new Map<string, RaisedQuestion>();

  constructor(private readonly parts: QuestionsParts) {}

  pending(): readonly PendingInteraction[] {
    return this.#open().map(({ question }) => question);
  }

  #open(): readonly Asked[] {
    return [...this.#asked.values()].filter(isOpen);
  }

  /** A call under this id that waits, or that was decided. Once it has ended, its session may reuse the id. */
  find(call: ToolCall): Asked | undefined {
    const asked = this.#asked.get(call.callId);
    return asked?.state === 'ended' && asked.call.session === call.session ? undefined : asked;
  }

  /** A repeat of a call that was left, under whatever id: its caller is back. */
  comeBack(call: ToolCall): KnownCall | undefined {
    const left = [...this.#asked.values()].find(
      (asked) => asked.state === 'left' && asked.call.recipe === call.recipe && isSameCall(asked.call, call),
    );
    if (left !== undefined) this.#return(left);
    return left;
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
    if (known !== undefined) return isOpen(known) ? this.join(known, call) : null;
    if (this.#permissions.has(call)) return null;
    const services = await load().catch(() => null);
    if (services === null) return null;
    const prepared = prepare(call, services);
    if (prepared instanceof Refusal) return null;
    const permission = await authorise(prepared, services);
    // Another call of this id may have begun to wait or run meanwhile.
    const met = this.find(call);
    if (met !== undefined) return this.join(met, call);
    if (permission instanceof Refusal || isActive(call.callId)) return null;
    if (permission === null) {
      this.#permissions.keep(call);
      return null;
    }
    const answer = this.wait(prepared, permission);
    if (answer instanceof Refusal) return null;
    services.record.ended({ call, result: answer, risks: prepared.risks });
    return answer;
  }

  /** Lets a call wait for a person, whom the gate or a browser asks. */
  wait(prepared: PreparedCall, asked: Ask | BrowserAsks): ToolResult | Refusal {
    if ('questionId' in asked) return this.#raise(prepared, asked);
    try {
      return this.#wait(prepared, asked);
    } catch (thrown) {
      return new Refusal(thrown);
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
  ): ToolResult | Refusal {
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
    void this.settled(callId, end).finally(end).then(forget, forget);
    void this.#obey(call, question, needed.signal);
    return answer;
  }

  /** @throws SpillwayError `cancelled`, `too_many_pending` */
  #wait({ call, definition, args }: PreparedCall, { ask }: Ask): ToolResult {
    const { callId, session, signal } = call;
    const { options, work } = this.parts;
    signal.throwIfAborted();
    session.signal.throwIfAborted();
    if (work.isEnding) throw serverEnded();
    const tool = definition.manifest.name;
    const answer = pendingResult(
      { callId, tool, args, interaction: ask },
      definition.presentation,
      options.redactor,
    );
    this.#forgetGone();
    this.#expectRoom(session);
    const gone = anySignal([signal, session.signal]);
    const settled = deferred<ToolResult>();
    settled.promise.catch(() => undefined);
    const asked: Asked = {
      call,
      question: answer.pending,
      end: Promise.resolve(answer),
      state: 'waiting',
      kept: null,
      settled,
      decided: deferred(),
      gone,
    };
    this.#asked.set(callId, asked);
    onAbort(gone.signal, () => this.#abandon(asked, gone.signal.reason));
    return answer;
  }

  /** Applies a person's decision about a call, unless it is decided already. */
  async #obey(call: ToolCall, question: RaisedQuestion, signal: AbortSignal): Promise<void> {
    const { callId } = call;
    try {
      const { people } = await this.parts.load();
      const decision = await people.decision(question, signal);
      if (decision === null) await this.#take(callId, (asked) => this.#perform(asked, {}));
      else await this.decide(callId, decision);
    } catch (thrown) {
      const error = toSpillwayError(thrown);
      if (error.code !== 'call_not_pending')
        await this.#take(callId, (asked) => this.#unperformed(asked, error)).catch(() => undefined);
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
      else void this.settled(asked.callId).then(release, release);
    }
  }

  /** See `Executor.answered`. */
  async answered(
    call: ToolCall,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<ToolResult> {
    const { callId, session } = call;
    const end = abortable(this.settled(callId), signal, CANCEL_GRACE);
    try {
      const result = await waitAtMost(end, timeoutMs);
      if (result !== undefined) return result;
      // The call has been decided and is running: wait for its result.
      if (!this.#leave(callId)) return await end;
      const question = this.#inBrowsers.get(callId);
      // The next server may resume it, if it can.
      if (question !== undefined) await (await this.parts.load()).kept.keep(question, session);
    } catch (thrown) {
      this.#leave(callId);
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
    const isKnown = this.#asked.has(callId);
    const adopted = isKnown ? null : await this.#adopt(callId, how);
    if (adopted !== null) return this.answered(adopted, how);
    const asked = this.#asked.get(callId);
    if (asked?.state !== 'left' || asked.call.session !== how.session) throw notPending(callId);
    this.#return(asked);
    return this.answered(asked.call, how);
  }

  /**
   * Takes over a call that was left on an earlier server, and lets it wait; null for an unknown one.
   * @throws SpillwayError like `KeptCalls.adopt`, or if the call cannot wait here
   */
  async #adopt(callId: string, { session, signal }: Parameters<ResumeCall>[1]): Promise<ToolCall | null> {
    const services = await this.parts.load();
    const adopted = await services.kept.adopt(callId, session, signal);
    if (adopted === null) return null;
    const { tool, args, question: questionId } = adopted;
    const call = { callId, tool, args, session, signal: session.signal };
    const prepared = prepare(call, services);
    const message = `A person is asked about ${tool}.`;
    const refuseWith = (thrown: unknown): Refusal => new Refusal(thrown);
    const answer =
      prepared instanceof Refusal
        ? prepared
        : this.#raise(prepared, { questionId, message, refuse: refuseWith, isAdopted: true });
    if (!(answer instanceof Refusal)) return call;
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
    const { call } = this.#get(callId);
    if (!Name.safeParse(decision.by).success)
      throw invalidArgument('by: takes a string that names who decides.');
    if (decision.approve && decision.args !== undefined)
      validateArguments(definitionOf(registry, call).manifest, decision.args);
    return this.#take(callId, (asked) => {
      if (!decision.approve) return this.#unperformed(asked, denied(asked, decision));
      const { args, by } = decision;
      const approved = args === undefined ? asked : { ...asked, args };
      return this.#perform(approved, { approvedBy: by, isEdited: args !== undefined }, given);
    });
  }

  /**
   * The end of a call that was answered as pending. `onDecided` is called when a person has said yes or no,
   * before the call continues. @throws SpillwayError `call_not_pending`
   */
  async settled(callId: string, onDecided?: () => void): Promise<ToolResult> {
    const asked = this.#asked.get(callId);
    if (asked === undefined) throw notPending(callId);
    if (onDecided !== undefined) void asked.decided.promise.then(onDecided);
    const end = await asked.settled.promise;
    return end.pending === undefined ? end : this.settled(callId, onDecided);
  }

  /** Ends all waiting calls: the server stops. */
  end(): void {
    for (const asked of this.#open()) this.#abandon(asked, serverEnded());
  }

  /**
   * The end, or the question, of a call with the same id and session. If a call that joined is cancelled, it
   * leaves alone, and the first call continues. Never throws.
   */
  async join(known: KnownCall, call: ToolCall): Promise<ToolResult> {
    if (!isSameCall(known.call, call)) {
      const who = known.call.session === call.session ? 'call' : 'session';
      const message = `The call id ${call.callId.slice(0, 64)} is used by another ${who}.`;
      return this.#fail(call, invalidArgument(message));
    }
    return abortable(known.end, call.signal, CANCEL_GRACE).catch((thrown: unknown) =>
      this.#fail(call, call.signal.aborted ? cancellation(call.signal.reason) : toSpillwayError(thrown)),
    );
  }

  /** Ends a call that will not be decided. */
  #abandon(asked: Asked, reason: unknown): void {
    // The listener for another end may have decided it.
    if (!isOpen(asked)) return;
    const { code, message } = cancellation(reason);
    const error = new SpillwayError(code, `${message} No decision had been made.`);
    this.#carryOut(asked, (call) => this.#unperformed(call, error)).catch(() => undefined);
  }

  #expectRoom(session: ClientSession): void {
    const waiting = this.#open().filter(({ call }) => call.session === session);
    if (waiting.length < WAITING_MAX) return;
    throw new SpillwayError(
      'too_many_pending',
      `${WAITING_MAX} calls of this session are already waiting for a person.`,
    );
  }

  /** A waiting call. @throws SpillwayError `call_not_pending` */
  #get(callId: string): Asked {
    const asked = this.#asked.get(callId);
    if (asked === undefined || !isOpen(asked)) throw notPending(callId);
    return asked;
  }

  /**
   * Notes that a call's caller has left: a decision is kept until it is back. False if it is already decided
   * and therefore running.
   */
  #leave(callId: string): boolean {
    const asked = this.#asked.get(callId);
    if (asked === undefined || !isOpen(asked)) return false;
    asked.state = 'left';
    return true;
  }

  /** Notes that the caller of a left call is back. A decision made meanwhile is carried out. */
  #return(asked: Asked): void {
    asked.state = 'waiting';
    const { kept } = asked;
    asked.kept = null;
    if (kept !== null) this.#carryOut(asked, kept).catch(() => undefined);
  }

  /**
   * Takes a waiting call, once, for a person's decision; `perform` executes or refuses it. @throws
   * SpillwayError `call_not_pending`
   */
  async #take(callId: string, perform: Perform): Promise<ToolResult> {
    const asked = this.#get(callId);
    asked.decided.resolve();
    if (asked.state === 'waiting') return this.#carryOut(asked, perform);
    if (asked.kept !== null) throw notPending(callId);
    asked.kept = perform;
    return asked.settled.promise;
  }

  async #carryOut(asked: Asked, perform: Perform): Promise<ToolResult> {
    asked.state = 'running';
    asked.gone.release();
    asked.end = perform(asked.call);
    asked.settled.resolve(asked.end);
    try {
      return await asked.end;
    } finally {
      asked.state = 'ended';
      this.#remember(asked);
    }
  }

  /** Keeps an end among the newest of its session; other sessions do not displace it. */
  #remember(asked: Asked): void {
    const { callId, session } = asked.call;
    // An approved call may wait again.
    if (this.#asked.get(callId) !== asked) return;
    this.#asked.delete(callId);
    this.#asked.set(callId, asked);
    this.#forgetGone();
    const ended = [...this.#asked].filter(
      ([, { call, state }]) => state === 'ended' && call.session === session,
    );
    for (const [id] of ended.slice(0, -DECIDED_MAX)) this.#asked.delete(id);
  }

  /** Nobody asks for the ends of a closed session. */
  #forgetGone(): void {
    for (const [id, { call, state }] of this.#asked)
      if (state === 'ended' && call.session.signal.aborted) this.#asked.delete(id);
  }

  /** The end of a pending call that is not executed. */
  #unperformed(call: ToolCall, error: SpillwayError): Promise<ToolResult> {
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
}

function denied({ tool }: ToolCall, { by, reason }: PersonDecision & { approve: false }): SpillwayError {
  const why = reason === undefined ? '' : `: ${reason}`;
  return new SpillwayError('call_denied', `${tool} was denied by ${by}${why}.`);
}

const notPending = (callId: string): SpillwayError =>
  new SpillwayError('call_not_pending', `There is no pending call with the id ${callId.slice(0, 64)}.`);

/** Most permissions of one session, equal to its waiting calls; the oldest go first. */
const KEPT_MAX = 64;

/** A permission covers exactly that call, is used once, and ends with its session. */
class Permissions {
  readonly #kept = new WeakMap<ClientSession, Map<string, string>>();

  keep(call: ToolCall): void {
    const { callId, session } = call;
    const known = describe(call);
    const kept = this.#kept.get(session) ?? new BoundedMap<string, string>(KEPT_MAX);
    if (known !== null) this.#kept.set(session, kept.set(callId, known));
  }

  has(call: ToolCall): boolean {
    const { callId, session } = call;
    const known = session.signal.aborted ? undefined : this.#kept.get(session)?.get(callId);
    return known !== undefined && known === describe(call);
  }

  /** Whether there is one. Afterwards, nothing is kept under the call's id. */
  use(call: ToolCall): boolean {
    const isKept = this.has(call);
    this.#kept.get(call.session)?.delete(call.callId);
    return isKept;
  }
}

/** Its text, because the owner of the arguments can change them. Null if it is not JSON. */
function describe({ tool, args }: ToolCall): string | null {
  try {
    return JSON.stringify([tool, args]);
  } catch {
    return null;
  }
}
