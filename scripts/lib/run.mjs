import { spawn } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { accessSync, constants } from 'node:fs';
import { PlainError } from './steps.mjs';

/** The repository. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
/** The working folder of set-up and tests: never committed. */
export const CACHE = join(ROOT, '.cache');

const TAIL_CHARACTERS = 200_000;

/**
 * Runs a program without a stdin and collects its output.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, inherit?: boolean, shell?: boolean }} options `inherit` shows the output as
 * it comes
 * @returns {Promise<{ code: number, output: string }>} `code` is 128 + signal number when a signal ended it
 */
export function run(command, args, { env = {}, inherit = false, shell = false } = {}) {
  return new Promise((fulfil, reject) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', inherit ? 'inherit' : 'pipe', inherit ? 'inherit' : 'pipe'],
      shell,
    });
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-TAIL_CHARACTERS);
    };
    child.stdout?.setEncoding('utf8').on('data', keep);
    child.stderr?.setEncoding('utf8').on('data', keep);
    const forward = (signal) => child.kill(signal);
    process.once('SIGTERM', forward);
    const settle = () => process.removeListener('SIGTERM', forward);
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('close', (code, signal) => {
      settle();
      fulfil({ code: code ?? (signal === 'SIGINT' ? 130 : 143), output });
    });
  });
}

/** Like {@link run}; a code other than 0 throws with the program's output. */
export async function mustRun(command, args, options = {}) {
  const { code, output } = await run(command, args, options).catch((error) => ({
    code: 127,
    output: error.message,
  }));
  if (code !== 0)
    throw new PlainError(`${[command, ...args].join(' ')} ended with ${code}\n${output.trimEnd()}`);
  return output;
}

/** Runs npm: the one that runs this script, else the one on the PATH. */
export function npm(args, options = {}) {
  const self = process.env.npm_execpath;
  if (self !== undefined && self.endsWith('.js')) return mustRun(process.execPath, [self, ...args], options);
  return mustRun('npm', args, { ...options, shell: process.platform === 'win32' });
}

/** Path of a program on the PATH, or null. */
export function which(name) {
  for (const folder of (process.env.PATH ?? '').split(process.platform === 'win32' ? ';' : ':')) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}
