import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { zipExtension } from '../../../scripts/lib/extension-zip.mjs';

const root = mkdtempSync(join(tmpdir(), 'spillway-zip-'));
const licence = join(root, 'LICENSE');
const FILES = {
  'worker.js': 'work();',
  'worker.js.map': '{}',
  'icons/16.png': 'picture',
  'manifest.json': '{"key":"MIIB","name":"x","version":"1.2.3"}',
  'THIRD-PARTY-NOTICES.txt': 'notices',
};

/** Writes the files in the given order, each with a time of its own. */
function write(folder: string, names: readonly string[], timeS: number): string {
  const at = join(root, folder);
  for (const [index, name] of names.entries()) {
    const path = join(at, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, Object.entries(FILES).find(([key]) => key === name)?.[1] ?? '');
    utimesSync(path, timeS + index, timeS + index);
  }
  return at;
}

beforeAll(() => writeFileSync(licence, 'licence'));
afterAll(() => rmSync(root, { recursive: true }));

test('the zip has the files of the extension and the licence, without source maps and `key`', () => {
  const zip = zipExtension(write('one', Object.keys(FILES), 1_000_000_000), licence);
  const entries = Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, strFromU8(bytes)]);
  expect(entries).toEqual([
    ['LICENSE', 'licence'],
    ['THIRD-PARTY-NOTICES.txt', 'notices'],
    ['icons/16.png', 'picture'],
    ['manifest.json', '{\n  "name": "x",\n  "version": "1.2.3"\n}\n'],
    ['worker.js', 'work();'],
  ]);
});
