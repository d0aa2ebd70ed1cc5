import { canInstallSystemPackages, installSystemPackages } from './packages.mjs';
import { mustRun, which } from './run.mjs';
import { PlainError } from './steps.mjs';

/** The first long-term release with `userScripts.execute`, tab groups and documents by id. */
export const OLDEST_FIREFOX = 153;

const ADVICE = `install Firefox ${OLDEST_FIREFOX} or newer, or set SPILLWAY_FIREFOX to its path.`;

/** The Firefox of the tests: a named one, or one on the PATH; null if there is none. */
export const findFirefox = () => process.env.SPILLWAY_FIREFOX || (which('firefox-esr') ?? which('firefox'));

/** Finds a Firefox for the tests that need one, or installs it. */
export async function ensureFirefox(say) {
  if (findFirefox() === null) {
    if (!canInstallSystemPackages())
      throw new PlainError(`The tests need Firefox, which only root can install with apt-get: ${ADVICE}`);
    say('installing: apt-get');
    await installSystemPackages(['firefox-esr']);
  }
  const path = findFirefox();
  const version = await mustRun(path, ['--version']);
  if (Number(/ (\d+)\./.exec(version)?.[1]) >= OLDEST_FIREFOX) return path;
  throw new PlainError(`${path} is too old, or no Firefox: ${version.trim()}: ${ADVICE}`);
}
