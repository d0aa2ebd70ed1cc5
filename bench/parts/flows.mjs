import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEVTOOLS_FLOWS } from '../flows/devtools-driver.mjs';
import { costOf, follow, timeOf } from '../flows/follow.mjs';
import { DOCUMENT } from '../flows/pages.mjs';
import { PLAYWRIGHT_FLOWS } from '../flows/playwright-driver.mjs';
import { codeOf, serveFlows } from '../flows/site.mjs';
import { SPILLWAY_FLOWS } from '../flows/spillway-driver.mjs';
import { McpClient } from '../lib/mcp-client.mjs';
import { PEERS, SPILLWAY } from '../lib/servers.mjs';
import { formatNumber, median, sum } from '../lib/stats.mjs';

const TIMEOUT_MS = 60_000;
const RUNS = 5;
/** Playwright's server without its wait after each act. */
const UNSETTLED = 'settle 0';

/** The flows, each by the name of its first page. */
const FLOWS = {
  login: 'log in',
  search: 'search, open the third result',
  form: 'a form of 20 fields',
  table: 'sort a table, read its third page',
  board: 'drag a card',
  upload: 'upload a file',
  widget: 'a widget in nested shadow roots',
  pay: "a form in another site's frame",
  feed: 'entry 117 of an endless list',
  closing: 'answer a prompt',
  app: 'two routes with fetches of 100 ms',
  download: 'download a file, tell its name',
};

const [PLAYWRIGHT, DEVTOOLS] = PEERS;
/** A page that is taller loads more of a list without being scrolled. */
const SIZE = '1280x720';
const CONTESTANTS = [
  { server: SPILLWAY, flags: ['--window-size', SIZE], flows: SPILLWAY_FLOWS },
  { server: PLAYWRIGHT, flags: ['--viewport-size', SIZE], flows: PLAYWRIGHT_FLOWS },
  {
    server: PLAYWRIGHT,
    title: UNSETTLED,
    flags: ['--viewport-size', SIZE, '--timeout-settle', '0'],
    flows: PLAYWRIGHT_FLOWS,
  },
  { server: DEVTOOLS, flags: ['--viewport', SIZE], flows: DEVTOOLS_FLOWS },
];

/**
 * The same flows through each server, from the first call to the answer that holds the proof. The servers take turns.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say, browser }) {
  const site = await serveFlows();
  const servers = [];
  try {
    for (const contestant of CONTESTANTS) servers.push(await start(contestant, browser));
    // No number twice: what an answer holds is of this run.
    let run = 0;
    for (const [flow, title] of Object.entries(FLOWS))
      for (let round = 0; round <= RUNS; round++)
        for (const at of servers.keys()) {
          const server = servers[(at + round) % servers.length];
          say(`${title}: ${server.name}`);
          run += 1;
          const { client, file, flows } = server;
          const page = { url: site.url(run, flow), file, proof: codeOf(run) };
          const result = await follow({ client, drive: flows[flow], ...page });
          // The first one warms up what the others find warm.
          if (round > 0) server.runs.push({ flow, ...result });
        }
  } finally {
    for (const { client, home } of servers) {
      await client.close();
      rmSync(home, { recursive: true, force: true });
    }
    await site.close();
  }
  const results = servers.map(({ name, runs }) => ({ name, runs }));
  const sums = results.map(({ name, runs }) => ({ name, flows: summariseFlows(runs) }));
  return { tables: [table(sums)], bounds: bounds(sums), results };
}

async function start({ server, title, flags, flows }, browser) {
  const home = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
  const file = join(home, 'contract.txt');
  writeFileSync(file, DOCUMENT);
  const { args, ...command } = server.start({ home, browser });
  const root = server === SPILLWAY ? ['--upload-root', home] : [];
  // The folder that @playwright/mcp may upload from.
  const client = new McpClient({ ...command, args: [...args, ...flags, ...root], cwd: home });
  await client.initialize(TIMEOUT_MS);
  const name = title === undefined ? server.name : `${server.name}, ${title}`;
  return { name, client, flows, home, file, runs: [] };
}

function summariseFlows(runs) {
  const flows = Object.keys(FLOWS).map((flow) => {
    const own = runs.filter((run) => run.flow === flow);
    const summary = {
      ms: median(own.map(timeOf)),
      tokens: median(own.map(costOf)),
      calls: median(own.map(({ calls }) => calls.length)),
      proven: own.filter(({ failure }) => failure === null).length,
    };
    return [flow, summary];
  });
  return Object.fromEntries(flows);
}

const total = ({ flows }, key) => sum(Object.values(flows), (flow) => flow[key]);
const isProven = ({ proven }) => proven === RUNS;
const proven = ({ flows }) => Object.values(flows).filter(isProven).length;

function table(sums) {
  const cell = (flow) =>
    `${formatNumber(flow.ms)} ms, ${flow.calls} calls, ${Math.round(flow.tokens).toLocaleString('en-US')} tok${isProven(flow) ? '' : ` (proof in ${flow.proven} of ${RUNS})`}`;
  const all = (one) =>
    `${proven(one)} of ${Object.keys(FLOWS).length}, ${total(one, 'calls')} calls, ${total(one, 'tokens').toLocaleString('en-US')} tok`;
  return {
    title: 'Twelve flows, from the first call to the proof in an answer',
    head: ['flow', ...sums.map(({ name }) => name)],
    rows: [
      ...Object.entries(FLOWS).map(([flow, title]) => [title, ...sums.map(({ flows }) => cell(flows[flow]))]),
      ['all', ...sums.map(all)],
    ],
    note: 'Tokens are those of the arguments and of the text of the answers.',
  };
}

/** How long Spillway took for a flow by what the fastest of the peers did that came to its end. */
function ratio(flow, [spillway, ...peers]) {
  const done = peers.map(({ flows }) => flows[flow]).filter(isProven);
  return spillway.flows[flow].ms / Math.min(...done.map(({ ms }) => ms));
}
const isAsInstalled = ({ name }) => !name.endsWith(UNSETTLED);

function bounds(sums) {
  const [spillway, ...peers] = sums;
  const times = Object.entries(FLOWS).flatMap(([flow, title]) =>
    [
      ['as installed', ratio(flow, sums.filter(isAsInstalled))],
      [`one with ${UNSETTLED}`, ratio(flow, sums)],
    ].map(([which, value]) => ({
      name: `flow: ${title}, time against the better peer, ${which}`,
      value,
      most: 1 / 3,
      unit: '×',
    })),
  );
  const better = Math.min(...peers.map((peer) => total(peer, 'tokens')));
  return [
    {
      name: 'flows with their proof',
      value: proven(spillway),
      least: Object.keys(FLOWS).length,
      unit: 'flows',
    },
    ...times,
    {
      name: 'tokens of the flows against the better peer',
      value: total(spillway, 'tokens') / better,
      most: 0.5,
      unit: '×',
    },
  ];
}
