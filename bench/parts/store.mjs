import { join } from 'node:path';
import { McpClient } from '../lib/mcp-client.mjs';
import { watchMemory } from '../lib/processes.mjs';
import { inFolder, runProgram } from '../lib/runs.mjs';
import { SPILLWAY } from '../lib/servers.mjs';
import { MIB, formatMebibytes, formatNumber, summarise } from '../lib/stats.mjs';

const MEBIBYTES = 1_024;
const TIMEOUT_MS = 20_000;
const WARM_UP = 50;
const PAGES = 200;
const REPEATS = 5;

const PAYLOADS = [
  { kind: 'items', title: 'a million items', formats: ['items', 'bytes'] },
  { kind: 'text', title: 'text', formats: ['bytes'] },
  { kind: 'bytes', title: 'bytes', formats: ['bytes'] },
];

/**
 * Payloads of 1 GiB through the output policy into a store, in a process of its own, and pages of
 * each handle: by the pager alone, and by `oc_output_fetch` of a server that shares the store. The handles are searched, too.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say }) {
  const results = [];
  for (const { kind, title, formats } of PAYLOADS)
    await inFolder(async (home) => {
      say(`writing 1 GiB, ${title}`);
      const own = join(home, 'spillway');
      const written = await runTask('write', own, kind, MEBIBYTES);
      const pages = [];
      for (const format of formats) {
        say(`paging ${title} by ${format}`);
        const pager = await runTask('read', own, written.handle, format);
        pages.push({ format, pager, client: await pageThroughServer(home, written.handle, format) });
      }
      say(`searching ${title}`);
      const searched = await runTask('search', own, written.handle);
      results.push({ title, written, pages, searched });
    });
  return {
    tables: [writeTable(results), pageTable(results), searchTable(results)],
    bounds: bounds(results),
    results,
  };
}

/** One task of the store's program. */
const runTask = (...args) => runProgram('store.mjs', { args: args.map(String) });

/** Pages at offsets spread over the whole handle, in an order that no read-ahead guesses. */
async function pageThroughServer(home, handle, format) {
  const client = new McpClient(SPILLWAY.start({ home, browser: null }));
  const fetchPage = async (offset) => {
    // Any offset is between two bytes; in UTF-8 it may be inside a character, which is refused.
    const encoding = format === 'bytes' ? 'base64' : undefined;
    const request = { output_handle: handle, offset, format, encoding };
    const startedAt = performance.now();
    const answer = await client.call('oc_output_fetch', request, TIMEOUT_MS);
    return { tookMs: performance.now() - startedAt, page: JSON.parse(answer.content[0].text) };
  };
  try {
    await client.initialize(TIMEOUT_MS);
    const { page: first } = await fetchPage(0);
    for (let nth = 0; nth < WARM_UP; nth++) await fetchPage(offsetOf(nth, WARM_UP, first.total));
    const samples = [];
    const fetchEach = async () => {
      for (let nth = 0; nth < PAGES; nth++)
        samples.push((await fetchPage(offsetOf(nth, PAGES, first.total))).tookMs);
    };
    const memory = watchMemory(client.pid);
    await fetchEach();
    const { growthBytes } = memory.stop();
    for (let repeat = 1; repeat < REPEATS; repeat++) await fetchEach();
    // The best of several reads of an offset is its cost; the rest is the machine's noise.
    const best = Array.from({ length: PAGES }, (_, nth) =>
      Math.min(...samples.filter((_, at) => at % PAGES === nth)),
    );
    return { ms: summarise(samples), slowestOffsetMs: Math.max(...best), growthBytes };
  } finally {
    await client.close();
  }
}

/** Spread over the whole, each `nth` far from the last. */
const offsetOf = (nth, count, total) => Math.floor((((nth * 113) % count) / count) * total);

function writeTable(results) {
  return {
    title: 'Writing a handle of 1 GiB',
    head: ['payload', 'time', 'MiB/s', 'memory growth'],
    rows: results.map(({ title, written }) => [
      title,
      `${formatNumber(written.seconds)} s`,
      formatNumber(written.sizeBytes / MIB / written.seconds),
      formatMebibytes(written.growth),
    ]),
  };
}

function pageTable(results) {
  return {
    title: 'A page of it, at offsets over the whole handle',
    head: [
      'payload, unit',
      'pager: median',
      'p99',
      'memory growth',
      'at the client: median',
      'slowest offset',
      'memory growth',
    ],
    rows: results.flatMap(({ title, pages }) =>
      pages.map(({ format, pager, client }) => [
        `${title}, ${format}`,
        `${formatNumber(pager.median)} ms`,
        `${formatNumber(pager.p99)} ms`,
        formatMebibytes(pager.growth),
        `${formatNumber(client.ms.median)} ms`,
        `${formatNumber(client.slowestOffsetMs)} ms`,
        formatMebibytes(client.growthBytes),
      ]),
    ),
  };
}

function searchTable(results) {
  return {
    title: 'Searching all of it for a text that is not there, in turns with `grep -F`',
    head: ['payload', 'oc_output_query', 'grep -F', 'its speed', 'memory growth'],
    rows: results.map(({ title, searched: { own, grep, growth } }) => [
      title,
      `${formatNumber(own)} s`,
      `${formatNumber(grep)} s`,
      `× ${formatNumber(grep / own)}`,
      formatMebibytes(growth),
    ]),
  };
}

function bounds(results) {
  const pages = results.flatMap((result) => result.pages);
  const worst = (values) => Math.max(...values);
  const mebibytes = (values) => worst(values.map((value) => (value ?? 0) / MIB));
  return [
    {
      name: '1 GiB written, memory growth',
      value: mebibytes(results.map(({ written }) => written.growth)),
      most: 64,
      unit: 'MiB',
    },
    {
      name: 'a page at the slowest offset, at the client',
      value: worst(pages.map(({ client }) => client.slowestOffsetMs)),
      most: 10,
      unit: 'ms',
    },
    {
      name: 'pages of it, memory growth of the server',
      value: mebibytes(pages.map(({ client }) => client.growthBytes)),
      most: 16,
      unit: 'MiB',
    },
    {
      name: 'searching 1 GiB, × the time of grep -F',
      value: worst(results.map(({ searched: { own, grep } }) => own / grep)),
      most: 2,
      unit: '×',
    },
    {
      name: 'searching 1 GiB, memory growth',
      value: mebibytes(results.map(({ searched }) => searched.growth)),
      most: 32,
      unit: 'MiB',
    },
    {
      name: 'pages of it, memory growth of the pager',
      value: mebibytes(pages.map(({ pager }) => pager.growth)),
      most: 16,
      unit: 'MiB',
    },
  ];
}
