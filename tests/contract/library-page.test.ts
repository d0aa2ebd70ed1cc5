import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { OptionsSchema } from '../../server/library/options.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/library.md'), 'utf8');

test('docs/library.md names every option', () => {
  expect(Object.keys(OptionsSchema.shape).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('docs/library.md names everything that the package exports', () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: object };
  const names = Object.keys(exports).filter((path) => path !== './package.json');
  expect(names).toHaveLength(4);
  for (const path of names) expect(page).toContain(`\`spillway${path.slice(1)}\``);
});
