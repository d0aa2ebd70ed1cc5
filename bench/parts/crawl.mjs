import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runProgram } from '../lib/runs.mjs';
import { MIB, formatMebibytes, formatNumber, median } from '../lib/stats.mjs';

const FOLDER = join(import.meta.dirname, '../crawl');
const { dependencies } = JSON.parse(readFileSync(join(FOLDER, '../package.json'), 'utf8'));

const PAGES = 500;
const MANY_PAGES = 5_000;
const CONCURRENCIES = [6, 8];
/** Rounds of crawls that take seconds; a crawl in tabs takes so long that one is enough. */
const ROUNDS = 3;

const NAMES = {
  never: 'Spillway, never',
  auto: 'Spillway, auto',
  always: 'Spillway, always',
  cheerio: `Crawlee ${dependencies['@crawlee/cheerio']}, CheerioCrawler`,
  playwright: `Crawlee ${dependencies['@crawlee/playwright']}, PlaywrightCrawler`,
};

/**
 * The same generated site crawled by Spillway and by Crawlee, in turns, and a large one for memory.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say, browser }) {
  const results = [];
  await withSite(PAGES, async (url) => {
    for (let round = 1; round <= ROUNDS; round++) {
      say(`${PAGES} pages without tabs, round ${round} of ${ROUNDS}`);
      const crawls = CONCURRENCIES.flatMap((concurrency) => [
        { render: 'never', concurrency, pages: PAGES },
        { render: 'auto', concurrency, pages: PAGES },
      ]);
      // The first crawl of a browser warms it up and is not counted.
      results.push(
        ...(await spillway({ browser, url, crawls: [...crawls.slice(0, 1), ...crawls] })).slice(1),
      );
      for (const concurrency of CONCURRENCIES)
        results.push(await crawlee({ kind: 'cheerio', url, concurrency, browser }));
    }
    for (const concurrency of CONCURRENCIES) {
      say(`${PAGES} pages in tabs, ${concurrency} at once`);
      results.push(
        ...(await spillway({ browser, url, crawls: [{ render: 'always', concurrency, pages: PAGES }] })),
      );
      results.push(await crawlee({ kind: 'playwright', url, concurrency, browser }));
    }
  });
  say(`${MANY_PAGES} pages for memory`);
  const [large] = await withSite(MANY_PAGES, (url) =>
    spillway({ browser, url, crawls: [{ render: 'never', concurrency: 8, pages: MANY_PAGES }] }),
  );
  const rates = ratesOf(results);
  return {
    tables: [speedTable(rates), memoryTable(large)],
    bounds: bounds(rates, large),
    results: { results, large },
  };
}

/** Serves a site in a process of its own while it is used. */
async function withSite(pages, use) {
  const args = ['--import', 'tsx', join(FOLDER, 'site.mjs'), String(pages)];
  const site = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const [url] = await Promise.race([
      once(createInterface({ input: site.stdout }), 'line'),
      once(site, 'exit').then(() => Promise.reject(new Error('The site did not come up.'))),
    ]);
    return await use(`${url}/`);
  } finally {
    site.stdin.end();
    if (site.exitCode === null) await once(site, 'exit');
  }
}

async function spillway(task) {
  const crawled = await runProgram('crawl/spillway.mjs', { args: [JSON.stringify(task)] });
  return crawled.map((result) => ({ ...result, kind: result.render }));
}

async function crawlee(task) {
  const args = [JSON.stringify({ ...task, pages: PAGES })];
  const { pages, tookMs } = await runProgram('crawl/crawlee.mjs', { args, node: [] });
  return { kind: task.kind, concurrency: task.concurrency, pages, tookMs };
}

/** Median pages per second by kind and concurrency. */
function ratesOf(results) {
  const rates = new Map();
  for (const { kind, concurrency, pages, tookMs } of results) {
    const key = `${kind} ${concurrency}`;
    rates.set(key, [...(rates.get(key) ?? []), (pages / tookMs) * 1_000]);
  }
  return (kind, concurrency) => median(rates.get(`${kind} ${concurrency}`));
}

function speedTable(rate) {
  const cell = (kind) => CONCURRENCIES.map((concurrency) => formatNumber(rate(kind, concurrency)));
  return {
    title: `Crawling ${PAGES} local pages, pages per second`,
    head: ['crawler', ...CONCURRENCIES.map((concurrency) => `${concurrency} at once`)],
    rows: Object.entries(NAMES).map(([kind, name]) => [name, ...cell(kind)]),
  };
}

function memoryTable({ pages, tookMs, server, host, workerHeapBytes }) {
  return {
    title: `Crawling ${formatNumber(pages)} pages, memory`,
    head: ['time', 'growth of the server', 'growth of the host', "the worker's heap"],
    rows: [
      [
        `${formatNumber(tookMs / 1_000)} s`,
        formatMebibytes(server),
        formatMebibytes(host),
        formatMebibytes(workerHeapBytes),
      ],
    ],
  };
}

function bounds(rate, large) {
  const against = (ours, theirs, concurrency, least) => ({
    name: `crawl, ${ours} against ${theirs === 'cheerio' ? 'CheerioCrawler' : 'PlaywrightCrawler'}, ${concurrency} at once`,
    value: rate(ours, concurrency) / rate(theirs, concurrency),
    least,
    unit: '×',
  });
  const memory = (name, bytes, most) => ({
    name: `crawl of 5,000 pages, ${name}`,
    value: bytes / MIB,
    most,
    unit: 'MiB',
  });
  return [
    ...CONCURRENCIES.flatMap((concurrency) => [
      against('never', 'cheerio', concurrency, 2),
      against('always', 'playwright', concurrency, 2),
      {
        name: `crawl, time of auto against never, ${concurrency} at once`,
        value: rate('never', concurrency) / rate('auto', concurrency),
        most: 1.2,
        unit: '×',
      },
    ]),
    memory('growth of the server', large.server, 96),
    memory('growth of the host', large.host, 96),
    memory("the worker's heap", large.workerHeapBytes, 64),
  ];
}
