import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { OptionsSchema } from '../../server/library/options.ts';
import { LAUNCH, SETTINGS } from '../../server/settings.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/library.md'), 'utf8');

test('docs/library.md names every option', () => {
  expect(Object.keys(OptionsSchema.shape).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('docs/library.md names everything that the package exports', () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: object };
  const names = Object.keys(exports).filter((path) => path !== './package.json');
  expect(names).toHaveLength(3);
  for (const path of names) expect(page).toContain(`\`spillway${path.slice(1)}\``);
});

test('the comments of options say the defaults as they are', () => {
  const source = readFileSync(join(ROOT, 'server/library/options.ts'), 'utf8');
  const units: Readonly<Record<string, number>> = { '': 1, ' MiB': 2 ** 20, ' GiB': 2 ** 30 };
  const documented = new Map<string, string | number>();
  for (const [, value = '', name = ''] of source.matchAll(/Default: ([^\n]+)\. \*\/\n\s+readonly (\w+)\?/g)) {
    const [, digits, unit = ''] = /^([\d,]+)( [MG]iB)?$/.exec(value) ?? [];
    documented.set(
      name,
      digits === undefined ? value : Number(digits.replaceAll(',', '')) * (units[unit] ?? NaN),
    );
  }
  const settings = Object.entries({ ...SETTINGS, ...LAUNCH });
  const numbers = settings.filter(([, { byDefault }]) => typeof byDefault === 'number');
  expect(numbers.length).toBeGreaterThan(5);
  for (const [name, { byDefault }] of numbers) expect(documented.get(name), name).toBe(byDefault);
  const switches = settings.filter(([, { byDefault }]) => typeof byDefault === 'boolean');
  for (const [name, { byDefault }] of switches) expect(documented.get(name), name).toBe(String(byDefault));
});
