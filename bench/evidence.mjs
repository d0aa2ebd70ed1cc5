/**
 * A bundle of a page with many megabytes of pictures that do not compress, in a Chromium of its own:
 *
 *     node --import tsx bench/evidence.mjs [mebibytes]
 *
 * The last line of output is the result as JSON: time, sizes, and how much the memory of server, native
 * host and the extension's worker grew. Needs a build (`npm run build`).
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { chromiumPath, startChromium } from './crawl/chromium.mjs';
import { sendHtml, serveOnLoopback } from './lib/loopback.mjs';
import { processTree, watchMemory } from './lib/processes.mjs';
import { MIB } from './lib/stats.mjs';

const PICTURE_MIB = 8;
const WIDTH = 1_024;
const TIMEOUT_MS = 120_000;
const [mebibytes = 204] = process.argv.slice(2).map(Number);

/** A BMP of random pixels. */
function picture() {
  const height = Math.floor((PICTURE_MIB * MIB) / 3 / WIDTH);
  const bytes = Buffer.alloc(54 + WIDTH * height * 3);
  bytes.write('BM');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(WIDTH, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  randomBytes(WIDTH * height * 3).copy(bytes, 54);
  return bytes;
}

const count = Math.ceil(mebibytes / PICTURE_MIB);
const tags = Array.from({ length: count }, (_, at) => `<img src="${at}.bmp" width="64" height="64">`).join(
  '',
);
const site = await serveOnLoopback((request, response) => {
  if (request.url.endsWith('.bmp')) response.writeHead(200, { 'content-type': 'image/bmp' }).end(picture());
  else
    sendHtml(
      response,
      `<!doctype html><title>Bundle</title>${request.url === '/large' ? tags : '<p>small</p>'}`,
    );
});
const { origin } = site;

async function waitFor(what, look) {
  for (const end = performance.now() + 20_000; performance.now() < end; await delay(20)) {
    try {
      const found = await look();
      if (found) return found;
    } catch {
      // Not there yet.
    }
  }
  throw new Error(`Waited for ${what}.`);
}

/** Samples the heap of the extension's worker until `stop`, which answers its peaks in bytes. */
async function watchWorker() {
  const target = await waitFor('the worker', async () => {
    const { targetInfos } = await pipe.send('Target.getTargets');
    return targetInfos.find(({ type, url }) => type === 'service_worker' && url.endsWith('/worker.js'));
  });
  const session = await pipe.attachTo(target.targetId);
  let heap = 0;
  let all = 0;
  const ask = async () => {
    const usage = await pipe.send('Runtime.getHeapUsage', {}, session).catch(() => ({}));
    const { usedSize = 0, backingStorageSize = 0 } = usage;
    heap = Math.max(heap, usedSize);
    all = Math.max(all, usedSize + backingStorageSize);
  };
  const timer = setInterval(ask, 50);
  return {
    stop: async () => {
      clearInterval(timer);
      await ask();
      return { workerHeapBytes: heap, workerHeapAndBuffersBytes: all };
    },
  };
}

const browser = await startChromium(await chromiumPath());
const { pipe } = browser;
const client = browser.startServer();
try {
  await client.initialize(TIMEOUT_MS);
  await client.call('navigate', { url: `${origin}/small` }, TIMEOUT_MS);
  await client.call('oc_evidence_bundle', { output_mode: 'handle' }, TIMEOUT_MS);
  const worker = await watchWorker();
  await client.call('navigate', { url: `${origin}/large`, timeout_ms: TIMEOUT_MS }, TIMEOUT_MS);
  const host = await waitFor('the native host', () =>
    processTree(browser.pid).find(({ pid }) =>
      readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('host.js'),
    ),
  );
  const [ofServer, ofHost] = [watchMemory(client.pid), watchMemory(host.pid)];
  const startedAt = performance.now();
  const answer = await client.call('oc_evidence_bundle', { output_mode: 'handle' }, TIMEOUT_MS);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { size_bytes: sizeBytes } = JSON.parse(answer.content[0].text);
  const result = {
    seconds,
    sizeBytes,
    notes: answer.content[1]?.text,
    serverGrowthBytes: ofServer.stop().growthBytes,
    hostGrowthBytes: ofHost.stop().growthBytes,
    ...(await worker.stop()),
  };
  console.log(JSON.stringify(result));
} finally {
  await client.close();
  await browser.close();
  await site.close();
}
