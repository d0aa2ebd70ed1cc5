import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { RULES_FILE, SOURCE_FILE, rulesFile } from '../../../scripts/lib/gitleaks/module.ts';
import { parseRe2, printNode } from '../../../scripts/lib/gitleaks/re2.ts';
import { convertRules } from '../../../scripts/lib/gitleaks/rules.ts';
import { BUNDLED_DATA } from '../../../scripts/lib/notices.mjs';

const read = (path: string): string => readFileSync(resolve(import.meta.dirname, '../../..', path), 'utf8');
const toml = read(SOURCE_FILE);

it('the committed rules follow from the copy of gitleaks', () =>
  expect(read(RULES_FILE)).toBe(rulesFile(toml)));

it('the notices name the version of the copy', () =>
  expect(toml.split('\n')[0]).toBe(`# gitleaks v${BUNDLED_DATA[0]?.version}`));

it('every rule of gitleaks is used or left out for a reason', () => {
  const { shapes, named, left } = convertRules(toml);
  expect(shapes.length + named.length).toBeGreaterThan(190);
  for (const [, reason] of left) expect(reason).not.toBe('');
});

it.each([
  ['abc', 'abc'],
  ['(?i)a(?-i:b)c', '[Aa]b[Cc]'],
  ['[[:alnum:]]{14}\\.', '[0-9A-Za-z]{14}\\.'],
  ['(?i)[a-f0-9]{2,}', '[0-9A-Fa-f]{2,}'],
])('RE2 becomes JavaScript %s', (re2, javascript) => expect(printNode(parseRe2(re2))).toBe(javascript));
