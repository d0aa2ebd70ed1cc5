import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from '../run.mjs';

const FOLDER = join(CACHE, 'checks');

export function readPassed(name, folder = FOLDER) {
  try {
    return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  } catch {
    return null;
  }
}

export function keepPassed(name, passed, folder = FOLDER) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(passed));
}

/**
 * Runs a check unless it has passed with the same key.
 * @param {string} name
 * @param {string} key a hash of everything that the outcome depends on
 * @param {() => Promise<void>} work throws if the check fails
 * @returns {Promise<string>} a summary
 */
export async function unlessPassed(name, key, work, folder = FOLDER) {
  if (readPassed(name, folder)?.key === key) return 'unchanged';
  await work();
  keepPassed(name, { key }, folder);
  return '';
}

/**
 * Runs a check of single files on those that have changed since it passed.
 * @param {string} name
 * @param {string} config a hash of what the outcome for every file depends on
 * @param {Readonly<Record<string, string>>} hashes path → hash of the content
 * @param {(changed: string[] | null) => Promise<void>} work null stands for every file; files that are gone
 *   count as changed
 * @returns {Promise<string>} what it looked at
 */
export async function ofChanged(name, config, hashes, work, folder = FOLDER) {
  const passed = readPassed(name, folder);
  const before = passed?.config === config ? passed.hashes : null;
  const isChanged = (path) => hashes[path] !== before[path];
  const changed = before && [...new Set(Object.keys({ ...hashes, ...before }))].filter(isChanged);
  if (changed?.length === 0) return 'unchanged';
  await work(changed);
  keepPassed(name, { config, hashes }, folder);
  return changed === null ? '' : `${changed.length} changed`;
}
