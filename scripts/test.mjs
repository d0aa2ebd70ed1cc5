import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChecks } from './check.mjs';
import { memoryFolder } from './lib/memory-folder.mjs';
import { profileTable } from './lib/profile.mjs';
import { CACHE, ROOT, run } from './lib/run.mjs';
import { PlainError, paint, runMain } from './lib/steps.mjs';
import { changedFiles, filtersOfChanges, testFilters } from './lib/test-selection.mjs';
import { setUp } from './setup.mjs';

const REPORT = join(CACHE, 'vitest.json');
const PROFILE = join(CACHE, 'profile.jsonl');
const PROFILE_TABLE = join(CACHE, 'profile.txt');

const OWN = ['--fast', '--deep', '--profile'];
const CHANGED = /^--changed(?:=(.+))?$/;

/**
 * `npm test`, the gate: set-up, every check, every test that is not deep. Options:
 * - `--deep` runs `*.deep.test.ts` too, as `SPILLWAY_DEEP=1` does
 * - `--fast` skips tests that start a browser or kill processes
 * - `--profile` shows the CPU seconds of each file
 * - `--changed`, `--changed=<commit>` selects the capabilities that differ from the branch that this one
 *   follows, or from the commit; all tests if the kernel differs
 *
 * The name of a capability selects its tests. Any other arguments go to vitest (a filter on file names,
 * `-t`), and then only the tests that they select run: no check, and no build unless one of them needs it.
 */
await runMain(async () => {
  const args = process.argv.slice(2);
  const [fast, deep, profile] = OWN.map((name) => args.includes(name));
  const selection = selectionOf(args.filter((arg) => !OWN.includes(arg)));
  for (const path of [REPORT, PROFILE, PROFILE_TABLE]) rmSync(path, { force: true });
  const failedChecks = selection.length > 0 ? await prepare() : await prepareAll({ fast });

  console.log(paint('bold', '\nTests'));
  const temporary = process.env.TMPDIR ?? memoryFolder();
  const { code } = await run(
    process.execPath,
    [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...vitestArgs({ fast, selection })],
    {
      inherit: true,
      env: {
        ...(temporary === null ? {} : { TMPDIR: temporary }),
        ...(deep ? { SPILLWAY_DEEP: '1' } : {}),
        ...(profile ? { SPILLWAY_PROFILE: PROFILE } : {}),
      },
    },
  );
  if (profile) showProfile();
  const { passed, failed } = readTotals();
  console.log(`\ntests: ${passed} passed, ${failed} failed`);
  const reasons = [
    ...failedChecks.map((name) => `check ${name}`),
    ...(code === 0 ? [] : [`vitest ended with ${code}`]),
    ...(passed > 0 ? [] : ['no test passed']),
  ];
  if (reasons.length > 0) throw new PlainError(`Failed: ${reasons.join(', ')}`);
});

function selectionOf(args) {
  const changed = args.map((arg) => CHANGED.exec(arg)).find((match) => match !== null);
  const others = testFilters(args.filter((arg) => !CHANGED.test(arg)));
  if (changed === undefined) return others;
  const filters = filtersOfChanges(changedFiles(changed[1]));
  console.log(
    filters === null
      ? '--changed: what every capability uses differs, so all tests run'
      : `--changed: ${filters.join(', ') || 'nothing'}`,
  );
  if (filters?.length === 0)
    throw new PlainError('--changed: nothing differs. Name a commit: --changed=<commit>');
  return [...(filters ?? []), ...others];
}

/** A test that needs a build triggers it. */
async function prepare() {
  await setUp({ build: false, browser: false });
  return [];
}

/** The checks need the dependencies but no build: they run during the build, and are shown after it. */
async function prepareAll({ fast }) {
  const lines = [];
  let checks = Promise.resolve([]);
  const onDependencies = () => {
    checks = runChecks((line) => lines.push(line));
  };
  const failure = await setUp({ browser: !fast, tests: !fast, onDependencies }).catch((error) => error);
  const failedChecks = await checks;
  console.log(lines.join('\n'));
  if (failure !== undefined) throw failure;
  return failedChecks;
}

function showProfile() {
  mkdirSync(CACHE, { recursive: true });
  const table = profileTable(PROFILE);
  writeFileSync(PROFILE_TABLE, `${table}\n`);
  console.log(`\n${table}`);
}

/** Vitest writes no report when no file matches. */
function readTotals() {
  if (!existsSync(REPORT)) return { passed: 0, failed: 0 };
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(REPORT, 'utf8'));
  return { passed: numPassedTests, failed: numFailedTests };
}

function vitestArgs({ fast, selection }) {
  const project = fast ? ['--project', 'fast'] : [];
  return [
    'run',
    ...project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${REPORT}`,
    ...selection,
  ];
}
