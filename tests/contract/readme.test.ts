import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Option } from 'commander';
import { expect, test } from 'vitest';
import { serverCommand } from '../../server/cli/options.ts';

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

const GIB = 1024 ** 3;
/** What a flag does that has no default of its own. */
const UNSET: Readonly<Record<string, string>> = {
  '--http': 'off',
  '--launch': 'off',
  '--browser': 'found',
  '--tools': 'the default set',
};

/** A flag's default as the README writes it. */
function defaultOf({ long, envVar, defaultValue, negate }: Option): string {
  const value = ((): string => {
    if (long === '--home') return '`~/.spillway`';
    // A flag `--no-…` is about what else is on.
    if (defaultValue === false || negate) return 'off';
    if (typeof defaultValue === 'string') return `\`${defaultValue}\``;
    if (typeof defaultValue !== 'number') return UNSET[long ?? ''] ?? 'none';
    return defaultValue % GIB === 0 ? `${defaultValue / GIB} GiB` : String(defaultValue);
  })();
  return envVar === undefined ? value : `${value} or \`${envVar}\``;
}

test('the README says the defaults as they are', () => {
  const options = serverCommand().options.filter(({ long }) => long !== '--version');
  const rows = [...readme.matchAll(/^\| `(--[a-z-]+)[^`]*` +\| (.+?) +\|/gm)];
  expect(Object.fromEntries(rows.map(([, long, told]) => [long, told]))).toEqual(
    Object.fromEntries(options.map((option) => [option.long, defaultOf(option)])),
  );
});
