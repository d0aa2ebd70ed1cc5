import { Worker } from 'node:worker_threads';
import { onAbort } from '../../../shared/async/abort.ts';
import { SpillwayError } from '../../../shared/errors.ts';
import { findBundledProgram } from '../bundled-program.ts';
import type { PdfDocument } from './document.ts';
import { Answer, type Order } from './protocol.ts';

/** The thread's program, as the build names it. */
const PDF_WORKER = 'pdf-worker.js';

/** What one PDF may take before its thread is ended. */
export interface PdfBounds {
  /** To open it, and then for each page. */
  readonly stepMs: number;
  /** By which the process may grow: what the thread unpacks is outside of its heap. */
  readonly memoryBytes: number;
}

const MIB = 1024 * 1024;
const BOUNDS: PdfBounds = { stepMs: 20_000, memoryBytes: 768 * MIB };
const WATCH_MS = 100;

/**
 * Opens a PDF in a thread of its own. The bytes are handed over: the caller must not use them again.
 *
 * @throws SpillwayError `pdf_encrypted`, `pdf_damaged`, `pdf_too_complex`, or the signal's reason;
 * so does reading a page
 */
export async function openPdfThread(
  data: Uint8Array<ArrayBuffer>,
  options: { readonly signal: AbortSignal; readonly program?: string; readonly bounds?: Partial<PdfBounds> },
): Promise<PdfDocument> {
  const thread = new PdfThread(options.program ?? findBundledProgram(PDF_WORKER), data, {
    ...BOUNDS,
    ...options.bounds,
  });
  const stop = onAbort(options.signal, () => void thread.end(options.signal.reason));
  const close = async (): Promise<void> => {
    stop();
    await thread.end(new SpillwayError('internal_error', 'The PDF was closed.'));
  };
  try {
    options.signal.throwIfAborted();
    const opened = await thread.answer();
    if (opened.type !== 'opened') throw new SpillwayError('internal_error', 'The PDF did not open.');
    return { pages: opened.pages, text: (page) => thread.text(page), close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

class PdfThread {
  readonly #worker: Worker;
  readonly #bounds: PdfBounds;
  readonly #watch: ReturnType<typeof setInterval>;
  #failure: { readonly error: unknown } | null = null;
  #settle: { readonly resolve: (answer: Answer) => void; readonly reject: (error: unknown) => void } | null =
    null;

  constructor(program: string, data: Uint8Array<ArrayBuffer>, bounds: PdfBounds) {
    this.#bounds = bounds;
    const startBytes = process.memoryUsage.rss();
    this.#worker = new Worker(program, {
      workerData: data,
      transferList: [data.buffer],
      // What the library prints is not a protocol frame.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(bounds.memoryBytes / MIB) },
    });
    this.#worker.on('message', (message) => this.#take(message));
    this.#worker.on('error', (error) => void this.end(this.#crashed(error)));
    this.#worker.on('exit', () => void this.end(tooComplex('its thread ended')));
    this.#watch = setInterval(() => {
      if (process.memoryUsage.rss() - startBytes > bounds.memoryBytes)
        void this.end(tooComplex(`it takes more than ${Math.round(bounds.memoryBytes / MIB)} MiB of memory`));
    }, WATCH_MS);
  }

  async text(page: number): Promise<string> {
    const order: Order = { page };
    this.#worker.postMessage(order);
    const answer = await this.answer();
    if (answer.type === 'text') return answer.text;
    throw new SpillwayError('internal_error', `Page ${page} of the PDF was not answered.`);
  }

  /** The next answer, within the time of a step. */
  async answer(): Promise<Answer> {
    if (this.#failure !== null) throw this.#failure.error;
    const { stepMs } = this.#bounds;
    const timer = setTimeout(() => void this.end(tooComplex(`it takes longer than ${stepMs} ms`)), stepMs);
    try {
      const answer = await new Promise<Answer>((resolve, reject) => (this.#settle = { resolve, reject }));
      if (answer.type === 'failed') throw new SpillwayError(answer.code, answer.message);
      return answer;
    } finally {
      clearTimeout(timer);
      this.#settle = null;
    }
  }

  /** Ends the thread. What waits for it fails with the first reason. */
  async end(reason: unknown): Promise<void> {
    clearInterval(this.#watch);
    if (this.#failure === null) {
      this.#failure = { error: reason };
      this.#settle?.reject(reason);
    }
    await this.#worker.terminate();
  }

  #take(message: unknown): void {
    const answer = Answer.safeParse(message);
    if (answer.success) this.#settle?.resolve(answer.data);
    else void this.end(new SpillwayError('internal_error', 'The answer of the PDF thread is malformed.'));
  }

  #crashed(error: Error): SpillwayError {
    if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
      return tooComplex('it takes too much memory');
    return new SpillwayError('pdf_damaged', `The PDF cannot be read: ${error.message}.`, { cause: error });
  }
}

const tooComplex = (why: string): SpillwayError =>
  new SpillwayError('pdf_too_complex', `The PDF was given up: ${why}.`);
