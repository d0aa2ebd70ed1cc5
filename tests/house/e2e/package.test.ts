import { itDeep } from '../../support/depth.ts';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { zipExtension } from '../../../scripts/lib/extension-zip.mjs';
import { VERSION } from '../../../shared/base/version.ts';
import { pack } from '../../support/packed.ts';

// The contents of the package. package.deep.test.ts installs and uses it.

const ROOT = resolve(import.meta.dirname, '../../..');
const DIST = join(ROOT, 'dist');
/**
 * PDFs are 0.93 million of them, Firefox's worker and pages 0.36, the queue, axe-core, both eras of MCP and the
 * interpreter of programs 0.2 each.
 */
const MAX_PACKED_BYTES = 4_533_000;
/** A face that is loaded when it is shown is a file of its own, as is a library that a start does not need. */
const MAX_FILES = 460;
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const built = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).map((name) =>
  name.replaceAll('\\', '/'),
);

test('the package is what was built and what explains it, few files and small', () => {
  const { files, sizeBytes } = pack(null);
  expect(sizeBytes).toBeLessThan(MAX_PACKED_BYTES);
  expect(files.length).toBeLessThan(MAX_FILES);
  expect(new Set(files.map((path) => path.split('/')[0]))).toEqual(
    new Set(['LICENSE', 'README.md', 'dist', 'docs', 'examples', 'package.json']),
  );
  // No sources, no declarations of modules, and no pictures but the extension's own icons.
  expect(files.filter((path) => /\.tsx?$/.test(path)).toSorted()).toEqual(
    ['ai-sdk', 'anthropic', 'shared', 'spillway', 'workflow'].map((name) => `dist/library/${name}.d.ts`),
  );
  const pictures = files.filter((path) => /\.(png|jpe?g|svg|gif|webp)$/.test(path));
  expect(pictures.filter((path) => !path.includes('/icons/'))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining([
      'dist/index.js',
      'dist/host.js',
      'dist/docs.json.br',
      'dist/library/spillway.js',
      'dist/extension/manifest.json',
      'dist/extension/THIRD-PARTY-NOTICES.txt',
      'dist/THIRD-PARTY-NOTICES.txt',
    ]),
  );
});

/** The modules that a built file names: a program is parsed, since it is minified. */
function modulesOf(name: string): string[] {
  const code = read(`dist/${name}`);
  if (!name.endsWith('.js'))
    return [...code.matchAll(/\bfrom ["']([^"']+)["']/g)].map(([, from = '']) => from);
  const { staticImports, dynamicImports } = parseSync(name, code).module;
  const required = [...code.matchAll(/\(import\.meta\.url\)\([`"']([^`"']+)[`"']\)/g)].map(
    ([, from = '']) => from,
  );
  const loaded = dynamicImports.flatMap(
    ({ moduleRequest: { start, end } }) => /^[`"'](.*)[`"']$/.exec(code.slice(start, end))?.[1] ?? [],
  );
  return [...staticImports.map(({ moduleRequest }) => moduleRequest.value), ...loaded, ...required];
}

function imported(ending: RegExp): string[] {
  return built
    .filter((name) => ending.test(name))
    .flatMap(modulesOf)
    .flatMap((name) => /^(?:@[^/]+\/)?[a-z][^/]*/.exec(name)?.[0] ?? [])
    .filter((name) => !isBuiltin(name) && !name.startsWith('node:') && name !== 'spillway');
}

test('the package imports what its users install, and no more', () => {
  const Versions = z.record(z.string(), z.string());
  const { dependencies, peerDependencies } = z
    .object({ dependencies: Versions, peerDependencies: Versions })
    .parse(JSON.parse(read('package.json')));
  // pdf.js would draw with packages that its thread does not need.
  const used = imported(/^(?!pdf-worker).*(?:\.js|\.d\.ts)$/);
  const known = Object.keys({ ...dependencies, ...peerDependencies });
  expect(used.filter((name) => !known.includes(name))).toEqual([]);
  expect(Object.keys(dependencies).filter((name) => !used.includes(name))).toEqual([]);
});

test('the notices list every package that was bundled', () => {
  const sources = ['server', 'shared', 'extension'].flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.d)\.tsx?$/.test(name))
      .map((name) => read(join(room, name))),
  );
  // The last is replaced by the browser's own API.
  const external = ['libsql', 'ai', '@anthropic-ai/sdk', 'webextension-polyfill'];
  const bundled = sources
    .flatMap((text) => [
      ...text.matchAll(/^import (?!type\b)[^;]*?from '((?:@[^/']+\/)?(?!node:)[a-z][^/':]*)/gm),
    ])
    .map(([, name = '']) => name)
    .filter((name) => !external.includes(name));
  const notices = read('dist/THIRD-PARTY-NOTICES.txt');
  const listed = [...notices.matchAll(/^(\S+)@\S+ \([^)]+\)\nhttps:/gm)].map(([, name]) => name);
  expect(new Set(bundled).size).toBeGreaterThan(20);
  expect([...new Set(bundled)].filter((name) => !listed.includes(name))).toEqual([]);
});

test("the extension's zip has the version, the notices and no key, and looks for no development build", () => {
  const entries = unzipSync(zipExtension(join(DIST, 'extension'), join(ROOT, 'LICENSE')));
  const text = (name: string): string => strFromU8(entries[name] ?? new Uint8Array());
  const manifest: unknown = JSON.parse(text('manifest.json'));
  expect(manifest).toMatchObject({ version: VERSION, manifest_version: 3 });
  expect(manifest).not.toHaveProperty('key');
  const names = Object.keys(entries);
  expect(names).toEqual(expect.arrayContaining(['LICENSE', 'THIRD-PARTY-NOTICES.txt', 'worker.js']));
  expect(names.filter((name) => /\.map$|^dev-build/.test(name))).toEqual([]);
  expect(text('worker.js')).not.toContain('dev-build.txt');
});

itDeep('a program compiles against the built declarations', () => {
  const tsc = join(ROOT, 'node_modules/typescript-7/bin/tsc');
  // It imports `spillway` from its own package.
  const project = join(ROOT, 'tests/support/consumer/tsconfig.exact.json');
  execFileSync(process.execPath, [tsc, '-p', project, '--checkers', '1'], { encoding: 'utf8' });
});
