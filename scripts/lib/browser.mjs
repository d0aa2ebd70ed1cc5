import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { canInstallSystemPackages, installSystemPackages } from './packages.mjs';
import { ROOT, run } from './run.mjs';
import { PlainError } from './steps.mjs';

/** Without a font, text has no size and reads as hidden. */
const DEBIAN_PACKAGES = ['chromium', 'chromium-sandbox', 'fonts-liberation'];

/** The browser that a private launch uses, or null, and why others were rejected. */
async function searchBrowser() {
  const { searchChromium } = await import(pathToFileURL(join(ROOT, 'dist/chromium.js')).href);
  const { found, passedOver } = await searchChromium();
  return { path: found?.path ?? null, reasons: passedOver.map(({ path, reason }) => `${path}: ${reason}`) };
}

/** Finds a Chromium that can load the extension, or installs one. */
export async function ensureBrowser(say) {
  const { path: found, reasons } = await searchBrowser();
  if (found !== null) return found;
  for (const [name, install] of installers()) {
    say(`installing: ${name}`);
    const reason = await install().then(checkInstalled, (error) => error.message);
    if (reason === null) return `installed (${name}): ${(await searchBrowser()).path}`;
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
      if (code !== 0) throw new PlainError(firstError(output));
    },
  ];
  if (canInstallSystemPackages()) yield ['apt-get', () => installSystemPackages(DEBIAN_PACKAGES)];
}

/** A downloaded browser may lack system libraries: it counts if it can print its version. */
async function checkInstalled() {
  const { path } = await searchBrowser();
  if (path === null) return 'it was installed but is not found';
  const { code, output } = await run(path, ['--version', '--no-sandbox']);
  return code === 0 ? null : `it does not start: ${output.trim().split('\n')[0]}`;
}

/** The line of a long report that names the error. */
function firstError(output) {
  const lines = output.trim().split('\n');
  return lines.find((line) => /\berror\b/i.test(line)) ?? lines[0];
}
