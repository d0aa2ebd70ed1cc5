import { writeSync } from 'node:fs';
import { codeIn } from './code-of.ts';
import { openGraphRuns } from './runs-graph.ts';

/* Reads the run RUN_ID of HOME and prints the error codes: `damaged-program.ts HOME RUN_ID [LOOK…]`. */

const [home = '', runId = '', ...looks] = process.argv.slice(2);
const runs = openGraphRuns(home);

async function look(what: string): Promise<string> {
  switch (what) {
    case 'page':
      return `${(await runs.page({ runId, offset: 0, limit: 10 })).returned} items`;
    case 'args':
      return (await runs.args(runId)).tool;
    case 'resume':
      return (await runs.resume(runId)).status;
    case 'list':
      return `${(await runs.list({ count: 10 })).runs.length} listed`;
    default:
      return (await runs.get(runId)).status;
  }
}

const codes: string[] = [];
for (const what of looks.length === 0 ? ['get'] : looks) codes.push(await look(what).catch(codeIn));
writeSync(1, codes.join(' '));
await runs.close();
