import { SpillwayError } from '../../shared/errors.ts';
import type { ToolCall } from './call.ts';
import type { Decision } from './gate.ts';
import type { ToolResult } from './result.ts';

/** A call that a person is asked about, until it is decided. */
interface Waiting {
  readonly call: ToolCall;
  readonly answer: ToolResult;
  readonly settled: Promise<ToolResult>;
  readonly settle: (result: ToolResult) => void;
  readonly release: () => void;
}

/** Ends that are remembered for those who ask late. */
const SETTLED_MAX = 256;

/**
 * Calls that wait for a person, by call id. Each is taken out once, by whoever decides it first or
 * by the end of its session, so that none is ever executed twice.
 */
export class PendingCalls {
  readonly #waiting = new Map<string, Waiting>();
  readonly #settled = new Map<string, Promise<ToolResult>>();

  /** The answer of a call that is pending under this id. */
  answerOf(callId: string): ToolResult | undefined {
    return this.#waiting.get(callId)?.answer;
  }

  /** `onGone` makes the end of a call whose session ends before anyone decided. */
  add(call: ToolCall, answer: ToolResult, onGone: (reason: unknown) => ToolResult): void {
    const { callId, session } = call;
    let settle: (result: ToolResult) => void = () => undefined;
    const settled = new Promise<ToolResult>((resolve) => (settle = resolve));
    const onAbort = (): void => void this.#take(callId)?.settle(onGone(session.signal.reason));
    const release = (): void => session.signal.removeEventListener('abort', onAbort);
    session.signal.addEventListener('abort', onAbort, { once: true });
    this.#waiting.set(callId, { call, answer, settled, settle, release });
    this.#settled.set(callId, settled);
    const [oldest] = this.#settled.keys();
    if (this.#settled.size > SETTLED_MAX && oldest !== undefined && !this.#waiting.has(oldest))
      this.#settled.delete(oldest);
  }

  #take(callId: string): Waiting | undefined {
    const waiting = this.#waiting.get(callId);
    if (waiting === undefined) return undefined;
    this.#waiting.delete(callId);
    waiting.release();
    return waiting;
  }

  /**
   * Decides a call, once; `perform` executes it or makes its refusal.
   * @throws SpillwayError `call_not_pending`
   */
  async decide(
    callId: string,
    decision: Decision,
    perform: (call: ToolCall, decision: Decision) => Promise<ToolResult>,
  ): Promise<ToolResult> {
    const waiting = this.#take(callId);
    if (waiting === undefined) throw notPending(callId);
    const result = await perform(waiting.call, decision);
    waiting.settle(result);
    return result;
  }

  /** The end of a call that was pending. @throws SpillwayError `call_not_pending` */
  settled(callId: string): Promise<ToolResult> {
    const settled = this.#settled.get(callId);
    if (settled === undefined) throw notPending(callId);
    return settled;
  }
}

const notPending = (callId: string): SpillwayError =>
  new SpillwayError('call_not_pending', `No call waits under the id ${callId.slice(0, 64)}.`);
