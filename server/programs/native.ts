import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { defer, waitAtMost } from '../../shared/base/async.ts';
import type { HumanInputRequest } from '../../shared/people/request.ts';
import { SpillwayError, type WireError } from '../../shared/base/errors.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { isObject, type JsonObject, type JsonValue } from '../../shared/base/json.ts';
import { Json, parseJson } from '../../shared/base/json-schema.ts';
import { randomFrom } from './prelude.ts';
import { FailedCall } from './record.ts';
import type { GuestCall, ProgramEnd, ProgramEvents, ProgramThread, Settle } from './protocol.ts';

export interface FlowCallOptions {
  /** Repeats calls that may succeed later: at most `attempts` times, with a growing pause in milliseconds. */
  readonly retry?: { readonly attempts: number; readonly backoff_ms?: number };
  /** Milliseconds. */
  readonly timeout?: number;
}

/** Work outside these functions is repeated when the workflow is resumed. */
export interface Flow {
  /**
   * Calls a tool of Spillway. JSON answers are objects, texts are strings, and stored outputs have an
   * `output_handle`. @throws FlowError
   */
  readonly tools: Readonly<
    Record<string, (args?: JsonObject, options?: FlowCallOptions) => Promise<JsonValue>>
  >;
  /** The same by name. */
  call(name: string, args?: JsonObject, options?: FlowCallOptions): Promise<JsonValue>;
  /**
   * Runs a function once and keeps its return value, which is JSON. @throws FlowError `program_failed` if it
   * throws
   */
  step<T extends JsonValue | void>(name: string, work: () => Promise<T> | T): Promise<T>;
  /** Asks a person: the workflow ends, and continues with the answer. */
  ask(question: HumanInputRequest): Promise<JsonObject>;
  /** Milliseconds, or until a date. Longer than a minute uses no process. */
  sleep(time: number | Date): Promise<void>;
  /** Results in the order of the items. */
  map<T, R>(
    items: Iterable<T>,
    work: (item: T, index: number) => Promise<R>,
    options?: { readonly limit?: number },
  ): Promise<R[]>;
  /** A line of the run's log. */
  log(text: string): void;
  /** Milliseconds since the epoch: the same when the workflow runs again. */
  now(): number;
  /** From 0 to 1: the same when the workflow runs again. */
  random(): number;
}

export class FlowError extends Error {
  override readonly name = 'FlowError';
  readonly code: string;
  readonly hint: string;
  readonly retryable: boolean;

  constructor(
    { code, message, hint, retryable }: WireError,
    readonly place: number,
  ) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.retryable = retryable;
  }
}

/** Makes a call of any kind. @throws FlowError */
export type MakeCall = (
  call: Pick<GuestCall, 'kind' | 'name'> & Partial<GuestCall>,
) => Promise<JsonValue | undefined>;

type Waiter = ReturnType<typeof defer<JsonValue | undefined>>;

/** A workflow, executed in this process. */
export class WorkflowThread implements ProgramThread {
  readonly #end = defer<ProgramEnd>();
  readonly ended = this.#end.promise;
  readonly #waiting = new Map<number, Waiter>();
  #queue: Settle[] = [];
  #isSettling = false;
  /** The call that the next result belongs to. */
  #expected: { readonly id: number; readonly made: () => void } | null = null;
  #calls = 0;
  #now: number;
  readonly #random: () => number;

  constructor(
    work: (flow: Flow, make: MakeCall) => Promise<JsonValue | undefined>,
    private readonly events: ProgramEvents,
    { now, seed }: { readonly now: number; readonly seed: number },
  ) {
    this.#now = now;
    this.#random = randomFrom(seed);
    this.ended.catch(() => undefined);
    void this.#run(work);
  }

  settle(ends: readonly Settle[]): void {
    this.#queue.push(...ends);
    if (!this.#isSettling) void this.#settleAll();
  }

  async close(reason: unknown): Promise<void> {
    this.#end.reject(reason);
  }

  async #run(work: (flow: Flow, make: MakeCall) => Promise<JsonValue | undefined>): Promise<void> {
    // The caller is ready by then.
    await nextTurn();
    const running = work(this.#flow(), (call) => this.#call(call))
      .then((value): ProgramEnd => ({ type: 'returned', text: JSON.stringify(value) }))
      .catch((thrown: unknown): ProgramEnd => ({
        type: 'threw',
        name: thrown instanceof Error ? thrown.name : 'Error',
        message: messageOf(thrown),
        line: null,
        column: null,
        place: thrown instanceof FlowError ? thrown.place : null,
      }));
    void this.#rest();
    this.#end.resolve(await running);
  }

  /** One result after another, so that the consequences of each come before the next. */
  async #settleAll(): Promise<void> {
    this.#isSettling = true;
    for (let end = this.#queue.shift(); end !== undefined; end = this.#queue.shift()) {
      const waiter = await this.#waiterOf(end.id);
      if (waiter === undefined) return this.#end.reject(buildUnasked(end.id));
      this.#waiting.delete(end.id);
      this.#now = end.now;
      const value = end.text === undefined ? undefined : parseJson(end.text);
      if (end.isError) waiter.reject(new FlowError(FailedCall.parse(value).error, end.id));
      else waiter.resolve(value);
      await nextTurn();
    }
    this.#isSettling = false;
    await this.#rest();
  }

