import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cruise, format } from 'dependency-cruiser';
import { ROOT } from './lib/run.mjs';
import { PlainError, runMain } from './lib/steps.mjs';

const ROOMS = ['shared', 'extension', 'server', 'tests', 'fixtures', 'scripts'];
/** A cruise that saw fewer has looked in the wrong place, and would find every rule kept. */
const LEAST_MODULES = 30;

await runMain(async () => {
  const { options, ...ruleSet } = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
  process.chdir(ROOT);
  const rooms = ROOMS.filter((room) => existsSync(room));
  const { output } = await cruise(rooms, { ...options, ruleSet, validate: true, outputType: 'json' });
  const result = JSON.parse(output);
  const ours = result.modules.filter(({ source }) => rooms.some((room) => source.startsWith(`${room}/`)));
  if (ours.length < LEAST_MODULES)
    throw new PlainError(`Only ${ours.length} modules were cruised; at least ${LEAST_MODULES} are there.`);
  if (result.summary.violations.length > 0) {
    const { output: report } = await format(result, { outputType: 'err-long' });
    throw new PlainError(report.trim());
  }
  console.log(
    `${ours.length} modules, ${result.summary.totalDependenciesCruised} dependencies, no violation`,
  );
});
