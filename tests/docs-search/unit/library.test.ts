import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import {
  DocsLibrary,
  BUNDLED_DOCS,
  packDocs,
  readDocs,
  readSourcePages,
} from '../../../server/docs-search/library.ts';
import { ERRORS, toSpillwayError } from '../../../shared/base/errors.ts';
import { testFolder } from '../../support/test-folder.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const folder = testFolder();
const library = new DocsLibrary(await readDocs());

const failure = (name: string): { code: string; message: string } => {
  try {
    library.fetch(name);
  } catch (thrown) {
    return toSpillwayError(thrown);
  }
  throw new Error(`${name} was found`);
};

test.each([
  ['output_handle_not_found', 'docs/errors.md'],
  ['evidnce bundle', 'docs/evidence.md'],
])('"%s" leads to %s', async (query, page) => {
  const hits = await library.search(query, 5);
  expect(hits.map((hit) => hit.page)).toContain(page);
});

test('each code leads to what it says', async () => {
  for (const [code, { hint }] of Object.entries(ERRORS)) {
    const section = `docs/errors.md#${code}`;
    expect((await library.search(code, 5)).map((hit) => hit.section)).toContain(section);
    expect(library.fetch(section).markdown).toContain(hint);
  }
});

test('a page is found by its path or its name, a section by its anchor or heading', () => {
  const { markdown } = library.fetch('docs/install.md');
  expect(markdown).toMatch(/^# Installing/);
  for (const name of ['install', 'install.md', 'DOCS/Install.md', './docs/install.md'])
    expect(library.fetch(name).markdown).toBe(markdown);
  const section = library.fetch('docs/install.md#spillway-doctor').markdown;
  expect(section).toMatch(/^## `spillway doctor`/);
  expect(library.fetch('install#spillway doctor').markdown).toBe(section);
  expect(library.fetch('readme').markdown).toMatch(/^# Spillway/);
});

test.each([
  ['docs/instal.md', 'docs/install.md'],
  ['install#spillway-docter', 'docs/install.md#spillway-doctor'],
])('%s is unknown, and the answer names %s', (name, near) => {
  const { code, message } = failure(name);
  expect(code).toBe('docs_page_not_found');
  expect(message).toContain(near);
});

test.each(['../package.json', '/etc/passwd', 'package.json'])(
  'no path leads out of the documentation: %s',
  (name) => expect(failure(name).code).toBe('docs_page_not_found'),
);

test('the build has the same pages, next to the program and above its chunks', async () => {
  const all = await readSourcePages(ROOT);
  expect(all.map(({ page }) => page)).toContain('docs/adr/0001-one-package-and-its-rooms.md');
  const pages = all.slice(0, 3);
  writeFileSync(join(folder, BUNDLED_DOCS), await packDocs(pages));
  mkdirSync(join(folder, 'chunks'));
  expect(await readDocs(folder)).toEqual(pages);
  expect(await readDocs(join(folder, 'chunks'))).toEqual(pages);
});
