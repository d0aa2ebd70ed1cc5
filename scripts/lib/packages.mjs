import { existsSync, lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint, readStamp } from './fingerprint.mjs';
import { ROOT, npm, run, mustRun, which } from './run.mjs';

const MODULES = join(ROOT, 'node_modules');
const STAMP = join(MODULES, '.spillway-lock');

/** Installs exactly the packages of the lock file, unless they are already installed. */
export async function ensureDependencies(say) {
  // A linked folder belongs to another checkout: `npm ci` would empty it.
  if (existsSync(MODULES) && lstatSync(MODULES).isSymbolicLink()) return 'linked from another checkout';
  const wanted = fingerprint(ROOT, ['package-lock.json']);
  if (readStamp(STAMP) === wanted) return 'up to date';
  say('npm ci, from the lock file');
  // With NODE_ENV=production, npm would leave out what builds.
  await npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(STAMP, `${wanted}\n`);
  return 'installed from the lock file';
}

/** Whether packages of the system can be installed: Debian and its like, as root. */
export function canInstallSystemPackages() {
  return process.getuid?.() === 0 && which('apt-get') !== null;
}

/** Installs packages of Debian. Another apt that is running is waited for. */
export async function installSystemPackages(names) {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const wait = ['-o', 'DPkg::Lock::Timeout=300'];
  // Old lists are good enough when they know the packages; refreshing them may fail for one source.
  await run('apt-get', [...wait, 'update', '-qq'], { env });
  await mustRun('apt-get', [...wait, 'install', '-y', '-qq', '--no-install-recommends', ...names], { env });
}
