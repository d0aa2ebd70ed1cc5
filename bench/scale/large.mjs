/**
 * A crawl of very many generated pages through a queue: each is read once, and the home does not grow.
 *
 *     node bench/scale/large.mjs BROWSER [PAGES]
 *
 * Prints the pages so far and the resident memory of the home each half minute.
 */
import { readFileSync } from 'node:fs';
import { crawl, openRig } from './rig.mjs';

const SAMPLE_MS = 30_000;
const WORDS = 60;
const LANES = 8;

const [, , browser, pages = '100000'] = process.argv;
const size = Number(pages);
const rig = openRig();
try {
  const queue = await rig.startQueue();
  await rig.startWorker({ queue, browser, lanes: LANES });
  const site = await rig.startSite(size, WORDS);
  const home = await rig.startHome('--queue', queue);
  const residentMiB = () => {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${home.pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kilobytes) / 1_024);
  };
  const onStep = ({ items, progress }) =>
    console.log(JSON.stringify({ items, ...progress, residentMiB: residentMiB() }));
  const args = { url: site.url, max_pages: size, concurrency: 16, format: 'text' };
  const { pages: items, tookMs } = await crawl(home, args, { everyMs: SAMPLE_MS, onStep });
  console.log(
    JSON.stringify({
      items,
      minutes: Math.round(tookMs / 60_000),
      residentMiB: residentMiB(),
      asked: await site.left(),
    }),
  );
} finally {
  await rig.close();
}
