import { DEVTOOLS_ACTS, PLAYWRIGHT_ACTS, SPILLWAY_ACTS } from '../acting/drivers.mjs';
import { PROOFS, serveActs } from '../acting/pages.mjs';
import { measureVisibility, visibilityBounds, visibilityTable } from '../acting/visibility.mjs';
import { DEVTOOLS_FLOWS } from '../flows/devtools-driver.mjs';
import { costOf, follow, timeOf } from '../flows/follow.mjs';
import { PLAYWRIGHT_FLOWS } from '../flows/playwright-driver.mjs';
import { codeOf, serveFlows } from '../flows/site.mjs';
import { SPILLWAY_FLOWS } from '../flows/spillway-driver.mjs';
import { textOf } from '../lib/mcp-client.mjs';
import { servePages } from '../lib/pages.mjs';
import { withServer } from '../lib/runs.mjs';
import { PEERS, SPILLWAY } from '../lib/servers.mjs';
import { formatNumber, median, summarise, timedRounds } from '../lib/stats.mjs';
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
  login: 'log in, from the first call on',
  find: 'find in 10,000 sections',
};
/** Milliseconds at the client. */
const MAX_MS = { nothing: 40, fill: 40, page: 120, route: 250, form: 200, login: 350, find: 60 };
const LOGIN_CALLS = 3;
const TIMES_FURTHER = 10;
const FOUND = 'Section 9000';
/** How each server acts, logs in, and finds an element, if it can. */
const DRIVERS = [
  { acts: SPILLWAY_ACTS, flows: SPILLWAY_FLOWS, find: { tool: 'find', args: { query: FOUND } } },
  { acts: PLAYWRIGHT_ACTS, flows: PLAYWRIGHT_FLOWS, find: { tool: 'browser_find', args: { text: FOUND } } },
  { acts: DEVTOOLS_ACTS, flows: DEVTOOLS_FLOWS, find: null },
];

/**
 * The same acts through each server: time at the client, tokens of arguments and answers, and whether the answer of the
 * act holds what the page said then.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say, browser }) {
  const sites = { acts: await serveActs(), flows: await serveFlows(), pages: await servePages() };
  const servers = [];
  try {
    for (const [at, server] of [SPILLWAY, ...PEERS].entries())
      servers.push(
        await withServer(server, browser, (client) =>
          measureServer({ client, server, drivers: DRIVERS[at], sites, say }),
        ),
      );
  } finally {
    for (const site of Object.values(sites)) await site.close();
  }
  const rows = servers.flatMap((server) => server.rows);
  const [{ visibility }] = servers;
  return {
    tables: [table(rows), visibilityTable(visibility)],
    bounds: [...bounds(rows), ...visibilityBounds(visibility)],
    results: { rows, visibility },
  };
}

async function measureServer({ client, server, drivers, sites, say }) {
  const call = async ({ tool, args }) => textOf(await client.call(tool, args, TIMEOUT_MS));
  const rows = [];
  const row = async (act, taken) => {
    say(`${server.name}: ${TITLES[act]}`);
    rows.push({ server: server.name, act, ...(await taken()) });
  };
  const { acts, flows, find } = drivers;
  for (const act of Object.keys(TIMES))
    await row(act, () => repeat({ server, acts, act, site: sites.acts, call }));
  await row('login', () => logIn({ client, drive: flows.login, site: sites.flows }));
  if (find !== null)
    await row('find', () => findFar({ call, find, open: server.open(sites.pages.url('sections')) }));
  const url = `${sites.acts.origin}/acts`;
  const visibility = server === SPILLWAY ? await measureVisibility({ client, url, say }) : null;
  return { rows, visibility };
}

/** From opening the page to the proof, as the flow of that name does it. */
async function logIn({ client, drive, site }) {
  const runs = [];
  for (let run = 0; run < TIMES_FURTHER; run++)
    runs.push(await follow({ client, drive, url: site.url(run, 'login'), proof: codeOf(run) }));
  const warm = runs.slice(1);
  return {
    time: summarise(warm.map(timeOf)),
    tokens: median(warm.map(costOf)),
    calls: Math.max(...runs.map(({ calls }) => calls.length)),
    proven: runs.filter(({ failure }) => failure === null).length / TIMES_FURTHER,
  };
}

async function findFar({ call, find, open }) {
  await call(open);
  let answer = '';
  const times = await timedRounds(TIMES_FURTHER, async () => (answer = await call(find)));
  return {
    time: summarise(times.slice(1)),
    tokens: tokensOf(JSON.stringify(find)) + tokensOf(answer),
    calls: 1,
    proven: answer.includes(FOUND) ? 1 : 0,
  };
}

async function repeat({ server, acts, act, site, call }) {
  const open = () => call(server.open(`${site.origin}/${act === 'form' ? 'form' : 'acts'}`));
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
    tokens: median(tokens.slice(1)),
    calls: acts[act](known, 0).length,
    proven: PROOFS[act] === undefined ? null : proven / TIMES[act],
  };
}

function table(rows) {
  return {
    title: 'Acts, as a client waits for them',
    head: ['act', 'server', 'calls', 'time', 'middle half', 'tokens', 'proof in the answer'],
    rows: Object.keys(TITLES).flatMap((act) =>
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
    note: 'Ids of elements that a peer needs are read before the clock runs, and not counted; those of the log-in are.',
  };
}

function bounds(rows) {
  const ours = rows.filter(({ server }) => server === SPILLWAY.name);
  return [
    ...ours.map(({ act, time }) => ({
      name: `act: ${TITLES[act]}`,
      value: time.median,
      most: MAX_MS[act],
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
    {
      name: `act: ${TITLES.login}, calls`,
      value: ours.find(({ act }) => act === 'login').calls,
      most: LOGIN_CALLS,
      unit: 'calls',
    },
  ];
}
