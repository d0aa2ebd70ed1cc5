import { setTimeout as delay } from 'node:timers/promises';
import type { Runs } from '../../server/core/runs.ts';
import { graphStart, openGraphRuns } from './runs-graph.ts';

/* A server that shares a home with others: it is always about to commit, and looks at the runs of the others meanwhile. */

const ASKED = 40;
const [home = ''] = process.argv.slice(2);
/** More than there is time for. */
const endless = graphStart({ pages: 1_000_000, size: 10, at_once: 2 });

/** It works, and commits: on a slow disk the first commit may be yet to come. Who waits has a deadline for it all. */
async function expectAtWork(runs: Runs, runId: string): Promise<void> {
  for (;;) {
    const { status, items } = await runs.get(runId);
    if (status !== 'running') throw new Error(`The run is ${status} with ${items} items.`);
    if (items > 0) return;
    await delay(10);
  }
}

const runs = openGraphRuns(home);
const { run_id } = await runs.start(endless);
for (let asked = 0; asked < ASKED; asked += 1) await runs.list({ count: 5 });
await expectAtWork(runs, run_id);
await runs.close();
