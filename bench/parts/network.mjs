import { setTimeout as delay } from 'node:timers/promises';
import { BODY_BYTES, serveBulk } from '../lib/bulk-site.mjs';
import { residentBytes } from '../lib/processes.mjs';
import { withServer } from '../lib/runs.mjs';
import { SPILLWAY } from '../lib/servers.mjs';
import { MIB, formatMebibytes, formatNumber, formatSummary, summarise } from '../lib/stats.mjs';

const TIMEOUT_MS = 60_000;
const LOAD_TIMEOUT_MS = 300_000;
const POLL_MS = 50;

const REQUESTS = 1_000;
/** About a GiB of bodies. */
const MANY_REQUESTS = 2 ** 30 / BODY_BYTES;
const ROUNDS = 7;
const SLICES = 15;

/** Tabs by what is captured of them; each is loaded once a round, in another order each time. */
const TABS = [
  { name: 'not captured', bodies: null },
  { name: 'captured, bodies: text', bodies: 'text' },
  { name: 'captured, bodies: all', bodies: 'all' },
];
const READS = [
  { name: 'inline', args: { output_mode: 'inline' } },
  { name: 'handle', args: { output_mode: 'handle' } },
];

/**
 * What a capture costs the page, what a slice costs the client, and what a GiB costs the server.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say, browser }) {
  const site = await serveBulk();
  return withServer(SPILLWAY, browser, async (client) => {
    const tabs = [];
    for (const tab of TABS) tabs.push({ ...tab, id: await openTab(client, tab.bodies) });
    const loads = await measureLoads({ client, site, tabs, say });
    say('slices');
    const slices = await measureSlices(client, tabs.at(-1));
    say(`${formatNumber(MANY_REQUESTS)} requests for memory`);
    const memory = await measureMemory({ client, site, tab: tabs.at(-1) });
    return {
      tables: [loadTable(loads), sliceTable(slices), memoryTable(memory)],
      bounds: bounds(loads, slices, memory),
      results: { loads, slices, memory },
    };
  }).finally(site.close);
}

/** The payload; notes come after it. */
const payloadOf = (answer) => answer.content[0]?.text ?? '';

async function callJson(client, name, args) {
  return JSON.parse(payloadOf(await client.call(name, args, TIMEOUT_MS)));
}

async function openTab(client, bodies) {
  const { opened } = await callJson(client, 'tabs', { action: 'open' });
  if (bodies !== null) await client.call('network', { action: 'start', tab: opened, bodies }, TIMEOUT_MS);
  return opened;
}

/** One load, in the front tab, as the page itself measures it. */
async function load({ client, site, tab, requests }) {
  await client.call('tabs', { action: 'activate', tab }, TIMEOUT_MS);
  await client.call('navigate', { tab, url: site.url(requests) }, TIMEOUT_MS);
  const deadline = performance.now() + LOAD_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const { tabs } = await callJson(client, 'tabs', {});
    const title = tabs.find((one) => one.tab === tab)?.title ?? '';
    const took = /^Bulk: ([\d.]+) ms$/.exec(title)?.[1];
    if (took !== undefined) return Number(took);
    await delay(POLL_MS);
  }
  throw new Error(`${requests} requests were not answered in ${LOAD_TIMEOUT_MS} ms`);
}

async function measureLoads({ client, site, tabs, say }) {
  const samples = new Map(tabs.map(({ name }) => [name, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    say(`${formatNumber(REQUESTS)} requests, round ${round} of ${ROUNDS}`);
    const order = tabs.map((_, at) => tabs[(at + round) % tabs.length]);
    for (const { id, name, bodies } of order) {
      const tookMs = await load({ client, site, tab: id, requests: REQUESTS });
      // The first round warms up and is not counted.
      if (round > 0) samples.get(name).push(tookMs);
      // Pending writes belong to this load and not to the next one.
      if (bodies !== null) await client.call('network', { tab: id, filter: { id: 'r0' } }, TIMEOUT_MS);
    }
  }
  return [...samples].map(([name, values]) => ({ name, ms: summarise(values) }));
}

/** Slices of the last load of a tab, without bodies. */
async function measureSlices(client, { id: tab }) {
  const since = new Date(await startOfLastLoad(client, tab)).toISOString();
  const filter = { url: '/body?', since };
  const results = [];
  for (const { name, args } of READS) {
    const samples = [];
    let bytes = 0;
    for (let run = 0; run <= SLICES; run++) {
      const startedAt = performance.now();
      const answer = await client.call('network', { tab, filter, ...args }, TIMEOUT_MS);
      const tookMs = performance.now() - startedAt;
      bytes = Buffer.byteLength(payloadOf(answer));
      if (run > 0) samples.push(tookMs);
    }
    results.push({ name, ms: summarise(samples), bytes });
  }
  return results;
}

async function startOfLastLoad(client, tab) {
  const args = { tab, filter: { type: ['document'] }, fields: ['startedDateTime'] };
  const documents = await callJson(client, 'network', args);
  return Date.parse(documents.at(-1).startedDateTime);
}

async function measureMemory({ client, site, tab }) {
  const before = residentBytes(client.pid);
  const tookMs = await load({ client, site, tab: tab.id, requests: MANY_REQUESTS });
  const status = await callJson(client, 'network', { action: 'status' });
  const after = residentBytes(client.pid);
  return { tookMs, grownBytes: before === null || after === null ? null : after - before, status };
}

function loadTable(loads) {
  const [base] = loads;
  return {
    title: `Loading a page of ${formatNumber(REQUESTS)} requests with bodies of 64 KiB`,
    head: ['tab', 'time', '× not captured'],
    rows: loads.map(({ name, ms }) => [
      name,
      formatSummary(ms, 'ms'),
      (ms.median / base.ms.median).toFixed(2),
    ]),
  };
}

function sliceTable(slices) {
  return {
    title: `A slice of ${formatNumber(REQUESTS)} requests without bodies, at the client`,
    head: ['output mode', 'time', 'answer'],
    rows: slices.map(({ name, ms, bytes }) => [
      name,
      formatSummary(ms, 'ms'),
      `${formatNumber(bytes / 1024)} KiB`,
    ]),
  };
}

function memoryTable({ tookMs, grownBytes, status }) {
  return {
    title: 'Capturing a GiB of bodies',
    head: ['time', 'memory growth of the server', 'entries kept', 'bodies dropped', 'events lost'],
    rows: [
      [
        `${formatNumber(tookMs / 1_000)} s`,
        formatMebibytes(grownBytes),
        formatNumber(status.entries),
        formatNumber(status.dropped_bodies),
        formatNumber(status.lost_lines),
      ],
    ],
  };
}

function bounds(loads, slices, { grownBytes }) {
  const [base, ...captured] = loads;
  return [
    ...captured.map(({ name, ms }) => ({
      name: `1,000 requests of 64 KiB ${name}, load time against not captured`,
      value: ms.median / base.ms.median,
      most: 1.5,
      unit: '×',
    })),
    {
      name: 'slice of 1,000 requests without bodies, at the client',
      value: slices[0].ms.median,
      most: 150,
      unit: 'ms',
    },
    ...(grownBytes === null
      ? []
      : [{ name: 'a GiB captured, memory growth', value: grownBytes / MIB, most: 96, unit: 'MiB' }]),
  ];
}
