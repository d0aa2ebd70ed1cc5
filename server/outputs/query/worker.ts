import { parentPort } from 'node:worker_threads';
import { toSpillwayError } from '../../../shared/base/errors.ts';
import { nodeFileSystem } from '../../core/output/checked-file.ts';
import { notFound } from '../../core/output/format.ts';
import { openFiles } from '../../core/output/reader.ts';
import { createOutputQueries } from './index.ts';
import { Order, type Answer } from './order.ts';

/* Answers questions about outputs in a thread of its own: a question and an output determine the time that they take. */
const port = parentPort;
if (port === null) throw new Error('This file runs only as the worker of a query.');
const post = (answer: Answer): void => port.postMessage(answer);
const clock = { monotonic: () => performance.now() };
const { signal } = new AbortController();

async function answer({ request, outputs, pageBytes }: Order): Promise<Answer> {
  const store = {
    open: async (handle: string) => {
      const stored = outputs.find(({ meta }) => meta.handle === handle);
      if (stored === undefined) throw notFound(handle, 'unknown');
      return openFiles(nodeFileSystem, stored.path, stored.meta);
    },
  };
  return { answered: await createOutputQueries(store, clock, pageBytes).query(request, signal) };
}

port.on('message', (order: unknown) => {
  answer(Order.parse(order)).then(post, (thrown: unknown) => {
    const { code, message, hint, retryable } = toSpillwayError(thrown);
    post({ failed: { code, message, hint, retryable } });
  });
});
