import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE, ROOT, run } from './lib/run.mjs';
import { PlainError, runMain } from './lib/steps.mjs';

/*
 * `npm run typecheck`: checks every project that tsconfig.json references. The native compiler does
 * it; the bundler of declarations needs the API of the compiler before it, which keeps the name
 * `typescript`.
 *
 * One checker a project: several would each work out the types of zod again, which takes half as much
 * CPU time more. Rare garbage collection is a trade of memory for time.
 */
const TSC = join(ROOT, 'node_modules/typescript-7/bin/tsc');

await runMain(async () => {
  const { references } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'));
  const failures = [];
  for (const { path } of references) {
    const name = path.replace('./', '').replaceAll('/', '-');
    const buildInfo = join(CACHE, `typescript-7/${name}.tsbuildinfo`);
    const args = ['-p', join(ROOT, path), '--checkers', '1', '--incremental', '--tsBuildInfoFile', buildInfo];
    const { code, output } = await run(process.execPath, [TSC, ...args], { env: { GOGC: '400' } });
    if (code !== 0) failures.push(output.trimEnd());
  }
  if (failures.length > 0) throw new PlainError(failures.join('\n'));
});
