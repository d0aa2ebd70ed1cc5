import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { toSpillwayError } from '../../../shared/base/errors.ts';
import { BUNDLED_CMAPS, unpackFolder } from '../../core/bundled.ts';
import { openPdf, Order, type Answer } from './document.ts';

/*
 * Reads one PDF in a thread of its own, so that a file that never ends, or takes all memory, is ended with the
 * thread. `text.ts` starts it and asks for the text page by page.
 */
let tables: ReadonlyMap<string, Uint8Array> | undefined;

function readCMap(name: string): Uint8Array | undefined {
  tables ??= unpackFolder(readFileSync(join(import.meta.dirname, BUNDLED_CMAPS)));
  return tables.get(name);
}

const Data = z.instanceof(Uint8Array);
const port = parentPort;
if (port === null) throw new Error('This file runs only as the worker of a PDF.');

const post = (answer: Answer): void => port.postMessage(answer);
const fail = (thrown: unknown): void => {
  const { code, message } = toSpillwayError(thrown);
  post({ type: 'failed', code, message });
};

try {
  const document = await openPdf(Data.parse(workerData), readCMap);
  const { pages } = document;
  port.on('message', (order: unknown) => {
    const { page } = Order.parse(order);
    document.text(page).then((text) => post({ type: 'read', pages, text }), fail);
  });
  post({ type: 'read', pages, text: '' });
} catch (thrown) {
  fail(thrown);
}
