import { serveOnLoopback } from '../lib/loopback.mjs';
import { textOf } from '../lib/mcp-client.mjs';
import { residentBytes, watchMemory } from '../lib/processes.mjs';
import { withServer } from '../lib/runs.mjs';
import { SPILLWAY } from '../lib/servers.mjs';
import {
  MIB,
  formatMebibytes,
  formatNumber,
  formatSummary,
  summarise,
  timed,
  timedRounds,
} from '../lib/stats.mjs';
import { tokensOf } from '../lib/tokens.mjs';

const TIMEOUT_MS = 300_000;
const STARTS = 20;
const SANDBOXES = 8;
const READS = 200;
const REPLAYED = 10_000;
const ITEMS = 1_000;
const PRODUCTS = 20;

const FIELDS = ['name', 'price', 'stock', 'rating', 'maker'];
const SCHEMA = {
  type: 'object',
  properties: Object.fromEntries(FIELDS.map((name) => [name, { type: 'string' }])),
};
const valueOf = (name, index) => (name === 'price' ? `${100 + ((index * 7) % 23)}` : `${name} of ${index}`);
const product = (index) =>
  `<!doctype html><title>Product ${index}</title><h1>Product ${index}</h1><dl>${FIELDS.map((name) => `<dt>${name}</dt><dd class="${name}">${valueOf(name, index)}</dd>`).join('')}</dl>${'<p>Words about this product, as shops have them, and more of them below.</p>'.repeat(30)}`;
const shop = `<!doctype html><title>Shop</title><ul>${Array.from({ length: PRODUCTS }, (_, index) => `<li><a href="/p/${index + 1}">Product ${index + 1}</a></li>`).join('')}</ul>`;
const list = `<!doctype html><title>List</title><ul>${Array.from({ length: ITEMS }, (_, index) => `<li>Item ${index} with some words</li>`).join('')}</ul>`;

