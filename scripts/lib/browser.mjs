import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { canInstallSystemPackages, installSystemPackage } from './packages.mjs';
import { ROOT, run } from './run.mjs';
import { PlainError } from './steps.mjs';

/** The Chromium that a private launch uses, or null. */
export async function findBrowser() {
  const { findChromium } = await import(pathToFileURL(join(ROOT, 'dist/chromium.js')).href);
  return (await findChromium()) ?? null;
}

/** Finds a Chromium that can load the extension, or installs one. */
export async function ensureBrowser(say) {
  const found = await findBrowser();
  if (found !== null) return found;
  const reasons = [];
  for (const [name, install] of installers()) {
    say(`installing: ${name}`);
    const reason = await install().then(checkInstalled, (error) => error.message);
    if (reason === null) return `installed (${name}) ${await findBrowser()}`;
    reasons.push(`${name}: ${reason}`);
  }
  throw new PlainError(
    'No Chromium was found and none could be installed. Install Chromium or Chrome for Testing, ' +
      `or set SPILLWAY_CHROMIUM to its path.\n${reasons.join('\n')}`,
  );
}

function* installers() {
  const playwright = join(ROOT, 'node_modules/playwright/cli.js');
  yield [
    'Playwright',
    async () => {
      const { code, output } = await run(process.execPath, [playwright, 'install', 'chromium']);
      if (code !== 0) throw new PlainError(output.trim().split('\n').slice(-3).join('\n'));
    },
  ];
  if (canInstallSystemPackages()) yield ['apt-get', () => installSystemPackage('chromium')];
}

/** A downloaded browser may lack libraries of the system: it counts when it can say its version. */
async function checkInstalled() {
  const path = await findBrowser();
  if (path === null || !existsSync(path)) return 'it was installed but is not found';
  const { code, output } = await run(path, ['--version', '--no-sandbox']);
  return code === 0 ? null : `it does not start: ${output.trim().split('\n')[0]}`;
}
