import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Option } from 'commander';
import { expect, test } from 'vitest';
import { serverCommand } from '../../server/cli/options.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/flags.md'), 'utf8');

const GIB = 1024 ** 3;
const UNSET: Readonly<Record<string, string>> = {
  '--http': 'off',
  '--launch': 'off',
  '--browser': 'found',
  '--tools': 'the default set',
};

/** A flag's default as the page writes it. */
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

test('docs/flags.md lists every flag of the server, and no other, with its default', () => {
  const options = serverCommand().options.filter(({ long }) => long !== '--version');
  const rows = [...page.matchAll(/^\| `(--[a-z-]+)[^`]*` +\| (.+?) +\|/gm)];
  expect(Object.fromEntries(rows.map(([, long, told]) => [long, told]))).toEqual(
    Object.fromEntries(options.map((option) => [option.long, defaultOf(option)])),
  );
});
