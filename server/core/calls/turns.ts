import { anySignal, defer, onAbort } from '../../../shared/base/async.ts';
import { invalidArgument, SpillwayError } from '../../../shared/base/errors.ts';
import { isObject } from '../../../shared/base/json.ts';
import type { ClientSession, StepAside } from '../context.ts';
import { valuesIn } from '../slices.ts';
import type { ToolCall } from './call.ts';

/** Calls of one session at work, and of all sessions. */
const AT_WORK_MAX = { session: 32, all: 64 } as const;
const MIB = 1024 * 1024;
/** Arguments of all open calls together, in UTF-16 code units; small calls have a reserve. */
const HELD_UNITS = { all: 96 * MIB, withReserve: 128 * MIB } as const;
export const SMALL_UNITS = 64 * 1024;
/** Of an open call without arguments. */
const CALL_UNITS = 4 * 1024;
const NODE_UNITS = 16;

/** Values in the arguments of one call: each step of its path takes milliseconds for so many. */
export const VALUES_MAX = 100_000;

/**
 * About what arguments hold in memory, in UTF-16 code units.
 * @throws SpillwayError `invalid_argument` for more values than one call may have
 */
export function unitsOf(args: unknown): number {
  let [units, values] = [0, 0];
  for (const one of valuesIn(args)) {
    if ((values += 1) > VALUES_MAX)
      throw invalidArgument(
        `arguments: more than ${VALUES_MAX} values.`,
        'Pass large data as one text, such as JSON or CSV, or in several calls.',
      );
    units += NODE_UNITS + (typeof one === 'string' ? one.length : 0);
    if (isObject(one)) for (const name of Object.keys(one)) units += name.length;
  }
  return units;
}

/**
 * Calls of a server share its memory: a bounded number is at work, the others wait, in order within a session and
 * session by session. A call that only waits gives up its turn, so that those that it waits for can work.
 */
export class Turns {
  /** The session whose turn comes next is the first. */
  readonly #waiting = new Map<ClientSession, (() => void)[]>();
  readonly #atWork = new Map<ClientSession, number>();
  #all = 0;
  #heldUnits = 0;

  /**
   * Counts what an open call holds. @param argUnits {@link unitsOf} of its arguments. Returns a function to call once it has ended.
   * @throws SpillwayError `too_many_calls`
   */
  hold({ tool, callId }: ToolCall, argUnits: number): () => void {
    const units = CALL_UNITS + tool.length + callId.length + argUnits;
    const max = units <= SMALL_UNITS ? HELD_UNITS.withReserve : HELD_UNITS.all;
    // One call alone is bounded by its wire.
    if (this.#heldUnits > 0 && this.#heldUnits + units > max)
      throw new SpillwayError(
        'too_many_calls',
        'The arguments of the calls that are open hold too much memory.',
      );
    this.#heldUnits += units;
    return () => void (this.#heldUnits -= units);
  }

  /** Works when the turn of the call has come. @throws the reason of its signal, or of the end of its session */
  async take<T>({ session, signal }: ToolCall, work: (aside: StepAside) => Promise<T>): Promise<T> {
    const { signal: gone, release } = anySignal([signal, session.signal]);
    try {
      await this.#begin(session, gone, false);
      let [isAtWork, isOver, waits] = [true, false, 0];
      const leave = (): void => {
        if (isAtWork) this.#end(session);
        isAtWork = false;
      };
      const comeBack = async (): Promise<void> => {
        // A call that was cancelled meanwhile only has to return its error.
        await this.#begin(session, gone, true).catch(() => this.#enter(session));
        // The call was abandoned or waits again, so no one else will end this turn.
        if (isOver || isAtWork || waits > 0) this.#end(session);
        else isAtWork = true;
      };
      try {
        return await work(async (waiting) => {
          waits += 1;
          leave();
          try {
            return await waiting();
          } finally {
            waits -= 1;
            if (waits === 0 && !isOver) await comeBack();
          }
        });
      } finally {
        isOver = true;
        leave();
      }
    } finally {
      release();
    }
  }

  #isFree(session: ClientSession): boolean {
    return this.#all < AT_WORK_MAX.all && (this.#atWork.get(session) ?? 0) < AT_WORK_MAX.session;
  }

  #enter(session: ClientSession): void {
    this.#all += 1;
    this.#atWork.set(session, (this.#atWork.get(session) ?? 0) + 1);
  }

  async #begin(session: ClientSession, gone: AbortSignal, isFirst: boolean): Promise<void> {
    gone.throwIfAborted();
    if (this.#isFree(session)) return this.#enter(session);
    const { promise, resolve, reject } = defer<void>();
    const queue = this.#waiting.get(session) ?? [];
    this.#waiting.set(session, queue);
    if (isFirst) queue.unshift(resolve);
    else queue.push(resolve);
    const stop = onAbort(gone, () => {
      const at = queue.indexOf(resolve);
      if (at >= 0) queue.splice(at, 1);
      reject(gone.reason);
    });
    await promise.finally(stop);
  }

  #end(session: ClientSession): void {
    this.#all -= 1;
    const left = (this.#atWork.get(session) ?? 0) - 1;
    if (left > 0) this.#atWork.set(session, left);
    else this.#atWork.delete(session);
    for (const [next, queue] of this.#waiting) {
      if (queue.length === 0) this.#waiting.delete(next);
      if (queue.length === 0 || !this.#isFree(next)) continue;
      this.#enter(next);
      queue.shift()?.();
      // Behind the others.
      this.#waiting.delete(next);
      if (queue.length > 0) this.#waiting.set(next, queue);
      return;
    }
  }
}
