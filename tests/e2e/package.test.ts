import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

// What `npm pack` puts into the package, and what the package asks its users to install.

const ROOT = resolve(import.meta.dirname, '../..');
const Packed = z.tuple([z.object({ files: z.array(z.object({ path: z.string() })) })]);
const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()),
  peerDependencies: z.record(z.string(), z.string()),
});

/** The packages that files below `folder` import by name. */
function imported(folder: string, ending: string, statement: RegExp): Set<string> {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  const names = files
    .filter((name) => name.endsWith(ending))
    .flatMap((name) => [...readFileSync(join(ROOT, folder, name), 'utf8').matchAll(statement)])
    .map(([, name = '']) => name)
    .filter((name) => !isBuiltin(name) && name !== 'spillway');
  return new Set(names);
}

test('the package holds what was built and what explains it, and no sources', () => {
  const out = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }] = Packed.parse(JSON.parse(out));
  const paths = files.map(({ path }) => path);
  expect(new Set(paths.map((path) => path.split('/')[0]))).toEqual(
    new Set(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'docs', 'examples', 'package.json']),
  );
  expect(paths.filter((path) => /(?<!\.d)\.tsx?$/.test(path))).toEqual([]);
  expect(paths).toEqual(
    expect.arrayContaining([
      'dist/index.js',
      'dist/host.js',
      'dist/docs.json',
      'dist/library/spillway.js',
      'dist/types/server/library/index.d.ts',
      'dist/extension/manifest.json',
    ]),
  );
});

test('its users install what the built files import, and no more', () => {
  const { dependencies, peerDependencies } = Manifest.parse(
    JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')),
  );
  const run = imported('dist', '.js', /(?:\bfrom ?|\bimport\()["'`]([a-z@][^"'`]*)["'`]/g);
  const typed = imported(
    'dist/types/server/library',
    '.d.ts',
    /(?:\bfrom |\bimport\()["']([a-z@][^"']*)["']/g,
  );
  const own = Object.keys(dependencies);
  expect([...run].filter((name) => !(name in peerDependencies) && !own.includes(name))).toEqual([]);
  expect(own.filter((name) => !run.has(name) && !typed.has(name))).toEqual([]);
});
