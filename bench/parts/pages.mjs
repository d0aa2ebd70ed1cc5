import { McpClient, textOf } from '../lib/mcp-client.mjs';
import { PAGES, servePages } from '../lib/pages.mjs';
import { cpuByRole, residentBytes } from '../lib/processes.mjs';
import { inFolder } from '../lib/runs.mjs';
import { PEERS, SPILLWAY } from '../lib/servers.mjs';
import { formatMebibytes, formatNumber, summarise } from '../lib/stats.mjs';
import { tokensOf } from '../lib/tokens.mjs';

const TIMEOUT_MS = 60_000;
const WARM_UP = 3;
/** Timed reads of a page: fewer where one takes long. */
const RUNS = { small: 41, article: 31, table: 15, sections: 15 };
/** Reads right after a navigation, of pages whose load does not hide what the first read costs. */
const FIRST_RUNS = 15;
const FIRST_PAGES = ['small', 'article'];
/** Most that slow readers are given for one page, so that a run ends. */
const PAGE_BUDGET_MS = 20_000;

/** Snapshot tokens of the prototype; Spillway's have to be within ten per cent. */
const PROTOTYPE_TOKENS = { small: 125, article: 6_900, table: 31_000, sections: 288_000 };
const TOKEN_TOLERANCE = 0.1;

const CPU_PAGE = 'sections';
const CPU_RUNS = 10;
const ROLES = ['page', 'worker', 'browser', 'host', 'server'];

const TIME_BOUNDS = [
  { page: 'sections', read: 'snapshot auto', most: 150 },
  { page: 'sections', read: 'markdown auto', most: 150 },
  { page: 'sections', read: 'snapshot inline', most: 250 },
  { page: 'sections', read: 'markdown inline', most: 250 },
  { page: 'small', read: 'snapshot inline', most: 6 },
  { page: 'small', read: 'markdown inline', most: 6 },
];

/**
 * Warm reads of the same pages through each server, one server after the other, each with its own
 * process of the same Chromium.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say, browser }) {
  const site = await servePages();
  const results = [];
  try {
    for (const server of [SPILLWAY, ...PEERS])
      results.push(await inFolder((home) => measureServer({ server, site, browser, say, home })));
  } finally {
    await site.close();
  }
  return {
    tables: [table(results), firstTable(results), cpuTable(results[0])],
    bounds: bounds(results[0]),
    results,
  };
}

async function measureServer({ server, site, browser, say, home }) {
  const client = new McpClient(server.start({ home, browser }));
  const pages = {};
  let cpu = null;
  let failure = null;
  try {
    await client.initialize(TIMEOUT_MS);
    for (const page of PAGES) {
      say(`${server.name}: ${page.title}`);
      pages[page.name] = await measurePage({ client, server, page, url: site.url(page.name) });
      if (server === SPILLWAY && page.name === CPU_PAGE) cpu = await measureCpu(client, server.reads);
    }
  } catch (error) {
    failure = error.message;
  }
  const rssBytes = residentBytes(client.pid);
  await client.close();
  return { id: server.id, name: server.name, pages, cpu, rssBytes, failure };
}

async function measurePage({ client, server, page, url }) {
  const open = server.open(url);
  await client.call(open.tool, open.args, TIMEOUT_MS);
  const samples = new Map(server.reads.map(({ name }) => [name, []]));
  const answers = new Map();
  const readOnce = async ({ name, tool, args }) => {
    const startedAt = performance.now();
    const answer = await client.call(tool, args, TIMEOUT_MS);
    const tookMs = performance.now() - startedAt;
    answers.set(name, answer);
    return tookMs;
  };
  const startedAt = performance.now();
  const firstMs = await readOnce(server.reads[0]);
  const warmUp = firstMs > 1_000 ? 1 : WARM_UP;
  for (let round = 0; round < warmUp; round++) for (const read of server.reads) await readOnce(read);
  for (let round = 0; round < RUNS[page.name]; round++) {
    for (const read of server.reads) samples.get(read.name).push(await readOnce(read));
    if (round >= 4 && performance.now() - startedAt > PAGE_BUDGET_MS) break;
  }
  const first = [];
  for (let run = 0; FIRST_PAGES.includes(page.name) && run < FIRST_RUNS; run++) {
    await client.call(open.tool, open.args, TIMEOUT_MS);
    first.push(await readOnce(server.reads[0]));
  }
  return Object.fromEntries(
    server.reads.map(({ name }, index) => [
      name,
      {
        firstMs,
        ...(index === 0 && first.length > 0 ? { first: summarise(first) } : {}),
        ms: summarise(samples.get(name)),
        ...describeAnswer(answers.get(name), page),
      },
    ]),
  );
}

/** The first read after each of several navigations, against the reads of a page that has been read. */
function firstTable(results) {
  const cells = ({ pages, name }) => {
    const read = Object.keys(Object.values(pages)[0] ?? {})[0];
    return [
      `${name}, ${read}`,
      ...FIRST_PAGES.flatMap((page) => {
        const { first, ms } = pages[page]?.[read] ?? {};
        return first === undefined
          ? ['failed', '']
          : [`${formatNumber(first.median)} ms`, `${(first.median / ms.median).toFixed(2)} ×`];
      }),
    ];
  };
  return {
    title: 'The first read after a navigation',
    head: ['server', ...FIRST_PAGES.flatMap((page) => [titleOf(page), 'of a later read'])],
    rows: results.map(cells),
  };
}

