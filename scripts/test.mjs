import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runChecks } from './check.mjs';
import { CACHE, ROOT, run } from './lib/run.mjs';
import { PlainError, paint, runMain } from './lib/steps.mjs';
import { setUp } from './setup.mjs';

const REPORT = join(CACHE, 'vitest.json');

/**
 * `npm test`: set-up, every check, every test. `--fast` leaves out what starts a browser or kills
 * processes; whatever else follows goes to vitest (a filter on file names, `-t`).
 */
await runMain(async () => {
  const args = process.argv.slice(2);
  const fast = args.includes('--fast');
  rmSync(REPORT, { force: true });
  await setUp({ browser: !fast, tests: !fast });
  const failedChecks = await runChecks();

  console.log(paint('bold', '\nTests'));
  const { code } = await run(
    process.execPath,
    [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...vitestArgs(args)],
    {
      inherit: true,
    },
  );
  const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(REPORT, 'utf8'));
  console.log(`\ntests: ${passed} passed, ${failed} failed`);
  const reasons = [
    ...failedChecks.map((name) => `check ${name}`),
    ...(code === 0 ? [] : [`vitest ended with ${code}`]),
    ...(passed > 0 ? [] : ['no test passed']),
  ];
  if (reasons.length > 0) throw new PlainError(`Failed: ${reasons.join(', ')}`);
});

function vitestArgs(args) {
  const filters = args.filter((arg) => arg !== '--fast');
  const project = args.includes('--fast') ? ['--project', 'fast'] : [];
  return [
    'run',
    ...project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${REPORT}`,
    ...filters,
  ];
}
