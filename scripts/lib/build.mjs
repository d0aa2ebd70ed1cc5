import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fingerprint, readStamp } from './fingerprint.mjs';
import { BUNDLED_DATA, NOTICES, formatNotices } from './notices.mjs';
import { CACHE, ROOT, mustRun } from './run.mjs';
import { PlainError } from './steps.mjs';
import { widgetNames } from './widgets.mjs';

const DIST = join(ROOT, 'dist');
const STAMP = join(DIST, '.stamp');
export const SOURCES = [
  'extension',
  'server',
  'shared',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'scripts/lib/build.mjs',
  'scripts/lib/build-modes.mjs',
  'scripts/lib/declarations.mjs',
  'scripts/lib/node-builds.ts',
  'scripts/lib/firefox-build.ts',
  'scripts/lib/firefox.mjs',
  'scripts/lib/notices.mjs',
  'scripts/lib/widgets.mjs',
  'scripts/licences',
  // Bundled for the tools that search and read them.
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs',
];
const WIDGETS = widgetNames(ROOT);
const EXTENSION_SOURCES = ['extension', 'shared', 'vite.config.ts', 'package.json', 'package-lock.json'];
/** Folders of the extension, one for each kind of browser. */
const EXTENSIONS = ['extension', 'firefox'];
const MODES = {
  server: '.',
  host: '.',
  pdf: '.',
  program: '.',
  extension: 'extension',
  firefox: 'firefox',
  content: 'extension',
  guard: 'extension',
  person: 'extension',
  extract: 'extension',
  audit: 'extension',
  readability: 'extension',
  parser: 'extension',
  theme: 'extension',
  ...Object.fromEntries(WIDGETS.map((name) => [`widget-${name}`, 'widgets'])),
};
const PROGRAMS = ['index.js', 'host.js'];
const PRODUCTS = [
  ...PROGRAMS,
  'chromium.js',
  'docs.json.br',
  'pdf-worker.js',
  'query-worker.js',
  'trace-worker.js',
  'source-map-worker.js',
  'program-worker.js',
  'quickjs.wasm.br',
  'pdf-cmaps.br',
  'widgets.br',
  ...['spillway.js', 'anthropic.js', 'ai-sdk.js', 'workflow.js'].map((file) => `library/${file}`),
  ...['spillway.d.ts', 'anthropic.d.ts', 'ai-sdk.d.ts', 'workflow.d.ts', 'shared.d.ts'].map(
    (file) => `library/${file}`,
  ),
  ...[
    'manifest.json',
    'worker.js',
    'page.js',
    'guard.js',
    'person.js',
    'readability.js',
    'extract.js',
    'audit.js',
    'parser.js',
    'parser.html',
    'theme.js',
  ].flatMap((file) => EXTENSIONS.map((folder) => `${folder}/${file}`)),
];

export function isBuildFresh() {
  return readStamp(STAMP) === fingerprint(ROOT, SOURCES);
}

export const SETUP_LOCK = join(CACHE, 'setup.lock');

/**
 * Builds server, worker and pages, content scripts and widgets at once into a folder of its own, which then
 * takes the place of `dist`: a build that fails leaves the last good one alone. The caller holds
 * {@link SETUP_LOCK}.
 * @param {{ dev?: boolean }} options `dev` leaves out declarations, and lets the extension reload itself
 *   after the next build; nothing but `npm run dev` takes such a build for a fresh one
 */
export async function build({ dev = false } = {}) {
  const stamp = fingerprint(ROOT, SOURCES);
  const env = dev ? { SPILLWAY_DEV_BUILD: fingerprint(ROOT, EXTENSION_SOURCES) } : {};
  const folder = join(CACHE, 'build');
  const fresh = join(folder, 'new');
  const old = join(folder, 'old');
  // Left by a killed build.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  try {
    // Every build ends before a failure is reported: none may write into a folder that is being removed.
    const builds = await Promise.allSettled([
      buildModes(fresh, env),
      ...(dev ? [] : [buildDeclarations(join(fresh, 'library'), join(folder, 'types'))]),
    ]);
    const failed = builds.find(({ status }) => status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    const products = dev ? PRODUCTS.filter((file) => !file.endsWith('.d.ts')) : PRODUCTS;
    shareScripts(fresh);
    const missing = products.filter((file) => !existsSync(join(fresh, file)));
    if (missing.length > 0) throw new PlainError(`The build did not make ${missing.join(', ')}`);
    writeNotices(fresh);
    rmSync(join(fresh, 'widgets'), { recursive: true });
    for (const program of PROGRAMS) chmodSync(join(fresh, program), 0o755);
    if (!dev) writeFileSync(join(fresh, '.stamp'), `${stamp}\n`);
    if (existsSync(DIST)) renameSync(DIST, old);
    renameSync(fresh, DIST);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A process of its own: set-up may have to install Vite first, and vite.config.ts may change under `npm run dev`. */
function buildModes(fresh, env) {
  const builds = Object.entries(MODES).map(([mode, place]) => `${mode}=${join(fresh, place)}`);
  const program = join(ROOT, 'scripts/lib/build-modes.mjs');
  // Any other NODE_ENV, as in a test, would get into the code of widgets.
  const own = { NODE_ENV: 'production', NO_COLOR: '1', FORCE_COLOR: '0' };
  return mustRun(process.execPath, [program, ...builds], { env: { ...env, ...own } });
}

/** The compiler and the bundler of declarations are imported late: set-up may have to install them first. */
async function buildDeclarations(outDir, scratch) {
  const { writeDeclarations } = await import('./declarations.mjs');
  await writeDeclarations(outDir, scratch);
}

/** Content scripts are the same in every browser. The package has them once, and `install` does the same. */
function shareScripts(fresh) {
  const [from, to] = EXTENSIONS.map((folder) => join(fresh, folder));
  for (const name of readdirSync(from).filter((each) => each.endsWith('.js') && !existsSync(join(to, each))))
    copyFileSync(join(from, name), join(to, name));
}

/** Turns the lists of bundled packages that each build wrote into one text for the package and one for the extension. */
function writeNotices(fresh) {
  const bundled = Object.entries(MODES).map(([mode, place]) => {
    const path = join(fresh, place, `licenses-${mode}.json`);
    const packages = JSON.parse(readFileSync(path, 'utf8'));
    rmSync(path);
    return { place, packages };
  });
  const packagesOf = (builds) => builds.flatMap(({ packages }) => packages);
  writeFileSync(join(fresh, NOTICES), formatNotices([...packagesOf(bundled), ...BUNDLED_DATA]));
  for (const folder of EXTENSIONS) {
    const extension = bundled.filter(({ place }) => place === folder || place === 'extension');
    writeFileSync(join(fresh, folder, NOTICES), formatNotices(packagesOf(extension)));
  }
}
