import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Recipe } from '../shared/recipes/recipe.ts';
import { BLOCKS, fillBlocks } from './lib/docs-blocks.ts';
import { errorsPage, toolsPage } from './lib/docs-pages.ts';
import { formatAs } from './lib/format.ts';

/*
 * Writes the reference pages, and the marked blocks of other pages, from the code: `npm run docs`. With `--check` it
 * writes nothing and fails if a committed page is stale.
 */
const ROOT = join(import.meta.dirname, '..');
const PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/tools.md': toolsPage,
  'docs/errors.md': errorsPage,
};

const RECIPE_SCHEMA = 'docs/recipe.schema.json';
const recipeSchema = (): Promise<string> =>
  formatAs(
    ROOT,
    RECIPE_SCHEMA,
    JSON.stringify(z.toJSONSchema(Recipe, { io: 'input', unrepresentable: 'any' })),
  );

const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

const fillPage = (page: string): Promise<string> =>
  formatAs(ROOT, page, fillBlocks(page, read(page), BLOCKS[page] ?? {}));

const wanted = [
  [RECIPE_SCHEMA, await recipeSchema()] as const,
  ...(await Promise.all(Object.entries(PAGES).map(async ([page, make]) => [page, await make()] as const))),
  ...(await Promise.all(Object.keys(BLOCKS).map(async (page) => [page, await fillPage(page)] as const))),
];
for (const [page, text] of wanted) {
  if (read(page) === text) {
    console.log(`${page} is fresh`);
  } else if (process.argv.includes('--check')) {
    console.error(`${page} is stale: run \`npm run docs\` and commit it`);
    process.exitCode = 1;
  } else {
    writeFileSync(join(ROOT, page), text);
    console.log(`${page} written`);
  }
}
