import { parentPort, workerData } from 'node:worker_threads';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSDeferredPromise,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { measureCpu, threadCpuMs } from './cpu.ts';
import { AFTER, BEFORE, PRELUDE, PROGRAM_FILE, randomFrom } from './prelude.ts';
import { cut, SAID_UNITS } from '../../shared/base/cut.ts';
import { Backlog } from './backlog.ts';
import { valuesIn } from '../core/slices.ts';
import { isObject } from '../../shared/base/json.ts';
import type { CodePosition, ProgramEnd, SandboxData, SandboxMessage, Settle } from './protocol.ts';

/*
 * The thread of one program: QuickJS in WebAssembly, which has no files, no network and no clock. It is given the compiled code of
 * QuickJS, and waits for its program. It talks to the program's record through messages alone, and does with them nothing that depends on time, so that the same ends in the same order
 * lead to the same calls.
 */
const MEMORY_BYTES = 64 * 1024 * 1024;
const STACK_BYTES = 512 * 1024;
/** Computing between two awaits, in CPU time: a busy machine does not shorten it. */
const TURN_CPU_MS = 5_000;
const CALLS_MAX = 100_000;
const WAITING_MAX = 1_000;
/** Arguments of the calls that it waits for, in UTF-16 code units: the server holds them too. */
const WAITING_UNITS = 8 * 1024 * 1024;
/** As JSON, in UTF-16 code units. */
const RETURNED_UNITS = 16 * 1024 * 1024;
const PART_UNITS = 256 * 1024;
/** Lines of one execution: a run keeps no more of them. */
const LOGGED_MAX = 1_000;
/**
 * An interrupted job rejects its promise, and the next ones continue: this many run before the program is
 * ended.
 */
const JOBS_AT_ONCE = 1_000;
const COMPUTED = 'it computed for more than 5 seconds between two awaits';
const MEMORY = 'it took more than 64 MiB of memory';
/** Of one item: the server parses it at once. */
const VALUES_MAX = 1_000_000;
const NAMES_MAX = 50_000;
const MANY_VALUES = `an item of its output has more than ${VALUES_MAX} values, or ${NAMES_MAX} different names`;
/** By QuickJS's message, which throws an `InternalError` only for limits. */
const LIMITS: ReadonlyMap<string, string> = new Map([
  ['interrupted', COMPUTED],
  ['out of memory', MEMORY],
  ['string too long', MEMORY],
  ['stack overflow', 'its calls or its data nest too deep'],
]);
const NOWHERE: CodePosition = { line: null, column: null };

const port = parentPort;
const wasmModule: unknown = workerData;
if (port === null || !(wasmModule instanceof WebAssembly.Module))
  throw new Error('This is the thread of a program: it is not run by itself.');
const post = (message: SandboxMessage): void => {
  port.postMessage(message);
};
/** Nothing that arrives later is for this program. */
const end = (message: ProgramEnd): void => {
  guest = null;
  ready = instantiate();
  post(message);
};
const startTurn = (): (() => number) => measureCpu(threadCpuMs, () => performance.now());

class Guest {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #waiting = new Map<
    number,
    { readonly deferred: QuickJSDeferredPromise; readonly units: number }
  >();
  readonly #backlog: Backlog;
  #waitingUnits = 0;
  #logged = 0;
  #calls = 0;
  #now: number;
  readonly #random: () => number;
  #turnMs = startTurn();
  #isInterrupted = false;
  #end: QuickJSHandle | null = null;

