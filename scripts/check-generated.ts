import { MANIFESTS } from '../shared/core/tools/index.ts';
import { lintManifests } from './lint-tool-schemas.ts';

/*
 * With `--check`, does the work of `lint:tool-schemas`, `generate:check` and `docs:check` in one process: each spends
 * most of its time on importing the manifests.
 */
for (const problem of lintManifests(MANIFESTS)) {
  console.error(problem);
  process.exitCode = 1;
}
await import('./generate.ts');
await import('./docs.ts');
