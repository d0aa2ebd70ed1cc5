import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../shared/base/message-of.ts';
import { parseJson } from '../../shared/base/json-schema.ts';
import { analyse } from './analysis.ts';
import { Order, type Answer } from './order.ts';

/* Analyses one trace in a thread of its own: a page determines the time and the memory that its trace takes. */
const port = parentPort;
if (port === null) throw new Error('This file runs only as the worker of a trace.');
const post = (answer: Answer): void => port.postMessage(answer);

try {
  const { events, own } = Order.parse(workerData);
  post({ figures: await analyse(parseJson(events), own) });
} catch (thrown) {
  post({ failed: messageOf(thrown) });
}
