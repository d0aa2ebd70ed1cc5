import { availableParallelism } from 'node:os';
import { npm } from './lib/run.mjs';
import { PlainError, formatDuration, paint, runMain } from './lib/steps.mjs';

/** npm scripts: the longest that use one core first, and at the end those that use every core. */
const CHECKS = [
  'format',
  'lint:tier',
  'knip',
  'lint:tool-schemas',
  'lint:wording',
  'docs:check',
  'generate:check',
  'typecheck',
  'lint',
];

async function check(name) {
  const startedAt = performance.now();
  const failure = await npm(['run', '--silent', name]).then(
    () => null,
    (error) => error.message,
  );
  const mark = failure === null ? paint('green', '✔') : paint('red', '✘');
  const took = paint('dim', formatDuration(performance.now() - startedAt));
  console.log(`  ${mark} ${name.padEnd(18)}${took}`);
  if (failure !== null) console.log(failure.replaceAll(/^/gm, '    '));
  return failure === null;
}

/** Runs every check, as many at once as there are cores; the output of those that fail is shown. */
export async function runChecks() {
  console.log(paint('bold', '\nChecks'));
  const waiting = [...CHECKS];
  const results = [];
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      results.push({ name, ok: await check(name) });
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return results.filter(({ ok }) => !ok).map(({ name }) => name);
}

if (process.argv[1] === import.meta.filename)
  await runMain(async () => {
    const failed = await runChecks();
    if (failed.length > 0) throw new PlainError(`Failed: ${failed.join(', ')}`);
  });
