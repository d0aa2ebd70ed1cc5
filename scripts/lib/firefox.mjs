import { canInstallSystemPackages, installSystemPackages } from './packages.mjs';
import { which } from './run.mjs';
import { PlainError } from './steps.mjs';

/** The Firefox of the tests: a named one, or one on the PATH; null if there is none. */
export const findFirefox = () => process.env.SPILLWAY_FIREFOX || (which('firefox-esr') ?? which('firefox'));

/** Finds a Firefox for the tests that need one, or installs it. */
export async function ensureFirefox(say) {
  const found = findFirefox();
  if (found !== null) return found;
  if (!canInstallSystemPackages())
    throw new PlainError(
      'The tests of the Firefox build need Firefox 153 or newer: install it, or set SPILLWAY_FIREFOX to its path.',
    );
  say('installing: apt-get');
  await installSystemPackages(['firefox-esr']);
  return 'installed (apt-get)';
}