/**
 * Programs compared with the same calls made by an agent one by one: their start, a recorded call, the replay of a
 * record, the memory of a stream, and the calls and tokens of twenty pages.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say, browser }) {
  const site = await serveOnLoopback((request, response) => {
    const index = /^\/p\/(\d+)/.exec(request.url ?? '')?.[1];
    const page = request.url === '/shop' ? shop : index === undefined ? list : product(index);
    response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });
  return withServer(SPILLWAY, browser, async (client) => {
    const { tools } = await client.request('tools/list', {}, TIMEOUT_MS);
    const call = async (name, args) => textOf(await client.call(name, args, TIMEOUT_MS));
    const script = (code, args = {}) => call('script', { code, timeout_ms: TIMEOUT_MS, ...args });
    await call('navigate', { url: `${site.origin}/` });
    say('starts of a sandbox');
    const start = await measureStart(client, call, script);
    say(`${READS} recorded reads, and the same without a program`);
    const reads = await measureReads(call, script);
    say(`the replay of ${REPLAYED} calls`);
    const replayMs = await measureReplay(call, script);
    say(`${ITEMS} items of a handle`);
    const itemsBytes = await measureItems(client, call, script);
    say(`${PRODUCTS} product pages`);
    const products = await measureProducts(call, site.origin);
    const listTokens = tokensOf(JSON.stringify(tools.find(({ name }) => name === 'script')));
    return report({ start, reads, replayMs, itemsBytes, products, listTokens });
  }).finally(site.close);
}

const samples = async (count, work) => summarise(await timedRounds(count, work));

async function measureStart(client, call, script) {
  await script('return 1');
  const program = await samples(STARTS, () => script('return 1'));
  const plain = await samples(STARTS, () => call('run_list', { count: 1 }));
  const before = residentBytes(client.pid);
  const waiting = Array.from({ length: SANDBOXES }, () => script('await sleep(3000); return 1'));
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const bytes = (residentBytes(client.pid) - before) / SANDBOXES;
  await Promise.all(waiting);
  return { program, plain, ms: program.median - plain.median, bytes };
}

const READ = { format: 'text', find: 'Item 7 with' };

async function measureReads(call, script) {
  await samples(20, () => call('read_page', READ));
  const plain = await samples(READS, () => call('read_page', READ));
  const program = await timed(() =>
    script(`for (let n = 0; n < ${READS}; n++) await tools.read_page(${JSON.stringify(READ)}); return 1`),
  );
  // It is kept as begun, and as ended.
  const sleeps = await timed(() => script(`for (let n = 0; n < ${READS}; n++) await sleep(0); return 1`));
  return { plainMs: plain.median, programMs: program / READS, commitMs: sleeps / READS / 2 };
}

/** A program that fails after its calls, and is resumed: what it called is given to it from its record. */
async function measureReplay(call, script) {
  const code = `for (let n = 0; n < ${REPLAYED}; n++) await tools.run_list({ count: 1 }); throw new Error('stop')`;
  const { run_id: run } = JSON.parse(await script(code, { async: true }));
  const ended = async () => {
    for (;;) {
      const { status } = JSON.parse(await call('run_status', { run_id: run }));
      if (status === 'failed') return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await ended();
  return timed(async () => {
    await call('run_resume', { run_id: run, async: true });
    await ended();
  });
}

async function measureItems(client, call, script) {
  const stored = await call('read_page', { format: 'nodes', output_mode: 'handle' });
  const { output_handle: handle } = JSON.parse(
    stored.slice(stored.indexOf('{'), stored.lastIndexOf('}') + 1),
  );
  const code = `let n = 0; await map(items(input), async () => { n += 1; }); return n`;
  await script(code, { input: handle });
  const memory = watchMemory(client.pid);
  const counted = await script(code, { input: handle });
  if (!(Number(counted.split('\n')[0]) >= ITEMS)) throw new Error(`the program counted ${counted}`);
  return memory.stop().growthBytes;
}

async function measureProducts(call, origin) {
  const count = { calls: 0, tokens: 0 };
  const counted = async (name, args) => {
    const text = await call(name, args);
    count.calls += 1;
    count.tokens += tokensOf(JSON.stringify(args)) + tokensOf(text);
    return text;
  };
  // The model reads twenty records and sees which is the cheapest.
  const plainMs = await timed(async () => {
    await counted('navigate', { url: `${origin}/shop` });
    const links = (await counted('read_page', {})).matchAll(/http[^)\s]+\/p\/\d+/g);
    for (const [url] of links) {
      await counted('navigate', { url });
      await counted('extract_data', { schema: SCHEMA });
    }
  });
  const plain = { ...count, ms: plainMs };
  Object.assign(count, { calls: 0, tokens: 0 });
  const code = `await tools.navigate({ url: input });
const links = (await tools.read_page({})).match(/http[^)\\s]+\\/p\\/\\d+/g);
const all = await map(links, async (url) => {
  await tools.navigate({ url });
  return tools.extract_data({ schema: ${JSON.stringify(SCHEMA)} });
}, { limit: 1 });
return { read: all.length, cheapest: all.sort((a, b) => a.price - b.price)[0] };`;
  let answer = '';
  const ms = await timed(async () => {
    answer = await counted('script', { code, input: `${origin}/shop` });
  });
  if (!answer.includes(`"read":${PRODUCTS}`) || plain.calls !== 2 + 2 * PRODUCTS)
    throw new Error(`${plain.calls} calls, and the program answered ${answer}`);
  return { plain, program: { ...count, ms } };
}

function report({ start, reads, replayMs, itemsBytes, products, listTokens }) {
  const { plain, program } = products;
  const cells = ({ calls, tokens, ms }) => [String(calls), formatNumber(tokens), `${formatNumber(ms)} ms`];
  return {
    tables: [
      {
        title: 'A program',
        head: ['what', 'measured'],
        rows: [
          ['a program that returns 1, the whole call', formatSummary(start.program, 'ms')],
          ['`run_list`, the whole call', formatSummary(start.plain, 'ms')],
          ['memory of a program that waits', formatMebibytes(start.bytes)],
          ['a read in a program', `${formatNumber(reads.programMs)} ms`],
          ['the same read without one', `${formatNumber(reads.plainMs)} ms`],
          ['a commit of the record', `${formatNumber(reads.commitMs)} ms`],
          [`replay of ${formatNumber(REPLAYED)} recorded calls`, `${formatNumber(replayMs)} ms`],
          [`memory growth, ${formatNumber(ITEMS)} items of a handle`, formatMebibytes(itemsBytes)],
        ],
      },
      {
        title: `${PRODUCTS} product pages of ${FIELDS.length} fields`,
        head: ['how', 'calls', 'tokens', 'time'],
        rows: [
          ['one by one', ...cells(plain)],
          ['one program', ...cells(program)],
        ],
      },
    ],
    bounds: [
      { name: 'program, start of a sandbox', value: start.ms, most: 30, unit: 'ms' },
      { name: 'program that waits, memory', value: start.bytes / MIB, most: 12, unit: 'MiB' },
      {
        name: 'program, a recorded read against 1.1 plain ones and a commit',
        value: reads.programMs / (1.1 * reads.plainMs + reads.commitMs),
        most: 1,
        unit: '×',
      },
      { name: `program, replay of ${REPLAYED} calls`, value: replayMs, most: 2_000, unit: 'ms' },
      {
        name: `program, ${ITEMS} items of a handle, memory growth`,
        value: itemsBytes / MIB,
        most: 32,
        unit: 'MiB',
      },
      { name: 'script in tools/list', value: listTokens, most: 150, unit: 'tokens' },
      {
        name: 'product pages, tokens against one by one',
        value: program.tokens / plain.tokens,
        most: 0.1,
        unit: '×',
      },
      { name: 'product pages, time against one by one', value: program.ms / plain.ms, most: 1, unit: '×' },
    ],
    results: { start, reads, replayMs, itemsBytes, products, listTokens },
  };
}
