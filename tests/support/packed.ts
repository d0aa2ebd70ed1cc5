import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const ROOT = resolve(import.meta.dirname, '../..');
const Dependencies = z.record(z.string(), z.string()).default({});
const Lock = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({
      dependencies: Dependencies,
      optionalDependencies: Dependencies,
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      peer: z.boolean().optional(),
    }),
  ),
});
const Manifest = z.looseObject({ version: z.string(), dependencies: Dependencies, bin: Dependencies });
const Packed = z.tuple([
  z.object({ filename: z.string(), size: z.number(), files: z.array(z.object({ path: z.string() })) }),
]);

export interface PackedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly files: readonly string[];
}

/** Packs the build into `folder`; with null, only lists what would be packed. */
export function pack(folder: string | null): PackedFile {
  const where = folder === null ? ['--dry-run'] : ['--pack-destination', folder];
  const out = execFileSync('npm', ['pack', '--json', '--ignore-scripts', ...where], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename, size, files }] = Packed.parse(JSON.parse(out));
  return { path: join(folder ?? '', filename), sizeBytes: size, files: files.map(({ path }) => path) };
}

/**
 * Installs a tarball and `others` into an empty project, in the versions of the repository's lock file. The packages
 * come from npm's cache, filled by `npm ci`; the registry is asked only for missing ones.
 */
export function installPacked(tarball: string, project: string, others: readonly string[]): void {
  const { packages } = Lock.parse(readJson('package-lock.json'));
  const { version, bin, dependencies } = Manifest.parse(readJson('package.json'));
  const wanted: Record<string, object> = {};
  const add = (name: string, from: string): void => {
    const path = findPackage(packages, name, from);
    const entry = path === undefined ? undefined : packages[path];
    if (path === undefined || entry === undefined || path in wanted) return;
    const { dev: _dev, devOptional: _devOptional, peer: _peer, ...kept } = entry;
    wanted[path] = kept;
    for (const inner of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }))
      add(inner, path);
  };
  for (const name of [...Object.keys(dependencies), ...others]) add(name, '');

  const asked = { spillway: `file:${tarball}`, ...Object.fromEntries(others.map((name) => [name, '*'])) };
  const own = { version, resolved: `file:${tarball}`, bin, dependencies };
  const lock = {
    lockfileVersion: 3,
    packages: { '': { dependencies: asked }, 'node_modules/spillway': own, ...wanted },
  };
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', dependencies: asked }));
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify(lock));
  execFileSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** The path in a lock file of the package that a module of the package at `from` gets for `name`. */
function findPackage(
  packages: Readonly<Record<string, unknown>>,
  name: string,
  from: string,
): string | undefined {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (path in packages) return path;
  if (from === '') return undefined;
  return findPackage(packages, name, from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1)));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}