const titleOf = (page) => PAGES.find((entry) => entry.name === page).title;

/** Time on a core per read, by process: where the time of a read goes. */
async function measureCpu(client, reads) {
  const byRead = {};
  for (const { name, tool, args } of reads) {
    const before = cpuByRole(client.pid);
    for (let run = 0; run < CPU_RUNS; run++) await client.call(tool, args, TIMEOUT_MS);
    const after = cpuByRole(client.pid);
    if (before === null || after === null) return null;
    byRead[name] = Object.fromEntries(
      ROLES.map((role) => [role, ((after[role] ?? 0) - (before[role] ?? 0)) / CPU_RUNS]),
    );
  }
  return byRead;
}

function cpuTable({ name, cpu }) {
  return {
    title: `Where ${name} spends a read of 10,000 sections (time on a core, ms)`,
    head: ['read', ...ROLES],
    rows: Object.entries(cpu ?? {}).map(([read, byRole]) => [
      read,
      ...ROLES.map((role) => formatNumber(byRole[role])),
    ]),
  };
}

/** The tokens received, and whether they contain the whole page, a handle, or neither. */
function describeAnswer(answer, page) {
  const text = textOf(answer);
  const first = answer.content[0].text ?? '';
  const delivery = text.includes('"output_handle"') ? 'handle' : text.includes(page.last) ? 'whole' : 'cut';
  return { tokens: tokensOf(text), payloadTokens: tokensOf(first), bytes: Buffer.byteLength(text), delivery };
}

function table(results) {
  const rows = results.flatMap((result) => {
    const reads = Object.keys(Object.values(result.pages)[0] ?? { '': null });
    return reads.map((read) => [
      `${result.name}${read === '' ? '' : `, ${read}`}`,
      ...PAGES.map(({ name }) => cell(result.pages[name]?.[read])),
      formatMebibytes(result.rssBytes),
    ]);
  });
  const failures = results.flatMap(({ name, failure }) => (failure === null ? [] : [`${name}: ${failure}`]));
  return {
    title: 'Reading a page, warm, at the client',
    head: ['server', ...PAGES.map(({ title }) => title), 'memory of the server'],
    rows,
    ...(failures.length > 0 ? { note: `Failed: ${failures.join('; ')}` } : {}),
  };
}

function cell(entry) {
  if (entry === undefined) return 'failed';
  const suffix = { whole: '', handle: ' (handle)', cut: ' (cut)' }[entry.delivery];
  return `${formatNumber(entry.ms.median)} ms, ${entry.tokens.toLocaleString('en-US')} tok${suffix}`;
}

function bounds({ pages, failure, name }) {
  if (failure !== null) throw new Error(`${name}: ${failure}`);
  const times = TIME_BOUNDS.map(({ page, read, most }) => ({
    name: `${titleOf(page)}, ${read}`,
    value: pages[page][read].ms.median,
    most,
    unit: 'ms',
  }));
  const tokens = Object.entries(PROTOTYPE_TOKENS).map(([page, prototype]) => ({
    name: `${titleOf(page)}, tokens of the snapshot against the prototype's ${prototype.toLocaleString('en-US')}`,
    value: pages[page]['snapshot inline'].payloadTokens / prototype,
    least: 1 - TOKEN_TOLERANCE,
    most: 1 + TOKEN_TOLERANCE,
    unit: '×',
  }));
  return [...times, ...tokens];
}
