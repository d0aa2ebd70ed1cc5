/**
 * Measures what an open panel costs an agent:
 *
 *     node --import tsx bench/panel/cost.mjs [rounds] [reads]
 *
 * Calls come with a pause between them, and then one right after another. One server in one browser reads the small page,
 * alternately with the panel open and closed. A panel counts as closed once the server sends no more events, half a minute
 * after the last request. After each read, a server that does nothing is called, to show the machine's own noise. Finally,
 * the cost of keeping an answer alone, with the panel closed or open. The last line of output is the result as JSON. Needs a build (`npm run build`).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LastAnswers } from '../../server/activity/ring.ts';
import { chromiumPath, startChromium } from '../crawl/chromium.mjs';
import { McpClient, textOf } from '../lib/mcp-client.mjs';
import { servePages } from '../lib/pages.mjs';
import { BARE } from '../lib/servers.mjs';
import { median, timed } from '../lib/stats.mjs';
import { createPanel } from './open.mjs';

const [rounds = 4, reads = 60] = process.argv.slice(2).map(Number);
const WARM_UP = 20;
const TIMEOUT_MS = 60_000;
/** Longer than a server keeps events for a reader that has left. */
const LEASE_MS = 31_000;
/** Pause between two calls, as an agent thinks: drawing one call does not delay the next. */
const PAUSE_MS = 100;
const KEEPS = 1_000_000;
const rounded = (value, digits = 2) => Number(value.toFixed(digits));

const site = await servePages();
const browser = await startChromium(await chromiumPath());
const { pipe } = browser;
const client = browser.startServer();
const bare = new McpClient(BARE.start());
try {
  await Promise.all([client.initialize(TIMEOUT_MS), bare.initialize(TIMEOUT_MS)]);
  const opened = await client.call('tabs', { action: 'open', url: site.url('small') }, TIMEOUT_MS);
  const { opened: tab } = JSON.parse(textOf(opened));
  await samplesOf(tab, WARM_UP, 0);
  const [open, closed, openRow, closedRow] = Array.from({ length: 4 }, () => ({ reads: [], bare: [] }));
  for (let round = 0; round < rounds; round += 1) {
    const panel = await openPanel(tab);
    add(open, await samplesOf(tab, reads, PAUSE_MS));
    add(openRow, await samplesOf(tab, reads, 0));
    await pipe.send('Target.closeTarget', { targetId: panel });
    await sleep(LEASE_MS);
    add(closed, await samplesOf(tab, reads, PAUSE_MS));
    add(closedRow, await samplesOf(tab, reads, 0));
  }
  const [openMs, closedMs] = [open, closed].map(({ reads: each }) => median(each));
  const [bareOpenMs, bareClosedMs] = [open, closed].map(({ bare: each }) => median(each));
  const result = {
    reads: open.reads.length,
    open_ms: rounded(openMs),
    closed_ms: rounded(closedMs),
    bare_open_ms: rounded(bareOpenMs),
    bare_closed_ms: rounded(bareClosedMs),
    row_open_ms: rounded(median(openRow.reads)),
    row_closed_ms: rounded(median(closedRow.reads)),
    more_ms: rounded(openMs - closedMs - (bareOpenMs - bareClosedMs)),
    keep_ns: keepNs(),
  };
  console.log(JSON.stringify(result));
} finally {
  await Promise.allSettled([client.close(), bare.close()]);
  await browser.close();
  await site.close();
}

function add(into, samples) {
  into.reads.push(...samples.reads);
  into.bare.push(...samples.bare);
}

/** A number of reads of the page, alternating with calls of the server that does nothing. */
async function samplesOf(tab, count, pauseMs) {
  const samples = { reads: [], bare: [] };
  for (let n = 0; n < count; n += 1) {
    samples.reads.push(
      await timed(() => client.call('read_page', { tab, output_mode: 'inline' }, TIMEOUT_MS)),
    );
    samples.bare.push(await timed(() => bare.call('echo', { text: 'bench' }, TIMEOUT_MS)));
    await sleep(pauseMs);
  }
  return samples;
}

/** Opens the panel's page with its timeline, and waits until it shows what is called. */
async function openPanel(tab) {
  const { targetId, session } = await createPanel(pipe);
  const endsAt = Date.now() + TIMEOUT_MS;
  const rows = () =>
    pipe.evaluate(
      session,
      `(() => { document.querySelector('#tab-timeline')?.click(); return document.querySelectorAll('.row.call').length; })()`,
    );
  await client.call('read_page', { tab, output_mode: 'inline' }, TIMEOUT_MS);
  while ((await rows().catch(() => 0)) === 0) {
    if (Date.now() > endsAt) throw new Error('Waited too long for the page of the panel.');
    await sleep(20);
  }
  return targetId;
}

/** Half a microsecond would not show in a call. */
function keepNs() {
  const answers = new LastAnswers();
  const content = [{ type: 'text', text: 'A small page.' }];
  const result = { ok: true, content, state: {}, kind: 'text' };
  const ids = Array.from({ length: 1_000 }, (_, n) => `call-${n}`);
  const run = (count) => {
    for (let n = 0; n < count; n += 1) answers.keep(ids[n % ids.length], result, 4_096);
  };
  run(KEEPS / 10);
  const startedAt = performance.now();
  run(KEEPS);
  return Math.round(((performance.now() - startedAt) * 1e6) / KEEPS);
}