  constructor(
    private readonly quickjs: QuickJSWASMModule,
    { now, seed, backlog }: SandboxData,
  ) {
    const runtime = quickjs.newRuntime();
    this.#runtime = runtime;
    this.#now = now;
    this.#random = randomFrom(seed);
    this.#backlog = new Backlog(backlog);
    runtime.setMemoryLimit(MEMORY_BYTES);
    runtime.setMaxStackSize(STACK_BYTES);
    runtime.setInterruptHandler(() => (this.#isInterrupted ||= this.#turnMs() > TURN_CPU_MS));
    this.#context = runtime.newContext();
  }

  start({ code, input }: SandboxData): void {
    const context = this.#context;
    const host = context.newObject();
    const functions: Record<string, (...args: QuickJSHandle[]) => QuickJSHandle | void> = {
      call: (...args) => this.#call(args),
      emit: (item) => this.#emit(this.#textOf(item)),
      log: (text) => this.#log(text),
      now: () => context.newNumber(this.#now),
      random: () => context.newNumber(this.#random()),
    };
    for (const [name, work] of Object.entries(functions))
      context.setProp(host, name, context.newFunction(name, work));
    context.setProp(host, 'input', context.newString(input));
    context.setProp(context.global, 'host', host);
    this.#beginTurn();
    context.unwrapResult(context.evalCode(PRELUDE, 'prelude')).dispose();
    const result = context.evalCode(`${BEFORE}${code}${AFTER}`, PROGRAM_FILE);
    if (result.error) {
      const { message, ...at } = this.#read(result.error);
      end({ type: 'invalid', message, ...at });
    } else {
      this.#end = result.value;
      this.#goOn();
    }
  }

  settle({ id, isError, text, now }: Settle): void {
    const { deferred, units } = this.#waiting.get(id) ?? {};
    if (deferred === undefined || units === undefined) return post({ type: 'unknown', id });
    this.#waiting.delete(id);
    this.#waitingUnits -= units;
    this.#now = now;
    const value = text === undefined ? this.#context.undefined : this.#context.newString(text);
    if (isError) deferred.reject(value);
    else deferred.resolve(value);
    if (text !== undefined) value.dispose();
    deferred.dispose();
    this.#beginTurn();
    this.#goOn();
  }

  #call([kind, name, args, options]: readonly QuickJSHandle[]): QuickJSHandle {
    if (this.#calls >= CALLS_MAX) throw new InternalError(`it made more than ${CALLS_MAX} calls`);
    if (this.#waiting.size >= WAITING_MAX)
      throw new InternalError(`it waits for more than ${WAITING_MAX} calls at a time: use map with a limit`);
    const asked = this.#textOf(kind);
    const given = { args: this.#textOf(args), options: this.#textOf(options) };
    const units = given.args.length + given.options.length;
    if (this.#waitingUnits + units > WAITING_UNITS)
      throw new InternalError('it waits for calls whose arguments have more than 8 MiB together');
    this.#waitingUnits += units;
    this.#calls += 1;
    const id = this.#calls;
    const deferred = this.#context.newPromise();
    this.#waiting.set(id, { deferred, units });
    post({
      type: 'call',
      id,
      kind: asked === 'sleep' || asked === 'items' || asked === 'ask' ? asked : 'tool',
      name: this.#shortOf(name),
      ...given,
    });
    return deferred.handle;
  }

  #textOf(handle: QuickJSHandle | undefined): string {
    return handle === undefined ? '' : this.#context.getString(handle);
  }

  #shortOf(handle: QuickJSHandle | undefined): string {
    return cut(this.#textOf(handle), SAID_UNITS);
  }

  #emit(item: string): void {
    if (item.length > PART_UNITS && isTooMuch(JSON.parse(item))) return this.#limit(MANY_VALUES);
    this.#backlog.take(item);
    post({ type: 'emit', item });
  }

  #log(text: QuickJSHandle | undefined): void {
    this.#logged += 1;
    if (this.#logged <= LOGGED_MAX) post({ type: 'log', text: this.#shortOf(text) });
  }

  #beginTurn(): void {
    this.#turnMs = startTurn();
  }

  #goOn(): void {
    do {
      const jobs = this.#runtime.executePendingJobs(JOBS_AT_ONCE);
      if (jobs.error) return this.#threw(jobs.error);
    } while (!this.#isInterrupted && this.#runtime.hasPendingJob());
    if (this.#end === null) return;
    const state = this.#context.getPromiseState(this.#end);
    if (state.type === 'rejected') return this.#threw(state.error);
    if (this.#isInterrupted) return this.#limit(COMPUTED);
    if (state.type === 'fulfilled') return this.#sendReturned(state.value);
    if (this.#waiting.size > 0) return post({ type: 'rests' });
    this.#sendEndWithout('The program waits for a promise that nothing will settle.');
  }

  #sendReturned(value: QuickJSHandle): void {
    const context = this.#context;
    this.#beginTurn();
    const json = context.getProp(context.global, 'JSON');
    const stringify = context.getProp(json, 'stringify');
    const written = context.callFunction(stringify, context.undefined, value);
    if (written.error) return this.#threw(written.error);
    if (context.typeof(written.value) !== 'string') return end({ type: 'returned', text: undefined });
    const text = context.getString(written.value);
    if (text.length > RETURNED_UNITS) return this.#limit('it returned more than 16 MiB');
    if (text.length <= PART_UNITS) return end({ type: 'returned', text });
    const returned: unknown = JSON.parse(text);
    const items: readonly unknown[] = Array.isArray(returned) ? returned : [returned];
    if (items.some(isTooMuch)) return this.#limit(MANY_VALUES);
    end({ type: 'returned', ...(Array.isArray(returned) ? { parts: splitList(items) } : { text }) });
  }

  #threw(error: QuickJSHandle): void {
    const context = this.#context;
    if (context.typeof(error) !== 'object' || context.eq(error, context.null)) {
      const value: unknown = context.dump(error);
      const shown = cut(JSON.stringify(value) ?? String(value), SAID_UNITS);
      return this.#sendEndWithout(`The program threw ${shown}.`);
    }
    const { name, message, ...at } = this.#read(error);
    if (this.#isInterrupted) return this.#limit(COMPUTED, at);
    const known = LIMITS.get(message);
    if (name === 'InternalError' || (known !== undefined && name === 'SyntaxError'))
      return this.#limit(known ?? message, at);
    const place = context.getProp(error, 'place');
    end({
      type: 'threw',
      name,
      message,
      ...at,
      place: context.typeof(place) === 'number' ? context.getNumber(place) : null,
    });
  }

  /** Ended without an error, as does a program without memory for one. */
  #sendEndWithout(message: string): void {
    if (this.quickjs.getWasmMemory().buffer.byteLength >= MEMORY_BYTES) return this.#limit(MEMORY);
    end({ type: 'threw', name: 'Error', message, ...NOWHERE, place: null });
  }

  #limit(message: string, at: CodePosition = NOWHERE): void {
    end({ type: 'limit', message, ...at });
  }

  #read(error: QuickJSHandle): CodePosition & { readonly name: string; readonly message: string } {
    const context = this.#context;
    const textOf = (name: string): string => {
      const prop = context.getProp(error, name);
      return context.typeof(prop) === 'string' ? cut(context.getString(prop), SAID_UNITS) : '';
    };
    const at = AT.exec(textOf('stack'));
    return {
      name: textOf('name') || 'Error',
      message: textOf('message'),
      line: at === null ? null : Number(at[1]),
      column: at?.[2] === undefined ? null : Number(at[2]),
    };
  }
}

/** Also for the program, which may catch it. */
class InternalError extends Error {
  override readonly name = 'InternalError';
}

/** The first place of a stack that is in the program. */
const AT = new RegExp(`${PROGRAM_FILE.replace('.', '\\.')}:(\\d+)(?::(\\d+))?`);

const instantiate = (): Promise<QuickJSWASMModule> =>
  newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule }));
