import { execFileSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { committedPages, findRun, LONG_WAIT, graphStart, openGraphRuns } from './runs-graph.ts';
import { codeIn } from './code-of.ts';

/*
 * A process that works on a run, to be killed and starved by the fault tests:
 *
 *     work HOME PAGES SIZE AT_ONCE   crawls the graph, or resumes HOME's crawl
 *     faulty HOME PAGES SIZE AT_ONCE the same, on an unreliable disk
 *     look HOME RUN_ID               looks at one run
 *     full HOME PAGES SIZE AT_ONCE   crawls it on a disk that is too small, then on a larger one
 *
 * It prints one line of JSON per step, with the state of the disk.
 */

const say = (value: object): void => void writeSync(1, `${JSON.stringify(value)}\n`);

const [command = '', home = '', pages = '0', size = '0', atOnce = '8'] = process.argv.slice(2);
const start = graphStart({ pages: Number(pages), size: Number(size), at_once: Number(atOnce) });
const runs = openGraphRuns(home, (done) => say({ done }));

async function work(): Promise<void> {
  const known = await findRun(home, runs);
  const { run_id, status } = known === undefined ? await runs.start(start) : await runs.get(known);
  if (status === 'interrupted') await runs.resume(run_id);
  say({ run_id });
  await runs.wait(run_id, LONG_WAIT);
  say({ ended: (await runs.get(run_id)).status });
}

/** Everything refused has a code, and the process continues. */
async function faulty(): Promise<void> {
  const refused = await work().then(() => null, codeIn);
  if (refused !== null) say({ refused });
}

async function full(): Promise<void> {
  const { run_id } = await runs.start(start);
  const failure = await runs.wait(run_id, LONG_WAIT).then((result) => result?.view.error?.code, codeIn);
  execFileSync('mount', ['-o', 'remount,size=100m', home]);
  await runs.resume(run_id);
  await runs.wait(run_id, LONG_WAIT);
  const committed = await committedPages(runs, run_id);
  const isWhole = committed.length === Number(pages) && new Set(committed).size === Number(pages);
  say({ failed: failure, ended: (await runs.get(run_id)).status, isWhole });
}

if (command === 'look') say({ refused: await runs.get(pages).then(() => null, codeIn) });
if (command === 'work') await work();
if (command === 'full') await full();
if (command === 'faulty') await faulty();
await runs.close();
