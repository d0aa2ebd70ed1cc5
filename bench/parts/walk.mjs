import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { ROOT } from '../../scripts/lib/run.mjs';
import { PAGES, STYLED, servePages } from '../lib/pages.mjs';
import { tokensOf } from '../lib/tokens.mjs';
import { formatNumber, formatSummary, summarise } from '../lib/stats.mjs';

const BUDGET_TOKENS = 1_500;
const BUDGETED = `snapshot, budget of ${BUDGET_TOKENS} tokens`;
const UNCHANGED = 'snapshot, diff of nothing';
const READINGS = {
  snapshot: { format: 'snapshot' },
  [BUDGETED]: { format: 'snapshot', budget: BUDGET_TOKENS },
  [UNCHANGED]: { format: 'snapshot', diff: true },
  markdown: { format: 'markdown' },
  text: { format: 'text' },
  html: { format: 'html' },
  nodes: { format: 'nodes' },
};
const BARE = 'bare loop';
const BOUNDED = ['snapshot', 'markdown'];
/** Pages that a budget stops on. */
const LONG = new Set(['table', 'sections']);
const WARM_UP = 4;
const RUNS = 15;
const TIMEOUT_MS = 30_000;

/**
 * The built content script in a page, without bridge and server: from the request until the end of the walk, by the
 * page's own clock.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say, browser }) {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
  const extension = join(folder, 'extension');
  cpSync(join(import.meta.dirname, '../walk'), extension, { recursive: true });
  copyFileSync(join(ROOT, 'dist/extension/page.js'), join(extension, 'page.js'));
  const site = await servePages();
  const context = await launch(join(folder, 'profile'), extension, browser);
  try {
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    const results = [];
    for (const page of [...PAGES, STYLED]) {
      say(page.title);
      results.push({
        page: page.name,
        title: page.title,
        formats: await walkPage({ context, worker, site, page }),
      });
    }
    return { tables: [table(results)], bounds: bounds(results), results };
  } finally {
    await context.close();
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function launch(profile, extension, browser) {
  return chromium.launchPersistentContext(profile, {
    executablePath: browser,
    headless: true,
    timeout: TIMEOUT_MS,
    chromiumSandbox: process.getuid?.() !== 0,
    ignoreDefaultArgs: ['--disable-extensions'],
    args: [`--load-extension=${extension}`, `--disable-extensions-except=${extension}`],
  });
}

async function walkPage({ context, worker, site, page }) {
  const tab = await context.newPage();
  await tab.goto(site.url(page.name), { timeout: TIMEOUT_MS });
  const tabId = await worker.evaluate(async (url) => {
    const tabs = await globalThis.chrome.tabs.query({});
    const { id } = tabs.find((entry) => entry.url === url);
    await globalThis.connectPage(id);
    return id;
  }, tab.url());
  const bare = await worker.evaluate(([id, runs]) => globalThis.bareLoops(id, runs), [tabId, WARM_UP + RUNS]);
  const formats = { [BARE]: { ms: summarise(bare.slice(WARM_UP)) } };
  for (const [name, reading] of Object.entries(READINGS)) {
    const runs = [];
    for (let run = 0; run < WARM_UP + RUNS; run++)
      runs.push(await worker.evaluate((asked) => globalThis.readOnce(asked), reading));
    const times = runs.map(({ walkMs }) => walkMs);
    const { text } = runs[0];
    formats[name] = {
      coldMs: times[0],
      ms: summarise(times.slice(WARM_UP)),
      units: text.length,
      ...(name === BUDGETED && { tokens: tokensOf(text) }),
    };
  }
  await tab.close();
  return formats;
}

function table(results) {
  return {
    title: 'Walking a page, in the page',
    head: ['format', ...results.map(({ title }) => title)],
    rows: [...Object.keys(READINGS), BARE].map((format) => [
      format,
      ...results.map(({ formats }) => formatSummary(formats[format].ms, 'ms')),
    ]),
    note: `The bare loop asks each element whether it is rendered and takes each text. The first walk of the 10,000 sections, before the engine had compiled it: ${formatNumber(formatsOf(results, 'sections').snapshot.coldMs)} ms.`,
  };
}

function bounds(results) {
  const { title, formats } = results.find(({ page }) => page === 'sections');
  const ratios = [
    {
      name: `${title}, walk in the page, snapshot against a bare loop`,
      value: formats.snapshot.ms.median / formats[BARE].ms.median,
      most: 1.5,
      unit: '×',
    },
    {
      name: `${STYLED.title}, snapshot against the plain page`,
      value: formatsOf(results, STYLED.name).snapshot.ms.median / formats.snapshot.ms.median,
      most: 2,
      unit: '×',
    },
  ];
  const whole = BOUNDED.map((format) => ({
    name: `${title}, walk in the page, ${format}`,
    value: formats[format].ms.median,
    most: 75,
    unit: 'ms',
  }));
  const budgeted = results
    .filter(({ page }) => LONG.has(page))
    .flatMap(({ title: name, formats: { [BUDGETED]: reading } }) => [
      { name: `${name}, ${BUDGETED}`, value: reading.ms.median, most: 15, unit: 'ms' },
      { name: `${name}, ${BUDGETED}`, value: reading.tokens, most: BUDGET_TOKENS, unit: 'tokens' },
    ]);
  return [...whole, ...ratios, ...budgeted];
}

const formatsOf = (results, name) => results.find(({ page }) => page === name).formats;
