/**
 * Writes a handle through the output policy, pages it at random offsets, or searches it:
 *
 *     node --import tsx bench/store.mjs write HOME KIND MEBIBYTES
 *     node --import tsx bench/store.mjs read HOME HANDLE FORMAT
 *     node --import tsx bench/store.mjs search HOME HANDLE
 *
 * Prints the result as JSON. Growth is the peak of the resident set above what it was when the work
 * began; a page is one call of the pager, with files opened, checked and closed.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOutputPager } from '../server/core/output/pager.ts';
import { createOutputPolicy } from '../server/core/output/policy.ts';
import { createOutputStore } from '../server/core/output/store.ts';
import { createOutputQueries } from '../server/outputs/query/index.ts';

const MIB = 1024 * 1024;
const PAGES = 500;
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

const openStore = (home) =>
  createOutputStore({
    home,
    clock: { now: () => Date.now(), monotonic: () => Number(process.hrtime.bigint()) / 1e6 },
    logger: quiet,
    journal: { record() {} },
    ttlHours: 24,
    maxBytes: 64 * 1024 * MIB,
  });

/** Peak of the resident set as the kernel saw it, in bytes. */
const peakBytes = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))[1]) * 1024;

async function* items(count, sizeBytes) {
  const filler = 'é"x'.repeat(sizeBytes).slice(0, Math.max(0, Math.round((sizeBytes - 36) / 1.67)));
  for (let index = 0; index < count; index += 1) yield { index, url: `https://e.test/${index}`, filler };
}

async function* chunks(count, chunk) {
  for (let index = 0; index < count; index += 1) yield chunk;
}

const itemsPayload = (items) => ({ kind: 'items', mimeType: 'application/json', items });

const payloads = {
  items: (mebibytes) => itemsPayload(items(1_000_000, (mebibytes * MIB) / 1_000_000)),
  text: (mebibytes) => ({
    kind: 'text',
    mimeType: 'text/markdown',
    chunks: chunks(mebibytes * 16, 'Lines of text\n漢'.repeat(3855)),
  }),
  bytes: (mebibytes) => ({
    kind: 'bytes',
    mimeType: 'application/gzip',
    chunks: chunks(mebibytes * 16, Buffer.alloc(65_536, 7)),
  }),
};

async function write(home, kind, mebibytes) {
  const policy = createOutputPolicy(openStore(home));
  const options = {
    tool: 'bench',
    mode: 'handle',
    inlineLimitBytes: 0,
    envelopeBytes: 120,
    signal: new AbortController().signal,
    notes: () => [],
  };
  const before = process.memoryUsage().rss;
  const started = performance.now();
  const produced = {
    payload: payloads[kind](mebibytes),
    outcome: () => ({ state: {}, coverage: [] }),
  };
  const { descriptor } = await policy.deliver(produced, options);
  const seconds = (performance.now() - started) / 1000;
  const growth = Math.max(0, peakBytes() - before);
  return { handle: descriptor.output_handle, sizeBytes: descriptor.size_bytes, seconds, growth };
}

async function read(home, handle, format) {
  const pager = createOutputPager(openStore(home), 32_768);
  const { signal } = new AbortController();
  const request = { output_handle: handle, offset: 0, format, encoding: 'base64' };
  const { total } = (await pager.fetch(request, signal)).page;
  const before = process.memoryUsage().rss;
  const times = [];
  for (let page = 0; page < PAGES; page += 1) {
    const offset = Math.floor(Math.random() * total);
    const started = performance.now();
    await pager.fetch({ ...request, offset }, signal);
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return {
    median: times[PAGES / 2],
    p99: times[Math.floor(PAGES * 0.99)],
    growth: Math.max(0, peakBytes() - before),
  };
}

/** Searches the whole handle for a text that is not in it, in turns with `grep -F`. */
async function search(home, handle) {
  const store = openStore(home);
  const clock = { monotonic: () => 0 };
  const queries = createOutputQueries(store, clock, 32_768);
  const folder = join(home, 'output');
  const name = readdirSync(folder, { recursive: true }).find((file) => file.endsWith('.json'));
  const question = { output_handle: handle, search: 'SKU-12345-67890', offset: 0, limit: 20 };
  const { signal } = new AbortController();
  const best = { own: Infinity, grep: Infinity };
  const timed = async (who, work) => {
    const started = performance.now();
    await work();
    best[who] = Math.min(best[who], (performance.now() - started) / 1000);
  };
  const before = process.memoryUsage().rss;
  for (let turn = 0; turn < 5; turn += 1) {
    await timed('own', () => queries.query(question, signal));
    await timed('grep', () => spawnSync('grep', ['-F', '-c', question.search, join(folder, name)]));
  }
  return { ...best, growth: Math.max(0, peakBytes() - before) };
}

const [task, home, what, extra] = process.argv.slice(2);
const tasks = {
  write: () => write(home, what, Number(extra)),
  read: () => read(home, what, extra),
  search: () => search(home, what),
};
console.log(JSON.stringify(await tasks[task]()));
