import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { MANIFESTS } from '../../shared/tools/index.ts';

// A tool is the same word in every room: what is here and not there is a tool half added.

const ROOT = resolve(import.meta.dirname, '../..');
const NAMES: readonly string[] = MANIFESTS.map(({ name }) => name).sort();
const IDENTIFIERS = [...new Set<string>(MANIFESTS.map(({ identifier }) => identifier))].sort();

const folders = (path: string): string[] =>
  readdirSync(join(ROOT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();

test('every manifest has its folder in shared/tools, and every folder its manifest', () => {
  expect(folders('shared/tools')).toEqual(IDENTIFIERS);
});

test('every tool has its runtime in server/tools, and every folder there is a tool', () => {
  expect(folders('server/tools')).toEqual(IDENTIFIERS);
  expect(IDENTIFIERS.filter((name) => !existsSync(join(ROOT, 'server/tools', name, 'runtime.ts')))).toEqual(
    [],
  );
});

test('every folder of extension/tools is the browser half of a tool', () => {
  const halves = folders('extension/tools');
  expect(halves.length).toBeGreaterThan(0);
  expect(halves.filter((name) => !IDENTIFIERS.includes(name))).toEqual([]);
});

test('every tool has its section in the reference', () => {
  const page = readFileSync(join(ROOT, 'docs/tools.md'), 'utf8');
  const sections = [...page.matchAll(/^## (\S+)$/gm)].map(([, name]) => name).sort();
  expect(sections).toEqual(NAMES);
});
