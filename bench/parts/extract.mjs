import { chromium } from 'playwright';
import { sendHtml, serveOnLoopback } from '../lib/loopback.mjs';
import { residentBytes } from '../lib/processes.mjs';
import { withServer } from '../lib/runs.mjs';
import { SPILLWAY } from '../lib/servers.mjs';
import { MIB, formatNumber, formatSummary, summarise, timedRounds } from '../lib/stats.mjs';

const TIMEOUT_MS = 60_000;
const WARM_UP = 3;
const RUNS = 15;
const MANY_ROWS = 100_000;

const SCHEMA = {
  type: 'object',
  properties: {
    no: { type: 'integer' },
    name: { type: 'string' },
    place: { type: 'string' },
    price: { type: 'number' },
    added: { type: 'string', format: 'date' },
    in_stock: { type: 'boolean' },
    url: { type: 'string', format: 'uri' },
  },
  required: ['no', 'name', 'price'],
};

/** Pages with a number of records, as a table or as cards without machine-readable markup. */
const PAGES = {
  table: {
    title: 'table',
    head: '<table><thead><tr><th>No</th><th>Name</th><th>Place</th><th>Price</th><th>Added</th><th>In stock</th></tr></thead><tbody>',
    row: (at) =>
      `<tr><td>${at}</td><td><a href="/item/${at}">Item ${at}</a></td><td>Shelf ${at % 97}</td><td>$${(at * 37) % 10_000}.50</td><td>May ${(at % 28) + 1}, 2024</td><td>${at % 3 === 0 ? 'no' : 'yes'}</td></tr>`,
    tail: '</tbody></table>',
  },
  cards: {
    title: 'cards',
    head: '<main>',
    row: (at) =>
      `<article class="card"><h3><a href="/item/${at}">Item ${at}</a></h3><span class="no">${at}</span><span class="place">Shelf ${at % 97}</span><b class="price">$${(at * 37) % 10_000}.50</b><time datetime="2024-05-0${(at % 9) + 1}">May</time><i class="in-stock">${at % 3 === 0 ? 'no' : 'yes'}</i></article>`,
    tail: '</main>',
  },
};

/** Where a hand-written script finds the fields of each page. */
const BARE = {
  table: {
    rows: 'tbody tr',
    fields: [
      'td:nth-child(1)',
      'td a',
      'td:nth-child(3)',
      'td:nth-child(4)',
      'td:nth-child(5)',
      'td:nth-child(6)',
    ],
  },
  cards: { rows: '.card', fields: ['.no', 'h3 a', '.place', '.price', 'time', '.in-stock'] },
};

const CASES = [
  { page: 'table', rows: 2_000, mode: 'inline', most: 150 },
  { page: 'table', rows: 2_000, mode: 'auto', most: 150 },
  { page: 'cards', rows: 500, mode: 'inline' },
  { page: 'cards', rows: 2_000, mode: 'auto' },
];

function htmlOf(name, count) {
  const page = PAGES[name];
  if (page === undefined) return undefined;
  const rows = Array.from({ length: Number(count) }, (_, at) => page.row(at + 1));
  return `<!doctype html><html lang="en-US"><title>${page.title}</title>${page.head}${rows.join('\n')}${page.tail}`;
}

