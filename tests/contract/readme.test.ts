import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { serverCommand } from '../../server/cli/options.ts';
import { withOutputFields } from '../../server/core/augment.ts';
import { LIMITS } from '../../shared/limits.ts';
import { MANIFESTS } from '../../shared/tools/index.ts';

const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');

/** The first column of the table under a heading, bare of marks. */
function firstColumn(heading: string): string[] {
  const section = readme.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, cell]) => cell ?? '');
}

test('the README names every flag of the server and no other', () => {
  const flags = serverCommand().options.map(({ long }) => long);
  const named = firstColumn('Flags').map((cell) => cell.split(' ')[0]);
  expect(named.toSorted()).toEqual(flags.filter((flag) => flag !== '--version').toSorted());
});

test('the README says the defaults as they are', () => {
  for (const { long, defaultValue } of serverCommand().options) {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${long ?? ''}`)) ?? '';
    if (typeof defaultValue === 'number' && defaultValue !== LIMITS.outputMaxBytes)
      expect(row).toContain(String(defaultValue));
  }
  expect(LIMITS.outputMaxBytes).toBe(4 * 1024 ** 3);
});

test('the README names every tool that takes output_mode and no other', () => {
  const [sentence = ''] = /^.* take `output_mode`/m.exec(readme) ?? [];
  const named = [...sentence.matchAll(/`([^`]+)`/g)]
    .map(([, name]) => name)
    .filter((name) => name !== 'output_mode');
  const taking = MANIFESTS.map(withOutputFields).filter(({ input }) => 'output_mode' in input.shape);
  expect(named.toSorted()).toEqual(taking.map(({ name }) => name).toSorted());
});

test('the README names every tool and no other', () => {
  expect(firstColumn('Tools').toSorted()).toEqual(MANIFESTS.map(({ name }) => name).toSorted());
});
