import { readFileSync } from 'node:fs';

/*
 * Adds up the reports of the runners and prints `N passed, N failed`. A missing report, one that reports its own
 * failure, or one without tests counts as a failure.
 */
let passed = 0;
let failed = 0;
let isGood = true;
for (const path of process.argv.slice(2)) {
  try {
    const report = JSON.parse(readFileSync(path, 'utf8'));
    passed += report.numPassedTests;
    failed += report.numFailedTests;
    isGood &&= report.success === true && report.numFailedTests === 0 && report.numPassedTests > 0;
  } catch (error) {
    console.error(`No report at ${path}: ${error.message}`);
    isGood = false;
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = isGood && passed > 0 ? 0 : 1;
