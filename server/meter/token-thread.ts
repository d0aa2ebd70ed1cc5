import { Worker } from 'node:worker_threads';
import { SpillwayError } from '../../shared/errors.ts';
import { findBundledProgram } from '../toolkit/bundled-program.ts';
import type { Counter } from './count-queue.ts';
import { CountAnswer, type CountOrder } from './protocol.ts';

/** The thread's program, as the build names it. */
const TOKENS_WORKER = 'tokens-worker.js';
/** Loading the vocabulary on a busy machine, and counting what one order holds. */
const COUNT_MS = 30_000;
/** An idle thread is ended after this long, which frees its memory. */
const IDLE_MS = 60_000;

interface Waiting {
  readonly id: number;
  readonly resolve: (tokens: readonly number[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Counts in a thread that is started when there is something to count. It keeps no process running. */
export class TokenThread implements Counter {
  readonly #program: string | undefined;
  #worker: Worker | null = null;
  #waiting: Waiting | null = null;
  #idle: NodeJS.Timeout | null = null;
  #id = 0;

  constructor(program?: string) {
    this.#program = program;
  }

  async count(texts: readonly string[]): Promise<readonly number[]> {
    if (this.#waiting !== null)
      throw new SpillwayError('internal_error', 'Tokens are being counted already.');
    if (this.#idle !== null) clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    const id = (this.#id += 1);
    const deadline = setTimeout(
      () => this.#fail(new SpillwayError('timeout', 'Counting tokens took too long.')),
      COUNT_MS,
    );
    deadline.unref();
    try {
      return await new Promise<readonly number[]>((resolve, reject) => {
        this.#waiting = { id, resolve, reject };
        const order: CountOrder = { id, texts };
        worker.postMessage(order);
      });
    } finally {
      clearTimeout(deadline);
      this.#waiting = null;
      this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
    }
  }

  async close(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#fail(new SpillwayError('cancelled', 'The thread that counts tokens was ended.'));
  }

  #start(): Worker {
    // What a library prints is not a protocol frame.
    const worker = new Worker(this.#program ?? findBundledProgram(TOKENS_WORKER), {
      stdout: true,
      stderr: true,
    });
    const failed = (error: unknown): void => {
      if (this.#worker === worker) this.#fail(error);
    };
    worker.on('message', (message: unknown) => {
      const answer = CountAnswer.safeParse(message);
      if (answer.success && answer.data.id === this.#waiting?.id) this.#waiting.resolve(answer.data.tokens);
    });
    worker.on('error', failed);
    worker.on('exit', () =>
      failed(new SpillwayError('internal_error', 'The thread that counts tokens has ended.')),
    );
    worker.unref();
    return worker;
  }

  /** Ends the thread and what waits for it. */
  #fail(error: unknown): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#waiting?.reject(error);
    void worker?.terminate();
  }
}
