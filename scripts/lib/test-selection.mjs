import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

/** Everything uses these: a change of one can break any test. */
const KERNEL = new Set(['base', 'core', 'dom', 'platform', 'ui', 'support']);
const SIDES = new Set(['extension', 'server', 'shared', 'tests']);

/**
 * Arguments for Vitest: the name of a capability becomes a filter for its tests.
 * @param {readonly string[]} args other filters, and options, whose values stay
 */
export const testFilters = (args) =>
  args.map((arg, at) => (args[at - 1]?.startsWith('-') === true ? arg : testFilter(arg)));

const testFilter = (name) =>
  /^[a-z-]+$/.test(name) && name !== 'support' && existsSync(join(ROOT, 'tests', name))
    ? `tests/${name}/`
    : name;

/**
 * The filters of the tests for changed files.
 * @param {readonly string[]} paths below the checkout
 * @returns {string[] | null} null for all tests: something that every capability uses has changed
 */
export function filtersOfChanges(paths) {
  const filters = new Set();
  for (const path of paths) {
    const [top, folder] = path.split('/');
    const isPage = path.endsWith('.md') || top === 'docs' || top === 'examples';
    const filter = SIDES.has(top) ? testFilter(folder) : 'tests/house/';
    const isOfAll = KERNEL.has(folder) || !filter.startsWith('tests/') || !(SIDES.has(top) || isPage);
    if (isOfAll) return null;
    filters.add(filter);
  }
  return [...filters];
}

/**
 * The files that differ from a commit, untracked ones included.
 * @param {string} [since] without it the branch that this one follows, else the last commit
 */
export function changedFiles(since = followedBranch()) {
  const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n');
  const paths = [
    ...git('diff', '--name-only', '--no-renames', since),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  return paths.filter((path) => path !== '');
}

function followedBranch() {
  try {
    const base = ['merge-base', 'HEAD', '@{upstream}'];
    return execFileSync('git', base, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'HEAD';
  }
}
