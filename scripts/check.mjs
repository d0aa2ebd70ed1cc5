import { availableParallelism } from 'node:os';
import { createChecks } from './lib/checks/checks.mjs';
import { weightTable } from './weight.mjs';
import { PlainError, formatDuration, paint, runMain } from './lib/steps.mjs';

async function check(name, work, print) {
  const startedAt = performance.now();
  const { detail, message } = await work().then(
    (done) => ({ detail: done ?? '', message: null }),
    (error) => ({ detail: '', message: error instanceof PlainError ? error.message : error.stack }),
  );
  const mark = message === null ? paint('green', '✔') : paint('red', '✘');
  const took = paint('dim', formatDuration(performance.now() - startedAt).padEnd(10));
  print(`  ${mark} ${name.padEnd(15)}${took}${detail}`.trimEnd());
  if (message !== null) print(message.replaceAll(/^/gm, '    '));
  return message === null;
}

/**
 * Runs every check, as many at once as there are cores; the output of those that fail is shown.
 * @returns {Promise<string[]>} the names of those that failed
 */
export async function runChecks(print = (line) => console.log(line)) {
  print(paint('bold', '\nChecks'));
  const waiting = Object.entries(createChecks());
  const failed = [];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, work] = next;
      if (!(await check(name, work, print))) failed.push(name);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return failed;
}

if (process.argv[1] === import.meta.filename)
  await runMain(async () => {
    const failed = await runChecks();
    console.log(`\n${weightTable()}`);
    if (failed.length > 0) throw new PlainError(`Failed: ${failed.join(', ')}`);
  });
