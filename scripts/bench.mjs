import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint, readStamp } from './lib/fingerprint.mjs';
import { withLock } from './lib/lock.mjs';
import { CACHE, ROOT, mustRun, npm } from './lib/run.mjs';
import { PlainError, paint, runMain, step } from './lib/steps.mjs';
import { setUp } from './setup.mjs';

const BENCH = join(ROOT, 'bench');
const RESULTS = join(BENCH, 'results.json');
const STAMP = join(BENCH, 'node_modules/.spillway-lock');

/** Each part is a file of bench/parts that exports `measure`; run in this order. */
const PARTS = [
  'start',
  'executor',
  'ledger',
  'pages',
  'walk',
  'bridge',
  'policy',
  'sites',
  'approvals',
  'panel',
  'store',
  'network',
  'crawl',
  'scale',
  'extract',
  'evidence',
  'tasks',
  'clicks',
  'acting',
  'flows',
  'rest',
  'selection',
  'upstream',
  'programs',
  'loop',
  'memory',
];
const FLAGS = ['--strict', '--write'];

/**
 * `npm run bench [-- part…] [--write] [--strict]`: measures Spillway against bare baselines and its
 * peers. `--write` puts the tables of these parts into bench/README.md; with `--strict` a missed bound or a part
 * that failed ends it with 1.
 */
await runMain(async () => {
  const { parts, flags } = parseArguments(process.argv.slice(2));
  await setUp();
  await withLock(join(CACHE, 'bench.lock'), () => step('peers', ensurePeers));
  const report = await import('../bench/lib/report.mjs');
  const browser = await findBrowser();
  const machine = report.describeMachine(await browserVersion(browser));

  console.log(paint('bold', '\nMeasuring'));
  const results = [];
  for (const name of parts) {
    results.push(await runPart(name, browser));
    const all = withEarlier(results, machine);
    writeFileSync(RESULTS, `${JSON.stringify({ machine, parts: all }, null, 2)}\n`);
  }

  const bounds = results.flatMap((part) => part.bounds);
  for (const table of tablesOf(results, report)) report.printTable(table);
  if (flags.has('--write'))
    report.writeTables(join(BENCH, 'README.md'), {
      machine,
      tables: tablesOf(results, report),
      isWhole: results.length === PARTS.length && results.every(({ failure }) => failure === null),
    });

  const missed = bounds.filter((bound) => !report.isKept(bound)).length;
  const failed = results.filter(({ failure }) => failure !== null);
  console.log(
    `\nbounds: ${bounds.length - missed} kept, ${missed} missed; raw numbers in bench/results.json`,
  );
  for (const { name, failure } of failed) console.log(paint('red', `${name} failed: ${failure}`));
  return flags.has('--strict') && missed + failed.length > 0 ? 1 : 0;
});

function tablesOf(results, report) {
  const bounds = report.boundsTable(results.flatMap((part) => part.bounds));
  return [...results.flatMap((part) => part.tables), bounds];
}

/** Parts that were not asked for stay as this machine took them before. */
function withEarlier(results, machine) {
  const before = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : null;
  const isSame = JSON.stringify(before?.machine) === JSON.stringify(machine);
  const known = [...(isSame ? before.parts : []), ...results];
  return PARTS.flatMap((name) => known.findLast((part) => part.name === name) ?? []);
}

function parseArguments(args) {
  const flags = new Set(args.filter((arg) => arg.startsWith('--')));
  const parts = args.filter((arg) => !arg.startsWith('--'));
  const unknown = [
    ...[...flags].filter((flag) => !FLAGS.includes(flag)),
    ...parts.filter((part) => !PARTS.includes(part)),
  ];
  if (unknown.length > 0)
    throw new PlainError(
      `Unknown: ${unknown.join(', ')}. Parts: ${PARTS.join(', ')}; flags: ${FLAGS.join(', ')}.`,
    );
  return { flags, parts: parts.length === 0 ? PARTS : PARTS.filter((part) => parts.includes(part)) };
}

/** The peers have a package and a lock file of their own, so that the project does not carry them. */
async function ensurePeers(say) {
  const wanted = fingerprint(BENCH, ['package-lock.json']);
  if (readStamp(STAMP) === wanted) return 'up to date';
  say('npm ci in bench, from its lock file');
  await npm(['ci', '--prefix', BENCH, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(STAMP, `${wanted}\n`);
  return 'installed from the lock file';
}

/** The Chromium that set-up found: the one that a private launch uses. */
async function findBrowser() {
  const { searchChromium } = await import('../dist/chromium.js');
  return (await searchChromium()).found?.path ?? null;
}

/** Debian's start script may complain on stderr first. */
async function browserVersion(browser) {
  if (browser === null) return 'no browser';
  const version = await mustRun(browser, ['--version', '--no-sandbox']);
  return version.match(/^.*?\d+\.\d+\.\d+\.\d+/m)?.[0] ?? version.trim();
}

/** A part that fails is reported, and the others continue. */
async function runPart(name, browser) {
  const { measure } = await import(`../bench/parts/${name}.mjs`);
  let report = null;
  const run = async (say) => {
    report = await measure({ say, browser });
    return `${report.tables.length} tables, ${report.bounds.length} bounds`;
  };
  const failure = await step(name, run).then(
    () => null,
    (error) => error.message,
  );
  return { name, failure, ...(report ?? { tables: [], bounds: [], results: null }) };
}
