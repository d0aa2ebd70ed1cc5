import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEVTOOLS_ACTS, PLAYWRIGHT_ACTS, SPILLWAY_ACTS } from '../acting/drivers.mjs';
import { PROOFS, serveActs } from '../acting/pages.mjs';
import { McpClient, textOf } from '../lib/mcp-client.mjs';
import { PEERS, SPILLWAY } from '../lib/servers.mjs';
import { formatNumber, summarise } from '../lib/stats.mjs';
import { tokensOf } from '../lib/tokens.mjs';

const TIMEOUT_MS = 60_000;
/** How often each act is done, on a page that is opened for it. */
const TIMES = { nothing: 21, fill: 21, page: 9, route: 9, form: 9 };
const TITLES = {
  nothing: 'click without effect',
  fill: 'fill a field',
  page: 'click, loaded page',
  route: 'route with a fetch of 100 ms',
  form: '17 fields and send',
};
/** Milliseconds at the client. */
const MOST_MS = { nothing: 40, fill: 40, page: 120, route: 250, form: 200 };
const DRIVERS = [SPILLWAY_ACTS, PLAYWRIGHT_ACTS, DEVTOOLS_ACTS];

/**
 * The same acts through each server: time at the client, tokens of arguments and answers, and whether the answer of the
 * act holds what the page said then.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say, browser }) {
  const site = await serveActs();
  const rows = [];
  try {
    for (const [at, server] of [SPILLWAY, ...PEERS].entries())
      rows.push(...(await measureServer({ server, acts: DRIVERS[at], site, browser, say })));
  } finally {
    await site.close();
  }
  return { tables: [table(rows)], bounds: bounds(rows), results: rows };
}

async function measureServer({ server, acts, site, browser, say }) {
  const home = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
  const client = new McpClient(server.start({ home, browser }));
  const call = async ({ tool, args }) => textOf(await client.call(tool, args, TIMEOUT_MS));
  const rows = [];
  try {
    await client.initialize(TIMEOUT_MS);
    for (const act of Object.keys(TIMES)) {
      say(`${server.name}: ${TITLES[act]}`);
      rows.push({ server: server.name, act, ...(await repeat({ server, acts, act, site, call })) });
    }
  } finally {
    await client.close();
    rmSync(home, { recursive: true, force: true });
  }
  return rows;
}

async function repeat({ server, acts, act, site, call }) {
  const open = () => call(server.open(`${site.url}/${act === 'form' ? 'form' : 'acts'}`));
  const [times, tokens] = [[], []];
  let proven = 0;
  await open();
  let known = await acts.prepare(call);
  for (let at = 0; at < TIMES[act]; at++) {
    if (at > 0 && PROOFS[act] !== undefined) {
      await open();
      known = await acts.prepare(call);
    }
    const calls = acts[act](known, at);
    const startedAt = performance.now();
    const answers = [];
    for (const one of calls) answers.push(await call(one));
    times.push(performance.now() - startedAt);
    tokens.push(tokensOf(JSON.stringify(calls)) + tokensOf(answers.join('\n')));
    if (PROOFS[act] !== undefined && answers.join('\n').includes(PROOFS[act])) proven += 1;
  }
  // The first one attaches, and warms up what the others find warm.
  return {
    time: summarise(times.slice(1)),
    tokens: summarise(tokens.slice(1)).median,
    calls: acts[act](known, 0).length,
    proven: PROOFS[act] === undefined ? null : proven / TIMES[act],
  };
}

function table(rows) {
  return {
    title: 'Acts, as a client waits for them',
    head: ['act', 'server', 'calls', 'time', 'middle half', 'tokens', 'proof in the answer'],
    rows: Object.keys(TIMES).flatMap((act) =>
      rows
        .filter((row) => row.act === act)
        .map(({ server, calls, time, tokens, proven }) => [
          TITLES[act],
          server,
          String(calls),
          `${formatNumber(time.median)} ms`,
          `${formatNumber(time.low)}–${formatNumber(time.high)} ms`,
          formatNumber(tokens),
          proven === null ? '' : `${Math.round(proven * 100)} %`,
        ]),
    ),
    note: 'Ids of elements that a peer needs are read before the clock runs, and not counted.',
  };
}

function bounds(rows) {
  const ours = rows.filter(({ server }) => server === SPILLWAY.name);
  return [
    ...ours.map(({ act, time }) => ({
      name: `act: ${TITLES[act]}`,
      value: time.median,
      most: MOST_MS[act],
      unit: 'ms',
    })),
    ...ours
      .filter(({ proven }) => proven !== null)
      .map(({ act, proven }) => ({
        name: `act: ${TITLES[act]}, answers without proof`,
        value: Math.round((1 - proven) * 100),
        most: 0,
        unit: '%',
      })),
  ];
}