/**
 * Records of a page at the client, coerced and validated; and the memory that very many of them take.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say, browser }) {
  const site = await serveOnLoopback((request, response) => {
    const [, name, count] = (request.url ?? '').split('/');
    sendHtml(response, htmlOf(name, count));
  });
  return withServer(SPILLWAY, browser, async (client) => {
    const results = [];
    for (const entry of CASES) {
      say(`${entry.rows} rows of a ${PAGES[entry.page].title}, ${entry.mode}`);
      results.push({ ...entry, ms: await measureCase(client, site, entry) });
    }
    say('a bare loop');
    const bare = await measureBare(site, browser);
    for (const result of results) {
      const loop = bare.find(({ page, rows }) => page === result.page && rows === result.rows);
      result.ratio = result.ms.median / loop.ms.median;
    }
    say(`${MANY_ROWS} rows to a handle`);
    // A machine that is too busy for the largest page still has the times of the others.
    const many = await measureMany(client, site).catch((thrown) => ({ failure: String(thrown) }));
    return {
      tables: [table(results, bare, many)],
      bounds: bounds(results, many),
      results: { cases: results, bare, many },
    };
  }).finally(site.close);
}

async function measureCase(client, site, { page, rows, mode }) {
  await client.call('navigate', { url: `${site.origin}/${page}/${rows}` }, TIMEOUT_MS);
  let answer = null;
  const samples = await timedRounds(WARM_UP + RUNS, async () => (answer = await extract(client, mode)));
  const given = JSON.parse(answer.content[0].text);
  const count = Array.isArray(given) ? given.length : given.item_count;
  if (count !== rows) throw new Error(`${count} records of ${rows}`);
  return summarise(samples.slice(WARM_UP));
}

/** The texts of the same fields by a loop over `querySelectorAll` with known selectors, at the client of a browser. */
async function measureBare(site, executablePath) {
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  try {
    const results = [];
    for (const { page, rows } of CASES) {
      if (results.some((known) => known.page === page && known.rows === rows)) continue;
      const tab = await browser.newPage();
      await tab.goto(`${site.origin}/${page}/${rows}`, { timeout: TIMEOUT_MS });
      let found = [];
      const loop = async () => {
        found = await tab.evaluate(
          (places) =>
            [...globalThis.document.querySelectorAll(places.rows)].map((row) =>
              places.fields.map((place) => row.querySelector(place)?.textContent ?? null),
            ),
          BARE[page],
        );
      };
      const samples = await timedRounds(WARM_UP + RUNS, loop);
      if (found.length !== rows) throw new Error(`${found.length} rows of ${rows}`);
      await tab.close();
      results.push({ page, rows, ms: summarise(samples.slice(WARM_UP)) });
    }
    return results;
  } finally {
    await browser.close();
  }
}

const extract = (client, mode) =>
  client.call('extract_data', { schema: SCHEMA, multiple: true, output_mode: mode }, TIMEOUT_MS);

async function measureMany(client, site) {
  await client.call(
    'navigate',
    { url: `${site.origin}/table/${MANY_ROWS}`, timeout_ms: TIMEOUT_MS },
    TIMEOUT_MS,
  );
  await extract(client, 'handle');
  const before = residentBytes(client.pid);
  const startedAt = performance.now();
  const answer = await extract(client, 'handle');
  const tookMs = performance.now() - startedAt;
  const { item_count: count } = JSON.parse(answer.content[0].text);
  if (count !== MANY_ROWS) throw new Error(`${count} records of ${MANY_ROWS}`);
  const after = residentBytes(client.pid);
  return { tookMs, grewBytes: before === null || after === null ? null : after - before };
}

const titleOf = ({ page, rows }) =>
  `${PAGES[page].title}, ${rows.toLocaleString('en-US')} records of 7 fields`;

const saysGrowth = (many) =>
  many.failure === undefined && many.grewBytes !== null
    ? `${formatNumber(many.grewBytes / MIB)} MiB`
    : 'an unknown amount';

function table(results, bare, many) {
  return {
    title: 'Extracting records, warm, at the client',
    head: ['page', 'output', 'time', '× bare loop'],
    rows: [
      ...results.map((result) => [
        titleOf(result),
        result.mode,
        formatSummary(result.ms, 'ms'),
        result.ratio.toFixed(2),
      ]),
      ...bare.map((result) => [titleOf(result), 'bare loop', formatSummary(result.ms, 'ms'), '1.00']),
      [
        titleOf({ page: 'table', rows: MANY_ROWS }),
        'handle',
        many.failure === undefined ? `${formatNumber(many.tookMs)} ms` : 'failed',
        '',
      ],
    ],
    note: `The bare loop takes six texts of each record by selectors that were written for the page; it finds no fields, and makes no numbers, dates or addresses. A second time ${MANY_ROWS.toLocaleString('en-US')} records to a handle: the server grew by ${saysGrowth(many)}.${many.failure === undefined ? '' : ` It failed: ${many.failure}`}`,
  };
}

function bounds(results, many) {
  const times = results
    .filter(({ most }) => most !== undefined)
    .map(({ page, rows, mode, ms, most }) => ({
      name: `${rows.toLocaleString('en-US')} rows of a ${PAGES[page].title} extracted, ${mode}`,
      value: ms.median,
      most,
      unit: 'ms',
    }));
  if (many.grewBytes === null) return times;
  // A failure is a bound that was missed.
  const grewBytes = many.failure === undefined ? many.grewBytes : Number.POSITIVE_INFINITY;
  const grew = {
    name: `${MANY_ROWS.toLocaleString('en-US')} rows to a handle, growth of the server`,
    value: grewBytes / MIB,
    most: 64,
    unit: 'MiB',
  };
  return [...times, grew];
}
