import { defer, abortable, waitAtMost, anySignal, onAbort } from '../../../shared/base/async.ts';
import { SpillwayError, toSpillwayError, invalidArgument } from '../../../shared/base/errors.ts';
import { isSameCall, type ToolCall, cancellation, CANCEL_GRACE } from './call.ts';
import type { ClientSession } from '../context.ts';
import type { PendingInteraction, PendingResult, ToolResult } from '../result.ts';
import { BoundedMap, valueIn } from '../../../shared/base/maps.ts';

/** A call that a person is asked about, and its end, even after the decision. */
interface WaitingCall {
  readonly call: ToolCall;
  readonly question: PendingInteraction;
  /** The question until it is decided, then the end. */
  end: Promise<ToolResult>;
  /** `left`: its caller may come back, and a decision is kept until then. */
  state: 'waiting' | 'left' | 'running' | 'ended';
  kept: Perform | null;
  readonly settled: ReturnType<typeof defer<ToolResult>>;
  readonly decided: ReturnType<typeof defer<void>>;
  /** Ends it, since it will not be decided. */
  readonly abandon: (reason: unknown) => void;
  /** Stops listening for the end of call and session. */
  readonly release: () => void;
}

export const isOpen = ({ state }: Pick<WaitingCall, 'state'>): boolean =>
  state === 'waiting' || state === 'left';

/** Executes a call, or refuses it. */
type Perform = (call: ToolCall) => Promise<ToolResult>;

/** Maximum waiting calls of one session: a person answers no more. */
const WAITING_MAX = 64;
/** Ends of one session that are remembered for late callers. */
const DECIDED_MAX = 64;

/**
 * Calls that wait for a person, by call id. Each is taken once, by the first decision or by the end of its
 * session or its call, so that none is executed twice.
 */
export class PendingCalls {
  readonly #asked = new Map<string, WaitingCall>();

  questions(): readonly PendingInteraction[] {
    return this.#open().map(({ question }) => question);
  }

  #open(): readonly WaitingCall[] {
    return [...this.#asked.values()].filter(isOpen);
  }

  /** A call under this id that waits, or that was decided. */
  find(callId: string): Pick<WaitingCall, 'call' | 'end' | 'state'> | undefined {
    return this.#asked.get(callId);
  }

