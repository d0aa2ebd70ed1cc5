import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint, readStamp } from '../../scripts/lib/fingerprint.mjs';
import { CACHE, npm, ROOT } from '../../scripts/lib/run.mjs';

/** Installs a fixture's own packages from its lock file: component libraries are only in the deep run. */
export async function installPackages(folder: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const stamp = join(CACHE, `${folder.replaceAll('/', '-')}.stamp`);
  const wanted = fingerprint(ROOT, [`${folder}/package-lock.json`]);
  if (existsSync(join(ROOT, folder, 'node_modules')) && readStamp(stamp) === wanted) return;
  console.log(`npm ci in ${folder}, from its lock file`);
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await npm(['ci', '--prefix', join(ROOT, folder), '--legacy-peer-deps', ...quiet]);
  writeFileSync(stamp, wanted);
}