/** For the next program: each has its own instance, and so its own memory. */
let ready = instantiate();
let guest: Guest | null = null;
port.on('message', (message: SandboxData | readonly Settle[]) => {
  if ('code' in message)
    void ready.then((quickjs) => {
      guest = new Guest(quickjs, message);
      guest.start(message);
    });
  // A program that runs again gets its results at once: they wait for its start.
  else
    void ready.then(() => {
      for (const end of message) guest?.settle(end);
    });
});

function isTooMuch(item: unknown): boolean {
  const names = new Set<string>();
  let values = 0;
  for (const one of valuesIn(item)) {
    if (isObject(one)) for (const name of Object.keys(one)) names.add(name);
    if ((values += 1) > VALUES_MAX || names.size > NAMES_MAX) return true;
  }
  return false;
}

/** A long list as JSON in several parts, which the server parses in turns of its own. */
function splitList(list: readonly unknown[]): readonly string[] {
  const parts: string[] = [];
  let items: string[] = [];
  let units = 0;
  for (const item of list) {
    const written = JSON.stringify(item);
    items.push(written);
    units += written.length;
    if (units < PART_UNITS) continue;
    parts.push(`[${items.join()}]`);
    [items, units] = [[], 0];
  }
  return items.length === 0 ? parts : [...parts, `[${items.join()}]`];
}