  /**
   * Lets a call wait. `onGone` produces its end if its session or caller goes before anyone has decided.
   * @throws SpillwayError `too_many_pending`
   */
  add(call: ToolCall, answer: PendingResult, onGone: (reason: unknown) => Promise<ToolResult>): void {
    const { callId, session, signal } = call;
    this.#forgetGone();
    this.#expectRoom(session);
    const settled = defer<ToolResult>();
    settled.promise.catch(() => undefined);
    const gone = anySignal([signal, session.signal]);
    const abandon = (reason: unknown): void => {
      const asked = this.#asked.get(callId);
      // The listener for another end may have decided it.
      if (asked === undefined || !isOpen(asked)) return;
      this.#take(callId, asked, () => onGone(reason)).catch(() => undefined);
    };
    this.#asked.set(callId, {
      call,
      question: answer.pending,
      end: Promise.resolve(answer),
      state: 'waiting',
      kept: null,
      settled,
      decided: defer(),
      abandon,
      release: () => gone.release(),
    });
    onAbort(gone.signal, () => abandon(gone.signal.reason));
  }

  /** Ends all waiting calls: the server is closing. */
  end(reason: unknown): void {
    for (const { abandon } of this.#open()) abandon(reason);
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
  get(callId: string): WaitingCall {
    const asked = this.#asked.get(callId);
    if (asked === undefined || !isOpen(asked)) throw notPending(callId);
    return asked;
  }

  /**
   * Notes that a call's caller has left: a decision is kept until {@link resume}. False if it is already
   * decided and therefore running.
   */
  leave(callId: string): boolean {
    const asked = this.#asked.get(callId);
    if (asked === undefined || !isOpen(asked)) return false;
    asked.state = 'left';
    return true;
  }

  /** The id of the call that this one repeats, if that one was left. */
  leftId(call: ToolCall): string | undefined {
    const same = [...this.#asked].find(
      ([, { call: left, state }]) =>
        state === 'left' && left.recipe === call.recipe && isSameCall(left, call),
    );
    return same?.[0];
  }

  /**
   * Notes that the caller of a left call is back. A decision made meanwhile is carried out.
   * @throws SpillwayError `call_not_pending` for a call that was not left, or is another session's
   */
  resume(callId: string, session: ClientSession): ToolCall {
    const asked = this.#asked.get(callId);
    if (asked?.state !== 'left' || asked.call.session !== session) throw notPending(callId);
    asked.state = 'waiting';
    const { kept } = asked;
    asked.kept = null;
    if (kept !== null) this.#take(callId, asked, kept).catch(() => undefined);
    return asked.call;
  }

  /**
   * Takes a waiting call, once, for a person's decision; `perform` executes or refuses it. @throws
   * SpillwayError `call_not_pending`
   */
  async take(callId: string, perform: Perform): Promise<ToolResult> {
    const asked = this.get(callId);
    asked.decided.resolve();
    if (asked.state === 'waiting') return this.#take(callId, asked, perform);
    if (asked.kept !== null) throw notPending(callId);
    asked.kept = perform;
    return asked.settled.promise;
  }

  async #take(callId: string, asked: WaitingCall, perform: Perform): Promise<ToolResult> {
    asked.state = 'running';
    asked.release();
    asked.end = perform(asked.call);
    asked.settled.resolve(asked.end);
    try {
      return await asked.end;
    } finally {
      asked.state = 'ended';
      this.#remember(callId, asked);
    }
  }

  /** Keeps an end among the newest of its session; other sessions do not displace it. */
  #remember(callId: string, asked: WaitingCall): void {
    // An approved call may wait again.
    if (this.#asked.get(callId) !== asked) return;
    this.#asked.delete(callId);
    this.#asked.set(callId, asked);
    this.#forgetGone();
    const { session } = asked.call;
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

  /** The end of a call that was pending. @throws SpillwayError `call_not_pending` */
  async settled(callId: string, onDecided?: () => void): Promise<ToolResult> {
    const asked = this.#asked.get(callId);
    if (asked === undefined) throw notPending(callId);
    if (onDecided !== undefined) void asked.decided.promise.then(onDecided);
    const end = await asked.settled.promise;
    return end.pending === undefined ? end : this.settled(callId, onDecided);
  }
}

const notPending = (callId: string): SpillwayError =>
  new SpillwayError('call_not_pending', `There is no pending call with the id ${callId.slice(0, 64)}.`);

/** Maximum permissions of one session, equal to its waiting calls; the oldest go first. */
const KEPT_MAX = 64;

/** A permission covers exactly that call, is used once, and ends with its session. */
export class Permissions {
  readonly #kept = new WeakMap<ClientSession, Map<string, string>>();

  keep(call: ToolCall): void {
    const { callId, session } = call;
    const known = serializeCall(call);
    if (known === null) return;
    valueIn(this.#kept, session, () => new BoundedMap(KEPT_MAX)).set(callId, known);
  }

  has(call: ToolCall): boolean {
    const { callId, session } = call;
    const known = session.signal.aborted ? undefined : this.#kept.get(session)?.get(callId);
    return known !== undefined && known === serializeCall(call);
  }

  /** Whether there is one. Afterwards, nothing is kept under the call's id. */
  use(call: ToolCall): boolean {
    const isKept = this.has(call);
    this.#kept.get(call.session)?.delete(call.callId);
    return isKept;
  }
}

/** Its text, because the owner of the arguments can change them. Null if it is not JSON. */
function serializeCall({ tool, args }: ToolCall): string | null {
  try {
    return JSON.stringify([tool, args]);
  } catch {
    return null;
  }
}

/** The first call under its id. */
export interface KnownCall {
  readonly call: ToolCall;
  readonly end: Promise<ToolResult>;
}

/**
 * The end, or the question, of a call with the same id and session. If a call that joined is cancelled, it
 * leaves alone, and the first call continues. `fail` makes the result of a failure. Never throws.
 */
export async function joinCall(
  known: KnownCall,
  call: ToolCall,
  fail: (error: SpillwayError) => ToolResult,
): Promise<ToolResult> {
  if (!isSameCall(known.call, call)) {
    const who = known.call.session === call.session ? 'call' : 'session';
    return fail(invalidArgument(`The call id ${call.callId.slice(0, 64)} is used by another ${who}.`));
  }
  return abortable(known.end, call.signal, CANCEL_GRACE).catch((thrown: unknown) =>
    fail(call.signal.aborted ? cancellation(call.signal.reason) : toSpillwayError(thrown)),
  );
}

const PATIENCE_MS = 1_000;

/** Work that has to end before its resources are closed. */
export class PendingWork {
  readonly #open = new Set<Promise<unknown>>();
  isEnding = false;

  /** Returns the given work. */
  add<T>(work: Promise<T>): Promise<T> {
    const end = (): void => void this.#open.delete(work);
    this.#open.add(work);
    work.then(end, end);
    return work;
  }

  /** Resolves once all work has ended, including later work, or has taken too long. */
  async end(): Promise<void> {
    this.isEnding = true;
    await waitAtMost(this.#noteEnded(), PATIENCE_MS);
  }

  async #noteEnded(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open);
  }
}
