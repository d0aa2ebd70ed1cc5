import { existsSync, mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryFolder } from '../../../scripts/lib/memory-folder.mjs';

test('a folder that does not exist is not used', () => {
  expect(memoryFolder('/nowhere/at/all')).toBeNull();
});

test.runIf(existsSync('/proc'))(
  'a folder without room, or in which nothing can be created, is not used',
  () => {
    expect(memoryFolder('/proc')).toBeNull();
  },
);

test('looking leaves nothing behind', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-memory-'));
  memoryFolder(folder);
  expect(readdirSync(folder)).toEqual([]);
  rmdirSync(folder);
});
