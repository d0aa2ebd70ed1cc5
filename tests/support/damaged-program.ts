import { writeSync } from 'node:fs';
import { openGraphRuns } from './runs-graph.ts';

/* Looks at the run RUN_ID of HOME and prints the code of what it meets: `damaged-program.ts HOME RUN_ID`. */

const [home = '', runId = ''] = process.argv.slice(2);
const runs = openGraphRuns(home);
const code: unknown = await runs.get(runId).then(
  ({ status }) => status,
  (thrown: unknown) => (thrown instanceof Error && 'code' in thrown ? thrown.code : thrown),
);
writeSync(1, String(code));
await runs.close();
