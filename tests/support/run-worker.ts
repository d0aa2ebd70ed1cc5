import { appendFileSync } from 'node:fs';
import { executeInOwnBrowser } from '../../server/cli/worker-runs.ts';
import { produceJson } from '../../server/core/calls/produce.ts';
import { createRedactor } from '../../server/redact/index.ts';
import { startWorker, type RunningWorker } from '../../server/scale/worker.ts';
import type { RunWork } from '../../server/scale/run-worker.ts';
import { delay } from '../../shared/async.ts';
import { silentLogger as logger } from './app-options.ts';
import { browserState, FakeBridge } from './fake-bridge.ts';
import { testProvider, testTool } from './test-provider.ts';
import type { ProvidedTool } from '../../server/core/registry/definition.ts';

const MARK_MS = 60;
/** A process that a busy machine stops for a second is not dead. */
const LEASE_MS = 15_000;
/** How soon another worker has the run of one that is. */
export const SHORT_LEASE_MS = 1_000;
const LAUNCH = { headless: true, browserPath: null, args: [] };

/** An act: `mark` says what it did to `onMark`, and answers when that has ended. */
export const markTool = (onMark: (word: string, signal: AbortSignal) => Promise<void>): ProvidedTool =>
  testTool({
    name: 'mark',
    kind: 'direct',
    async run(args, { signal }) {
      const word = String(args['word']);
      await onMark(word, signal);
      return produceJson({ word });
    },
  });

export type Marking = Partial<RunWork> & { readonly lanes?: number; readonly leaseMs?: number };

/** A worker that reads no pages, and whose programs mark. */
export function startMarking(
  place: { readonly queue: string },
  mark: ProvidedTool,
  { lanes = 4, leaseMs = LEASE_MS, ...runs }: Marking = {},
): Promise<RunningWorker> {
  const bridge = new FakeBridge();
  bridge.change(browserState());
  const parts = { bridge, providers: [testProvider('marks', [mark])] };
  return startWorker({
    ...{
      place,
      reader: () => Promise.reject(new Error('It reads no pages.')),
      logger,
      lanes,
      leaseMs,
    },
    ...{ redactor: createRedactor({ enabled: true }), jobMs: 5_000, jobBytes: 100_000 },
    runs: { execute: executeInOwnBrowser({ logger, launch: LAUNCH }, parts), runMs: 60_000, ...runs },
  });
}

/** As a program it is a worker, to be killed: `QUEUE FILE`, which gets a line for each mark. */
const [, program = '', queue, path] = process.argv;
if (program.endsWith('program.mjs') && queue !== undefined && path !== undefined)
  await startMarking(
    { queue },
    markTool(async (word) => {
      appendFileSync(path, `${word}\n`);
      // A kill may come in between.
      await delay(MARK_MS);
    }),
    { lanes: 2, leaseMs: SHORT_LEASE_MS },
  );
