/**
 * Crawls by a server in a Chromium that is not automated, so that its background tabs are hidden as
 * they are for a person.
 *
 *     node --import tsx bench/crawl/spillway.mjs '{"browser":"/usr/bin/chromium","url":"http://…/","crawls":[{"render":"never","concurrency":6,"pages":500}]}'
 *
 * Prints, as its last line, for each crawl `{ pages, tookMs, server, host, workerHeapBytes }`: growth of
 * resident memory over what it was before, and the worker's heap at its largest.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { processTree, watchMemory } from '../lib/processes.mjs';
import { startChromium } from './chromium.mjs';

const TIMEOUT_MS = 30_000;
const POLL_MS = 20;
const HEAP_POLL_MS = 250;

const { url, crawls, browser: executable } = JSON.parse(process.argv[2]);
const browser = await startChromium(executable);
const client = browser.startServer();

try {
  await client.initialize(TIMEOUT_MS);
  await client.call('tabs', {}, TIMEOUT_MS);
  const host = processTree(browser.pid).find(({ pid }) => commandOf(pid).includes('host.js'));
  const results = [];
  for (const crawl of crawls) results.push(await measure(crawl, host));
  console.log(JSON.stringify(results));
} finally {
  await client.close();
  await browser.close();
}

function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

async function measure({ render, concurrency, pages }, host) {
  const memory = { server: watchMemory(client.pid), host: watchMemory(host.pid) };
  const heap = watchHeap();
  const startedAt = performance.now();
  const args = { url, render, concurrency, max_pages: pages, max_depth: 1_000, async: true };
  const { run_id } = await json('crawl', args);
  for (;;) {
    const { status, error } = await json('run_status', { run_id });
    if (status === 'completed') break;
    if (status !== 'running' && status !== 'queued')
      throw new Error(`The crawl ${status}: ${error?.message}`);
    await delay(POLL_MS);
  }
  const tookMs = performance.now() - startedAt;
  const workerHeapBytes = await heap.stop();
  const growth = { server: memory.server.stop().growthBytes, host: memory.host.stop().growthBytes };
  const { items } = await json('run_status', { run_id });
  return { render, concurrency, pages: items, tookMs, ...growth, workerHeapBytes };
}

async function json(tool, args) {
  return JSON.parse((await client.call(tool, args, TIMEOUT_MS)).content[0].text);
}

/** The worker's heap at its largest, from now on until `stop`. */
function watchHeap() {
  let largest = 0;
  let isOn = true;
  const watching = (async () => {
    const session = await browser.pipe.attach('service_worker');
    while (isOn) {
      const { usedSize } = await browser.pipe.send('Runtime.getHeapUsage', {}, session);
      largest = Math.max(largest, usedSize);
      await delay(HEAP_POLL_MS);
    }
  })();
  return {
    stop: async () => {
      isOn = false;
      await watching;
      return largest;
    },
  };
}
