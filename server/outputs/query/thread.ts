import type { Worker } from 'node:worker_threads';
import { defer, withTimeout } from '../../../shared/base/async.ts';
import { invalidArgument, SpillwayError } from '../../../shared/base/errors.ts';
import { messageOf } from '../../../shared/base/message-of.ts';
import { Queue } from '../../../shared/base/queue.ts';
import type { QueriedPage, QueryRequest } from '../../core/output/index.ts';
import { startThread } from '../../core/bundled.ts';
import { withOutput, type OutputSource } from '../../core/output/reader.ts';
import { Answer, type Order } from './order.ts';

/** The thread answers with a part of the rows before. */
const TIME_MS = 30_000;
const MEMORY_MB = 1_024;
const AT_ONCE = 2;
/** How long a thread waits for another question. */
const IDLE_MS = 30_000;

/** A thread, and a promise that rejects when it ends. */
interface Thread {
  readonly worker: Worker;
  readonly ended: Promise<never>;
}

/** Answers questions in threads, which are ended with the questions that take too long. */
class QueryThreads {
  readonly #queue = new Queue(AT_ONCE);
  #idle: Thread | null = null;

  /** @throws SpillwayError of the query, `timeout`, or the signal's reason */
  ask(order: Order, signal: AbortSignal): Promise<QueriedPage> {
    return this.#queue.add(async () => {
      signal.throwIfAborted();
      const thread = this.#take();
      const { worker, ended } = thread;
      const message = new Promise((resolve) => worker.once('message', resolve));
      const late = (): SpillwayError =>
        new SpillwayError('timeout', `The query took longer than ${TIME_MS / 1000} s.`);
      try {
        worker.postMessage(order);
        const answer = Answer.parse(await withTimeout(Promise.race([message, ended]), TIME_MS, late, signal));
        this.#keep(thread);
        if ('answered' in answer) return answer.answered;
        const { code, message: reason, ...how } = answer.failed;
        throw new SpillwayError(code, reason, how);
      } finally {
        if (this.#idle !== thread) void worker.terminate();
      }
    });
  }

  #take(): Thread {
    const idle = this.#idle;
    this.#idle = null;
    idle?.worker.ref();
    return idle ?? this.#start();
  }

  #start(): Thread {
    const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MB };
    const worker = startThread('query-worker.js', null, { resourceLimits });
    const { promise: ended, reject } = defer<never>();
    worker.once('error', (error: Error) => reject(buildCrash(error)));
    worker.once('exit', () => reject(buildCrash(new Error('its thread ended'))));
    ended.catch(() => {
      if (this.#idle?.worker === worker) this.#idle = null;
    });
    return { worker, ended };
  }

  #keep(thread: Thread): void {
    if (this.#idle !== null) return;
    this.#idle = thread;
    thread.worker.unref();
    setTimeout(() => {
      if (this.#idle !== thread) return;
      this.#idle = null;
      void thread.worker.terminate();
    }, IDLE_MS).unref();
  }
}

const buildCrash = (error: Error): SpillwayError =>
  invalidArgument(`The query was given up: ${messageOf(error)}.`, 'Ask for less at once.');

export type OutputQueries = ReturnType<typeof createQueryThreads>;

/**
 * Answers questions about stored outputs without returning all of them. A query throws SpillwayError `invalid_argument` that
 * names the field, and what reading a handle throws.
 * @param pageBytes `--output-page-bytes`
 */
export function createQueryThreads(store: OutputSource, pageBytes: number) {
  const threads = new QueryThreads();
  const query = (request: QueryRequest, signal: AbortSignal): Promise<QueriedPage> =>
    withOutput(store, request.output_handle, async (output) => {
      const ask = (...all: readonly { readonly path: string; readonly meta: typeof output.meta }[]) =>
        threads.ask({ request, pageBytes, outputs: all.map(({ path, meta }) => ({ path, meta })) }, signal);
      if (request.diff === undefined) return ask(output);
      return withOutput(store, request.diff, (other) => ask(output, other));
    });
  return { query };
}
