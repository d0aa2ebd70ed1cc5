import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runChecks } from './check.mjs';
import { memoryFolder } from './lib/memory-folder.mjs';
import { CACHE, ROOT, run } from './lib/run.mjs';
import { PlainError, paint, runMain } from './lib/steps.mjs';
import { setUp } from './setup.mjs';

const REPORT = join(CACHE, 'vitest.json');

/**
 * `npm test`: set-up, every check, every test. `--fast` leaves out what starts a browser or kills
 * processes. Whatever else follows goes to vitest (a filter on file names, `-t`), and then only the
 * tests that it selects run: no check, and no build unless one of them needs it.
 */
await runMain(async () => {
  const args = process.argv.slice(2);
  const fast = args.includes('--fast');
  const selection = args.filter((arg) => arg !== '--fast');
  const whole = selection.length === 0;
  rmSync(REPORT, { force: true });
  await setUp(whole ? { browser: !fast, tests: !fast } : { build: false, browser: false });
  const failedChecks = whole ? await runChecks() : [];

  console.log(paint('bold', '\nTests'));
  const temporary = process.env.TMPDIR ?? memoryFolder();
  const { code } = await run(
    process.execPath,
    [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...vitestArgs({ fast, selection })],
    { inherit: true, env: temporary === null ? {} : { TMPDIR: temporary } },
  );
  const { passed, failed } = readTotals();
  console.log(`\ntests: ${passed} passed, ${failed} failed`);
  const reasons = [
    ...failedChecks.map((name) => `check ${name}`),
    ...(code === 0 ? [] : [`vitest ended with ${code}`]),
    ...(passed > 0 ? [] : ['no test passed']),
  ];
  if (reasons.length > 0) throw new PlainError(`Failed: ${reasons.join(', ')}`);
});

/** Vitest writes no report when no file matches. */
function readTotals() {
  if (!existsSync(REPORT)) return { passed: 0, failed: 0 };
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(REPORT, 'utf8'));
  return { passed: numPassedTests, failed: numFailedTests };
}

function vitestArgs({ fast, selection }) {
  const project = fast ? ['--project', 'fast'] : [];
  return [
    'run',
    ...project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${REPORT}`,
    ...selection,
  ];
}
