import { crawl, openRig } from '../scale/rig.mjs';
import { formatNumber, median } from '../lib/stats.mjs';

const QUICK_PAGES = 1_200;
const SLOW_PAGES = 600;
const LATENCY_MS = 200;
/** A worker starts a browser for each crawl. */
const WARM = { warmPages: 100 };
const WORDS = 400;
const LANES = 4;
const WORKERS = 3;
const ROUNDS = 3;

/**
 * Crawls on workers: quick local pages against the same in place, and slow pages with one worker and three.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say, browser }) {
  const rig = openRig();
  try {
    const queue = await rig.startQueue();
    await rig.startWorker({ queue, browser, lanes: 8 });
    const quick = await rig.startSite(QUICK_PAGES, WORDS);
    const queued = await rig.startHome('--queue', queue);
    const here = await rig.startHome('--launch', '--headless', '--browser', browser);
    const rates = { queued: [], here: [] };
    const args = { url: quick.url, max_pages: QUICK_PAGES, concurrency: 8 };
    // The first round warms up and is not counted.
    for (let round = 0; round <= ROUNDS; round++)
      for (const [name, home] of [
        ['queued', queued],
        ['here', here],
      ]) {
        say(`quick pages, ${name}, round ${round} of ${ROUNDS}`);
        const rate = rateOf(await crawl(home, args, WARM));
        if (round > 0) rates[name].push(rate);
      }
    const slow = await measureSlow({ rig, say, browser });
    return report({ queued: median(rates.queued), here: median(rates.here), slow, rates });
  } finally {
    await rig.close();
  }
}

/** Pages per second with one worker, and with all. */
async function measureSlow({ rig, say, browser }) {
  const site = await rig.startSite(SLOW_PAGES, WORDS, LATENCY_MS);
  const queue = await rig.startQueue();
  const home = await rig.startHome('--queue', queue);
  const args = { url: site.url, concurrency: 16 };
  const rates = {};
  for (let workers = 1; workers <= WORKERS; workers++) {
    await rig.startWorker({ queue, browser, lanes: LANES });
    if (workers > 1 && workers < WORKERS) continue;
    say(`pages that answer after ${LATENCY_MS} ms, ${workers} of ${WORKERS} workers`);
    rates[workers] = rateOf(await crawl(home, { ...args, max_pages: SLOW_PAGES }, WARM));
  }
  return rates;
}

const rateOf = ({ pages, tookMs }) => (pages / tookMs) * 1_000;

function report({ queued, here, slow, rates }) {
  const [one, all] = [slow[1], slow[WORKERS]];
  return {
    tables: [
      {
        title: 'Crawling on workers, pages per second',
        head: ['pages', 'in place', 'one worker', `${WORKERS} workers`],
        rows: [
          [`${QUICK_PAGES} quick local pages, 8 at once`, formatNumber(here), formatNumber(queued), ''],
          [
            `${SLOW_PAGES} pages after ${LATENCY_MS} ms, ${LANES} lanes each`,
            '',
            formatNumber(one),
            formatNumber(all),
          ],
        ],
      },
    ],
    bounds: [
      {
        name: 'crawl on a worker against in place, quick pages',
        value: queued / here,
        least: 0.7,
        unit: '×',
      },
      {
        name: `crawl on ${WORKERS} workers against one, slow pages`,
        value: all / one,
        least: 2.7,
        unit: '×',
      },
    ],
    results: { queued, here, slow, rates },
  };
}
