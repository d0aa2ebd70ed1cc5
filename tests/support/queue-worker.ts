import { wideGraph } from '../../fixtures/crawl-graph.ts';
import { createRedactor } from '../../server/libraries/redaction/index.ts';
import { startWorker } from '../../server/queue/index.ts';
import type { ReadAsked, Readers } from '../../server/queue/worker.ts';
import { GraphSource } from '../crawl/unit/graph-source.ts';
import { silentLogger as logger } from './app-options.ts';

/** Reads from a graph, as private browsers would from the web. */
export function readGraph(source: GraphSource): ReadAsked {
  return async (asked, signal) => {
    if (asked.kind === 'page') return { kind: 'page', ...(await source.page(asked.href, signal)) };
    return { kind: 'resource', ...(await source.resource({ href: asked.href })) };
  };
}

/** One reader for all crawls. */
export const forAll =
  (read: ReadAsked): Readers =>
  () =>
    Promise.resolve({ read, leave: () => undefined });

/** As a program it is a worker, to be killed: `QUEUE SIZE`, the size of the graph. */
const [, program = '', queue, size] = process.argv;
if (program.endsWith('program.mjs') && queue !== undefined)
  await startWorker({
    ...{ place: { queue }, reader: forAll(readGraph(new GraphSource(wideGraph(Number(size), 4)))), logger },
    ...{
      redactor: createRedactor({ enabled: true }),
      lanes: 3,
      jobMs: 60_000,
      jobBytes: 1_000_000,
      leaseMs: 500,
    },
  });
