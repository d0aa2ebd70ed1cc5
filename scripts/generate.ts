import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeIndexes, staleIndexes, type Generated } from './lib/generate/indexes.ts';
import { makeToolArguments } from './lib/generate/tool-arguments.ts';

/*
 * Writes the indexes of tools and modes from their folders, and the library's types of arguments from
 * the tools' schemas: `npm run generate`. With `--check` it writes nothing and fails when one is stale.
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
      writeFileSync(join(ROOT, path), wanted.get(path) ?? '');
      console.log(`${path} written`);
    }
  }
  if (stale.length === 0) console.log(`${[...wanted.keys()].join(', ')}: fresh`);
}

settle(await makeIndexes(ROOT));
// It reads the manifests through an index.
if (process.exitCode === undefined) settle(await makeToolArguments(ROOT));
