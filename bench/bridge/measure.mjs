/**
 * Measures the bridge against a bare native host, in turns, in two browsers of one run:
 *
 *     node --import tsx bench/bridge/measure.mjs [rounds] [mebibytes]
 *
 * - Round trip: `bridge.echo` from the server through host and worker and back, against a bare
 *   host's message to a bare worker and back; and, to tell hops from work, against a bare host that
 *   relays for another process as ours does for the server.
 * - Throughput: `bridge.flood`, hashed, counted and credited end to end, against a worker that posts
 *   frames of the same size as fast as it can to a host that only counts them.
 *
 * The last line of output is the result as JSON. Needs a build (`npm run build`).
 */
import { createBridge } from '../../server/core/bridge/index.ts';
import { LIMITS } from '../../shared/base/limits.ts';
import { chromiumPath } from '../crawl/chromium.mjs';
import { MIB, median, timed, timedRounds } from '../lib/stats.mjs';
import { startBareBrowser } from './bare-browser.mjs';

const TURNS = 5;
const WARM_UP_ROUNDS = 3_000;
const [rounds = 400, mebibytes = 128] = process.argv.slice(2).map(Number);
const units = LIMITS.streamChunkUnits;
const frames = Math.ceil((mebibytes * MIB) / units);
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

const rounded = (value, digits) => Number(value.toFixed(digits));

const browserPath = await chromiumPath();
const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const args = [
  ...['--headless=new', '--remote-debugging-pipe', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--disable-quic', ...root],
];
const bare = await startBareBrowser(browserPath, args);
const bridge = createBridge({
  logger: quiet,
  clock: { now: () => Date.now(), monotonic: () => performance.now() },
  launch: { headless: true, browserPath },
});
try {
  await bridge.ready();
  await echo(WARM_UP_ROUNDS);
  await bare.ask({ echo: WARM_UP_ROUNDS });
  await flood(frames);
  await bare.ask({ flood: { frames, units } });
  const trips = { bare: [], relayed: [], spillway: [] };
  const speeds = { bare: [], spillway: [] };
  for (let turn = 0; turn < TURNS; turn += 1) {
    trips.bare.push(median(await bare.ask({ echo: rounds })));
    trips.relayed.push(median(await timedRounds(rounds, () => bare.ask({ relay: 'x' }))));
    trips.spillway.push(median(await echo(rounds)));
    speeds.bare.push((frames * units) / 1_000 / (await bare.ask({ flood: { frames, units } })));
    speeds.spillway.push((frames * units) / 1_000 / (await flood(frames)));
  }
  const ratios = (kind) => kind.spillway.map((value, turn) => value / kind.bare[turn]);
  const result = {
    browser: browserPath,
    round_trip_ms: {
      bare: rounded(median(trips.bare), 3),
      bare_relayed: rounded(median(trips.relayed), 3),
      spillway: rounded(median(trips.spillway), 3),
      ratio: rounded(median(ratios(trips)), 2),
    },
    throughput_mb_per_s: {
      bare: rounded(median(speeds.bare), 0),
      spillway: rounded(median(speeds.spillway), 0),
      ratio: rounded(median(ratios(speeds)), 2),
    },
    turns: { trips, speeds },
  };
  console.log(JSON.stringify(result));
} finally {
  await bridge.close();
  await bare.close();
}

function echo(count) {
  return timedRounds(count, () => bridge.request('b1', 'bridge.echo', { value: 'x' }));
}

/** Milliseconds for `count` frames of text, checked to its end. */
function flood(count) {
  return timed(async () => {
    const stream = bridge.stream('b1', 'bridge.flood', { bytes: count * units });
    let read = 0;
    for await (const chunk of stream) read += chunk.length;
    if (read !== count * units) throw new Error(`${read} of ${count * units} bytes came`);
  });
}
