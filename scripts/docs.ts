import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorsPage, toolsPage } from './lib/docs-pages.ts';

/*
 * Writes the reference pages that are made from the code: `npm run docs`. With `--check` it writes
 * nothing and fails when a committed page differs from what the code says.
 */
const ROOT = join(import.meta.dirname, '..');
const PAGES = { 'docs/tools.md': toolsPage, 'docs/errors.md': errorsPage } as const;

const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};

const isCheck = process.argv.includes('--check');
for (const [page, make] of Object.entries(PAGES)) {
  const path = join(ROOT, page);
  const wanted = make();
  if (read(path) === wanted) {
    console.log(`${page} is fresh`);
  } else if (isCheck) {
    console.error(`${page} is not what the code says: run \`npm run docs\` and commit it`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, wanted);
    console.log(`${page} written`);
  }
}
