import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const file = join(import.meta.dirname, '../../../extension/ui/styles/tokens.css');
const tokens = readFileSync(file, 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');

it('both themes and high contrast have every colour', () => {
  const [themes = '', forced = ''] = tokens.split('@media (forced-colors: active)');
  const namesIn = (css: string, value: RegExp): string[] =>
    [...css.matchAll(/--([a-z-]+):\s*([^;]+);/g)]
      .filter(([, , given = '']) => value.test(given))
      .map(([, name = '']) => name)
      .sort();
  expect(namesIn(themes, /#/)).toEqual(namesIn(forced, /^[A-Z]/));
  expect(namesIn(themes, /#/).length).toBeGreaterThan(10);
});
