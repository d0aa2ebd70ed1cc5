import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint, readStamp } from './fingerprint.mjs';
import { CACHE, ROOT, mustRun } from './run.mjs';
import { PlainError } from './steps.mjs';

const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.stamp');
const SOURCES = [
  'extension',
  'server',
  'shared',
  'vite.config.ts',
  'package-lock.json',
  'tsconfig.base.json',
  // Bundled for the tools that search and read them.
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs',
];
const MODES = {
  server: '.',
  library: 'library',
  extension: 'extension',
  content: 'extension',
  extract: 'extension',
  widget: 'widgets',
};
const PROGRAMS = ['index.js', 'host.js'];
const PRODUCTS = [
  ...PROGRAMS,
  'chromium.js',
  'docs.json',
  'widgets/run.html',
  ...['spillway.js', 'anthropic.js', 'ai-sdk.js'].map((file) => `library/${file}`),
  'types/server/library/index.d.ts',
  ...['manifest.json', 'worker.js', 'page.js', 'extract.js'].map((file) => `extension/${file}`),
];

/** What the sources would be built to is in `dist` already. */
export function isBuildFresh() {
  return readStamp(STAMP) === fingerprint(ROOT, SOURCES);
}

/** What set-up and builds hold while they work. */
export const SETUP_LOCK = join(CACHE, 'setup.lock');

/**
 * Builds server, worker and pages, content scripts and widgets at once into a folder of its own, which then
 * takes the place of `dist`: a build that fails leaves the last good one alone. The caller holds
 * {@link SETUP_LOCK}.
 */
export async function build() {
  const stamp = fingerprint(ROOT, SOURCES);
  const folder = join(CACHE, 'build');
  const fresh = join(folder, 'new');
  const old = join(folder, 'old');
  // What a build that was killed has left.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  try {
    // Every build ends before a failure is reported: none may write into a folder that is being removed.
    const builds = await Promise.allSettled([
      ...Object.entries(MODES).map(([mode, place]) => buildMode(mode, join(fresh, place))),
      writeDeclarations(join(fresh, 'types')),
    ]);
    const failed = builds.find(({ status }) => status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    const missing = PRODUCTS.filter((file) => !existsSync(join(fresh, file)));
    if (missing.length > 0) throw new PlainError(`The build did not make ${missing.join(', ')}`);
    for (const program of PROGRAMS) chmodSync(join(fresh, program), 0o755);
    writeFileSync(join(fresh, '.stamp'), `${stamp}\n`);
    if (existsSync(DIST)) renameSync(DIST, old);
    renameSync(fresh, DIST);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function buildMode(mode, outDir) {
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const args = [vite, 'build', '--mode', mode, '--outDir', outDir];
  return mustRun(process.execPath, args, { env: { NO_COLOR: '1', FORCE_COLOR: '0' } });
}

/** The types of what the package exports. */
function writeDeclarations(outDir) {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  return mustRun(process.execPath, [tsc, '-p', join(ROOT, 'server/tsconfig.types.json'), '--outDir', outDir]);
}
