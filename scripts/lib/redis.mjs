import { canInstallSystemPackages, installSystemPackages } from './packages.mjs';
import { which } from './run.mjs';
import { PlainError } from './steps.mjs';

/** Finds redis-server, which tests of the queue start, or installs it. */
export async function ensureRedis(say) {
  const found = which('redis-server');
  if (found !== null) return found;
  if (!canInstallSystemPackages())
    throw new PlainError('The tests of the queue need redis-server: install it with the package manager.');
  say('installing: apt-get');
  await installSystemPackages(['redis-server']);
  return 'installed (apt-get)';
}

/**
 * Arguments of a redis-server on loopback whose append-only file is in a folder.
 * @param {number} port
 * @param {string} folder
 */
export const redisArguments = (port, folder) => [
  ...['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder],
  ...['--save', '', '--appendonly', 'yes'],
];
