import { pathToFileURL } from 'node:url';
import { ensureBrowser } from './lib/browser.mjs';
import { SETUP_LOCK, build, isBuildFresh } from './lib/build.mjs';
import { ensureFirefox } from './lib/firefox.mjs';
import { withLock } from './lib/lock.mjs';
import { canInstallSystemPackages, ensureDependencies, installSystemPackages } from './lib/packages.mjs';
import { ensureRedis } from './lib/redis.mjs';
import { which } from './lib/run.mjs';
import { PlainError, paint, runMain, step } from './lib/steps.mjs';

const OLDEST_NODE = [20, 19];

/**
 * Everything that a fresh clone needs, one line per step; what is done already is skipped. Two of
 * them at once wait for each other.
 * @param {{ build?: boolean, browser?: boolean, tests?: boolean, firefox?: boolean, onDependencies?: () => void }} options `tests`
 *   adds what only tests want; a browser is found with what was built; `onDependencies` is called once the
 *   dependencies are there
 */
export async function setUp({
  build = true,
  browser = true,
  tests = false,
  firefox = tests,
  onDependencies,
} = {}) {
  console.log(paint('bold', 'Set-up'));
  await step('Node', checkNode);
  const onWait = (owner) => console.log(`  … another set-up is running (process ${owner})`);
  await withLock(
    SETUP_LOCK,
    async () => {
      await step('dependencies', ensureDependencies);
      onDependencies?.();
      if (build) await step('build', ensureBuild);
      if (browser) await step('Chromium', ensureBrowser);
      if (tests && process.platform === 'linux') await step('strace', ensureStrace);
      if (tests) await step('Redis', ensureRedis);
      if (firefox) await step('Firefox', ensureFirefox);
    },
    onWait,
  );
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = OLDEST_NODE;
  if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor))
    throw new PlainError(
      `Spillway needs Node ${OLDEST_NODE.join('.')} or later; this is ${process.version}.`,
    );
  return process.version;
}

async function ensureBuild(say) {
  if (isBuildFresh()) return 'up to date';
  say('server, extension, content scripts and widgets');
  await build();
  return 'built';
}

/** The fault tests use it to inject failures of system calls. */
async function ensureStrace(say) {
  const found = which('strace');
  if (found !== null) return found;
  if (!canInstallSystemPackages())
    throw new PlainError('The fault tests need strace: install it with the package manager of this system.');
  say('installing: apt-get');
  await installSystemPackages(['strace']);
  return 'installed (apt-get)';
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await runMain(() =>
    setUp({ browser: !process.argv.includes('--build'), tests: process.argv.includes('--tests') }),
  );
