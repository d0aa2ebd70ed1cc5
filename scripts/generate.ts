import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeIndexes, staleIndexes } from './lib/generate/indexes.ts';

/*
 * Writes the indexes of tools and modes from their folders: `npm run generate`. With `--check` it
 * writes nothing and fails when a committed index is stale.
 */
const ROOT = join(import.meta.dirname, '..');

const wanted = await makeIndexes(ROOT);
const stale = staleIndexes(ROOT, wanted);
for (const path of stale) {
  if (process.argv.includes('--check')) {
    console.error(`${path} is stale: run \`npm run generate\` and commit it`);
    process.exitCode = 1;
  } else {
    writeFileSync(join(ROOT, path), wanted.get(path) ?? '');
    console.log(`${path} written`);
  }
}
if (stale.length === 0) console.log(`${wanted.size} indexes are fresh`);
