import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fingerprint } from '../../../scripts/lib/fingerprint.mjs';

const root = mkdtempSync(join(tmpdir(), 'spillway-fingerprint-'));
afterAll(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, 'folder/deep'), { recursive: true });
const file = join(root, 'folder/deep/a.ts');
writeFileSync(file, 'one');

const now = (): string => fingerprint(root, ['folder', 'missing.json']);

test('stays when only times change', () => {
  const before = now();
  utimesSync(file, 1, 1);
  expect(now()).toBe(before);
});

test.each([
  ['a content', () => writeFileSync(file, 'two')],
  ['a name', () => renameSync(file, join(root, 'folder/deep/b.ts'))],
  ['a new file', () => writeFileSync(join(root, 'folder/c.ts'), '')],
  ['a file that was missing', () => writeFileSync(join(root, 'missing.json'), '{}')],
  ['a missing file', () => rmSync(join(root, 'folder/c.ts'))],
])('changes with %s', (_name, change) => {
  const before = now();
  change();
  expect(now()).not.toBe(before);
});
