import { Worker } from 'node:worker_threads';
import { deferred, withTimeout } from '../../../shared/async/wait.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { findBundledProgram } from '../../toolkit/bundled.ts';
import { Answer, type Order } from './order.ts';

const TIME_MS = 30_000;
const MEMORY_MB = 1_024;

/** Analyses a trace. It is worth keeping if that fails. */
export async function analyseInThread(order: Order, signal: AbortSignal): Promise<Answer> {
  let worker: Worker | undefined;
  try {
    worker = new Worker(findBundledProgram('trace-worker.js'), {
      workerData: order,
      // The library's output is not a protocol frame.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    const answer = deferred<unknown>();
    worker.once('message', answer.resolve);
    worker.once('error', answer.reject);
    worker.once('exit', () => answer.reject(new Error('its thread ended')));
    const late = (): Error => new Error(`it takes longer than ${TIME_MS} ms`);
    return Answer.parse(await withTimeout(answer.promise, TIME_MS, late, signal));
  } catch (thrown) {
    signal.throwIfAborted();
    return { failed: messageOf(thrown) };
  } finally {
    await worker?.terminate();
  }
}