  /** The workflow's own work between two calls takes time before it makes the next. */
  async #waiterOf(id: number): Promise<Waiter | undefined> {
    if (!this.#waiting.has(id)) {
      const { promise, resolve } = defer<void>();
      this.#expected = { id, made: resolve };
      this.ended.then(() => resolve(), resolve);
      await waitAtMost(promise, OWN_WORK_MS);
      // Other calls that it makes at the same time come first.
      await nextTurn();
    }
    return this.#waiting.get(id);
  }

  async #rest(): Promise<void> {
    await nextTurn();
    if (!this.#isSettling) this.events.rests();
  }

  #call(call: Parameters<MakeCall>[0]): Promise<JsonValue | undefined> {
    this.#calls += 1;
    const id = this.#calls;
    const waiter: Waiter = defer();
    this.#waiting.set(id, waiter);
    this.events.call({ args: '{}', options: '{}', ...call, id });
    if (this.#expected?.id === id) this.#expected.made();
    return waiter.promise;
  }

  #flow(): Flow {
    const call: Flow['call'] = async (name, args = {}, options = {}) =>
      (await this.#call({
        kind: 'tool',
        name,
        args: JSON.stringify(args),
        options: JSON.stringify(options),
      })) ?? null;
    const toolNamed = (name: string) => (args?: JsonObject, options?: FlowCallOptions) =>
      call(name, args, options);
    const tools = new Proxy<Flow['tools']>(
      {},
      { get: (_, name) => (typeof name === 'string' && name !== 'then' ? toolNamed(name) : undefined) },
    );
    return {
      tools,
      call,
      step: async <T extends JsonValue | void>(name: string, work: () => Promise<T> | T): Promise<T> => {
        const perform = async (): Promise<JsonValue | undefined> => resultOf(name, work);
        // The stored value has the function's return type.
        return z.custom<T>(() => true).parse(await this.#call({ kind: 'step', name, perform }));
      },
      ask: async (question) => {
        const answer = await this.#call({ kind: 'ask', name: 'ask', args: JSON.stringify(question) });
        return isObject(answer) ? answer : {};
      },
      sleep: async (time) => {
        const until = typeof time === 'number' ? this.#now + time : time.getTime();
        if (Number.isNaN(new Date(until).getTime()))
          throw new TypeError('sleep takes milliseconds or a date');
        await this.#call({ kind: 'sleep', name: 'sleep', args: JSON.stringify({ until }) });
      },
      map: (items, work, { limit = 8 } = {}) => inOrder([...items], work, limit),
      log: (text) => this.events.log(text),
      now: () => this.#now,
      random: this.#random,
    };
  }
}

/** A workflow that makes no call for so long is not repeating the calls in its record. */
const OWN_WORK_MS = 300_000;

const buildUnasked = (id: number): SpillwayError =>
  new SpillwayError('program_diverged', `The workflow did not make call ${id} of its record.`);

async function resultOf(name: string, work: () => unknown): Promise<JsonValue | undefined> {
  try {
    const text = JSON.stringify(await work());
    return text === undefined ? undefined : Json.parse(JSON.parse(text));
  } catch (thrown) {
    if (thrown instanceof SpillwayError) throw thrown;
    throw new SpillwayError('program_failed', `Step ${name}: ${messageOf(thrown)}`, { cause: thrown });
  }
}

async function inOrder<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
  limit: number,
): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  const left = items.entries();
  const lane = async (): Promise<void> => {
    for (const [at, item] of left)
      try {
        if (failures.length > 0) return;
        results[at] = await work(item, at);
      } catch (reason) {
        failures.push(reason);
      }
  };
  await Promise.all(Array.from({ length: Math.max(1, limit) }, lane));
  if (failures.length > 0) throw failures[0];
  return results;
}
