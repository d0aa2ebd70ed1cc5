/**
 * Measures what a person's rules cost a call that they allow, in turns, in two browsers of one run:
 *
 *     node --import tsx bench/policy/measure.mjs [rounds]
 *
 * `page.find` reads a small page. One browser has a person's default rules, which judge each site. The other
 * one is a private launch, whose only rule allows everything; `SPILLWAY_BENCH_BASE` names the `dist` folder of another
 * build, from before there were rules, to be used for it instead.
 *
 * The last line of output is the result as JSON. Needs a build (`npm run build`).
 */
import { createBridge } from '../../server/core/bridge/index.ts';
import { chromiumPath, startChromium } from '../crawl/chromium.mjs';
import { sendHtml, serveOnLoopback } from '../lib/loopback.mjs';
import { median, timedRounds } from '../lib/stats.mjs';

const TURNS = 15;
const WARM_UP_ROUNDS = 300;
const [rounds = 200] = process.argv.slice(2).map(Number);
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const caller = { session: 'bench', name: 'bench' };

const rounded = (value, digits) => Number(value.toFixed(digits));

const executable = await chromiumPath();
const site = await serveOnLoopback((_request, response) =>
  sendHtml(response, '<title>Bench</title><p>Small</p><button>Go</button>'),
);
const url = `${site.origin}/`;

const base = process.env.SPILLWAY_BENCH_BASE;
const ends = [];
try {
  const judged = await open({ isPrivate: false });
  const other = await open(base === undefined ? { isPrivate: true } : { dist: base });
  await judged(WARM_UP_ROUNDS);
  await other(WARM_UP_ROUNDS);
  const turns = { judged: [], other: [] };
  for (let turn = 0; turn < TURNS; turn += 1) {
    turns.judged.push(median(await judged(rounds)));
    turns.other.push(median(await other(rounds)));
  }
  const result = {
    against: base === undefined ? 'a private launch' : 'another build',
    judged_ms: rounded(median(turns.judged), 3),
    other_ms: rounded(median(turns.other), 3),
    more_ms: rounded(median(turns.judged.map((value, turn) => value - turns.other[turn])), 3),
    ratio: rounded(median(turns.judged.map((value, turn) => value / turns.other[turn])), 2),
    turns,
  };
  console.log(JSON.stringify(result));
} finally {
  for (const end of ends.toReversed()) await end();
  await site.close();
}

/** A browser that shows the page; returns a function that measures a number of calls, one after another. */
async function open(options) {
  const browser = await startChromium(executable, options);
  ends.push(() => browser.close());
  const bridge = createBridge({
    logger: quiet,
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    directory: browser.bridgeDirectory,
  });
  ends.push(() => bridge.close());
  await bridge.ready({ timeoutMs: 60_000 });
  const { tab } = await bridge.request('b1', 'page.navigate', {
    ...{ tab_id: null, action: 'goto', url, wait_until: 'load', timeout_ms: 30_000 },
  });
  const params = { tab_id: tab.id, caller, target: { query: 'Go' }, limit: 3 };
  return (count) => timedRounds(count, () => bridge.request('b1', 'page.find', params));
}
