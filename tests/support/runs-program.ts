import { writeSync } from 'node:fs';
import { findRun, forLong, graphStart, openGraphRuns } from './runs-graph.ts';

/*
 * A process that works on a run, to be killed by the fault tests:
 *
 *     HOME PAGES SIZE AT_ONCE   crawls the graph, or goes on with the crawl that HOME has
 *
 * It prints a line of JSON a step; each names what is on the disk by then.
 */

const say = (value: object): void => void writeSync(1, `${JSON.stringify(value)}\n`);

const [home = '', pages = '0', size = '0', atOnce = '8'] = process.argv.slice(2);
const runs = openGraphRuns(home, (done) => say({ done }));
const known = await findRun(home, runs);
const start = graphStart({ pages: Number(pages), size: Number(size), at_once: Number(atOnce) });
const { run_id, status } = known === undefined ? await runs.start(start) : await runs.get(known);
if (status === 'interrupted') await runs.resume(run_id);
say({ run_id });
await runs.wait(run_id, forLong);
say({ ended: (await runs.get(run_id)).status });
await runs.close();
