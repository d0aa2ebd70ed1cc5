import { readFile } from 'node:fs/promises';
import type { Worker } from 'node:worker_threads';
import { brotliDecompressSync } from 'node:zlib';
import { defer, lazy } from '../../shared/base/async.ts';
import { SpillwayError } from '../../shared/base/errors.ts';
import { findBundledProgram, startThread } from '../core/bundled.ts';
import { Backlog } from './backlog.ts';
import { pause } from '../core/slices.ts';
import { measureCpu, processCpuMs } from './cpu.ts';
import {
  SandboxMessage,
  type ProgramEnd,
  type ProgramEvents,
  type ProgramThread,
  type SandboxData,
  type Settle,
} from './protocol.ts';

/** The thread's program, by the build's name for it. */
const PROGRAM_WORKER = 'program-worker.js';
const QUICKJS = 'quickjs.wasm.br';
/**
 * Starting a thread takes longer than most programs, so this many wait for the next ones, for this long after
 * the last start.
 */
const IDLE_MAX = 2;
const IDLE_MS = 60_000;
/**
 * A thread that has used this much CPU time since its last message is computing where it cannot be
 * interrupted.
 */
const STUCK_CPU_MS = 15_000;
const WATCH_MS = 1_000;

/** QuickJS, compiled once for all threads. */
const compileQuickjs = lazy(async () =>
  WebAssembly.compile(brotliDecompressSync(await readFile(findBundledProgram(QUICKJS)))),
);
const idle = new Set<Worker>();
let idleTimer: NodeJS.Timeout | undefined;

type ProgramData = Omit<SandboxData, 'backlog'>;

/** Opens sandboxes. */
export async function loadSandbox(): Promise<(data: ProgramData, events: ProgramEvents) => Sandbox> {
  const compiled = await compileQuickjs();
  return (data, events) => new Sandbox(takeThread(compiled), data, events);
}

function takeThread(compiled: WebAssembly.Module): Worker {
  const [thread = newThread(compiled)] = idle;
  idle.delete(thread);
  if (idle.size === 0) rest(newThread(compiled));
  clearTimeout(idleTimer);
  idleTimer = setTimeout(() => {
    for (const each of idle) void each.terminate();
    idle.clear();
  }, IDLE_MS).unref();
  return thread.removeAllListeners();
}

/** An item that takes next to no time. */
const SMALL_UNITS = 4_096;

const newThread = (compiled: WebAssembly.Module): Worker =>
  startThread(PROGRAM_WORKER, compiled, { env: {} });

/** It waits for a program. */
function rest(thread: Worker): void {
  const forget = (): void => void idle.delete(thread);
  idle.add(thread);
  thread.removeAllListeners().on('error', forget).on('exit', forget).unref();
}

/** One program in its own thread. */
class Sandbox implements ProgramThread {
  readonly #end = defer<ProgramEnd>();
  readonly ended = this.#end.promise;
  readonly #watch: ReturnType<typeof setInterval>;
  #isResting = false;
  /** Reports that the program rests, still to come: one after its start, and one after each result. */
  #rests = 1;
  /** It has reported its end, and waits for nothing. */
  #hasEnded = false;
  #isClosed = false;
  #busyMs: (() => number) | null = null;
  readonly #backlog = new Backlog();

  constructor(
    private readonly thread: Worker,
    data: ProgramData,
    private readonly events: ProgramEvents,
  ) {
    // It may end before anyone waits for it.
    this.ended.catch(() => undefined);
    thread.ref();
    thread.postMessage({ ...data, backlog: this.#backlog.buffer });
    thread.on('message', (message: unknown) => this.#takeSafely(message));
    thread.on('error', (error) => this.#limit(`its thread failed: ${error.message}`));
    thread.on('exit', () => this.#limit('its thread ended'));
    this.#watch = setInterval(() => {
      if (this.#isResting) return;
      this.#busyMs ??= measureCpu(processCpuMs, () => thread.performance.eventLoopUtilization().active);
      if (this.#busyMs() > STUCK_CPU_MS) this.#limit('it computed for more than 5 seconds');
    }, WATCH_MS);
  }

  /** Delivers results, in this order. */
  settle(ends: readonly Settle[]): void {
    this.#isResting = false;
    this.#rests += ends.length;
    if (!this.#isClosed) this.thread.postMessage(ends);
  }

  /** Ends the thread. Waiters of the program fail with the reason, unless it has ended. */
  async close(reason: unknown): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#watch);
    this.#end.reject(reason);
    if (this.#hasEnded && idle.size < IDLE_MAX) rest(this.thread);
    else await this.thread.terminate();
  }

  #limit(message: string): void {
    this.#end.resolve({ type: 'limit', message, line: null, column: null });
  }

  /** No message of a program can end the server. */
  #takeSafely(message: unknown): void {
    try {
      this.#take(SandboxMessage.parse(message));
    } catch (thrown) {
      if (thrown instanceof RangeError) this.#limit('its data nests too deep');
      else void this.close(thrown);
    }
  }

  #take(message: SandboxMessage): void {
    switch (message.type) {
      case 'call':
        return this.events.call(message);
      case 'emit':
        // It may have waited for the store.
        this.#busyMs = null;
        return void this.events
          .emit(message.item)
          // All messages of a thread are read in one turn: without a pause, a program could fill it.
          .then(message.item.length > SMALL_UNITS ? pause : undefined)
          .finally(() => this.#backlog.release(message.item));
      case 'log':
        return this.events.log(message.text);
      case 'rests':
        this.#busyMs = null;
        this.#rests -= 1;
        // A result that is on its way may give it more to do.
        if (this.#rests > 0) return;
        this.#isResting = true;
        return this.events.rests();
      case 'unknown':
        return this.#end.reject(
          new SpillwayError('program_diverged', `The program did not make call ${message.id} of its record.`),
        );
      default:
        // Exhausted memory is released with its thread.
        this.#hasEnded = message.type !== 'limit';
        this.#end.resolve(message);
    }
  }
}
