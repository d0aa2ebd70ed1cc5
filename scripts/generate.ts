import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeIndexes, staleIndexes, type Generated } from './lib/generate/indexes.ts';
import { makeReleaseFiles } from './lib/generate/release-files.ts';
import { makeToolNames } from './lib/generate/tool-names.ts';

/*
 * Writes the files that install a release from package.json, the indexes of tools and modes from their folders, and the
 * facts that pages need about each tool from the manifests: `npm run generate`. With `--check` it writes nothing and
 * fails if one is stale.
 */
const ROOT = join(import.meta.dirname, '..');

const isCheck = process.argv.includes('--check');

/** Writes what is stale, or reports it. */
function settle(wanted: Generated): void {
  const stale = staleIndexes(ROOT, wanted);
  for (const path of stale) {
    if (isCheck) {
      console.error(`${path} is stale: run \`npm run generate\` and commit it`);
      process.exitCode = 1;
    } else {
      mkdirSync(dirname(join(ROOT, path)), { recursive: true });
      writeFileSync(join(ROOT, path), wanted.get(path) ?? '');
      console.log(`${path} written`);
    }
  }
  if (stale.length === 0) console.log(`${[...wanted.keys()].join(', ')}: fresh`);
}

settle(await makeReleaseFiles(ROOT));
settle(await makeIndexes(ROOT));
// The names read the manifests through an index.
if (process.exitCode === undefined) settle(await makeToolNames(ROOT));
