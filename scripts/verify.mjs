import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE, ROOT, run } from './lib/run.mjs';
import { PlainError, paint, runMain } from './lib/steps.mjs';
import { setUp } from './setup.mjs';

const SCRIPTS = join(ROOT, 'scripts/verify');
const REPORT = join(CACHE, 'verify.json');

/** `npm run verify`: set-up, then every script of scripts/verify; what follows is passed on to them. */
await runMain(async () => {
  rmSync(REPORT, { force: true });
  await setUp();
  mkdirSync(CACHE, { recursive: true });
  const total = { success: true, numPassedTests: 0, numFailedTests: 0 };
  for (const script of readdirSync(SCRIPTS).filter((file) => file.endsWith('.mjs'))) {
    console.log(paint('bold', `\n${script}`));
    const part = join(CACHE, `verify-${script}.json`);
    rmSync(part, { force: true });
    const args = [join(SCRIPTS, script), '--report', part, ...process.argv.slice(2)];
    const { code } = await run(process.execPath, args, { inherit: true });
    const { success, numPassedTests, numFailedTests } = readPart(part);
    total.success &&= success && code === 0;
    total.numPassedTests += numPassedTests;
    total.numFailedTests += numFailedTests;
  }
  writeFileSync(REPORT, JSON.stringify(total));
  console.log(`\nverify: ${total.numPassedTests} passed, ${total.numFailedTests} failed`);
  if (!total.success || total.numPassedTests === 0) throw new PlainError('Some scenarios failed.');
});

/** A script that ended without its report has failed, and counts as one failure. */
function readPart(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return { success: false, numPassedTests: 0, numFailedTests: 1 };
  }
}
