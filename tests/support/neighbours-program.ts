import { setTimeout as delay } from 'node:timers/promises';
import type { Runs } from '../../server/core/runs.ts';
import { graphStart, openGraphRuns } from './runs-graph.ts';

/*
 * Servers that share a home, one of them always about to commit:
 *
 *     alone HOME WHAT    two in this process: the one is asked for WHAT about the run of the other
 *     several HOME       one in this process, that works and looks at the runs of the others meanwhile
 */

const ASKED = 40;
/** Two processes meet less often. */
const ASKED_AFAR = 40;

const [command = '', home = '', what = ''] = process.argv.slice(2);
/** More than there is time for. */
const endless = graphStart({ pages: 1_000_000, size: 10, at_once: 2 });

const ask: Readonly<Record<string, (runs: Runs, runId: string) => Promise<unknown>>> = {
  list: (runs) => runs.list({ count: 5 }),
  get: (runs, runId) => runs.get(runId),
  resume: (runs, runId) => expectBusy(runs.resume(runId)),
  cancel: (runs, runId) => expectBusy(runs.cancel(runId, 'a neighbour')),
};

async function expectBusy(work: Promise<unknown>): Promise<void> {
  const code: unknown = await work.then(
    () => 'no error',
    (thrown: unknown) => (thrown instanceof Error && 'code' in thrown ? thrown.code : thrown),
  );
  if (code !== 'run_busy') throw new Error(`run_busy was expected, and not ${String(code)}`);
}

/** It works, and commits: on a slow disk the first commit may be yet to come. Who waits has a deadline for it all. */
async function expectAtWork(runs: Runs, runId: string): Promise<void> {
  for (;;) {
    const { status, items } = await runs.get(runId);
    if (status !== 'running') throw new Error(`The run is ${status} with ${items} items.`);
    if (items > 0) return;
    await delay(10);
  }
}

async function alone(): Promise<void> {
  const near = openGraphRuns(home);
  const { run_id } = await near.start(endless);
  for (let asked = 0; asked < ASKED; asked += 1) {
    // A server that has not met the run has to open it.
    const far = openGraphRuns(home);
    await ask[what]?.(far, run_id);
    await far.close();
  }
  await expectAtWork(near, run_id);
  await near.close();
}

async function several(): Promise<void> {
  const runs = openGraphRuns(home);
  const { run_id } = await runs.start(endless);
  for (let asked = 0; asked < ASKED_AFAR; asked += 1) await runs.list({ count: 5 });
  await expectAtWork(runs, run_id);
  await runs.close();
}

if (command === 'alone') await alone();
if (command === 'several') await several();
