/**
 * What the executor costs above a bare handler of the SDK: the same answer of a tool that does
 * nothing, through MCP in memory, with the SDK's own client. The last line is the result as JSON.
 *
 *     node --expose-gc --import tsx bench/executor.mjs
 */
import { deepStrictEqual } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { createMcpServer } from '../server/mcp/era-2025/server.ts';
import { createApp } from '../server/core/app.ts';
import { settingsSchema } from '../server/core/settings.ts';
import { defineTool } from '../shared/core/tools/manifest.ts';
import { quantile, summarise, timed } from './lib/stats.mjs';

const WARM_UP = 2_000;
const CALLS = 10_000;
const AT_ONCE = 1_000;
/** Rounds of a block, after each of which the process is left to rest. */
const ROUNDS = 5;
const BLOCKS = 5;

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const CONTENT = [{ type: 'text', text: 'done' }];

const noop = defineTool({
  name: 'noop',
  title: 'Nothing',
  category: 'dev',
  tier: 2,
  risk: 'none',
  does: 'Does nothing.',
  use: 'To be measured.',
  avoid: 'Otherwise.',
  input: z.strictObject({}),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
});

async function* text() {
  yield 'done';
}

const run = async () => ({
  payload: { kind: 'text', mimeType: 'text/plain', chunks: text() },
  outcome: () => ({ state: {}, coverage: [] }),
});

function openApp(home) {
  const options = { ...settingsSchema().parse({ home }), logger: quiet };
  return createApp(options, { manifests: [noop], runtimes: { noop: async () => ({ noop: run }) } });
}

async function connect(server) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'bench', version: '1' });
  await Promise.all([server.connect(far), client.connect(near)]);
  return client;
}

function bareServer() {
  const server = new Server({ name: 'bare', version: '1' }, { capabilities: { tools: {} } });
  const tool = { name: 'noop', description: 'Does nothing.', inputSchema: { type: 'object' } };
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [tool] }));
  server.setRequestHandler(CallToolRequestSchema, () => ({ content: CONTENT }));
  return server;
}

const call = (client) => client.callTool({ name: 'noop', arguments: {} });

/** One call at a time; the two take turns, and each second pair begins with the other one. */
async function oneByOne(clients, count) {
  const samples = { own: [], bare: [] };
  for (let index = 0; index < count; index++) {
    const order = index % 2 === 0 ? ['own', 'bare'] : ['bare', 'own'];
    for (const name of order) samples[name].push(await timed(() => call(clients[name])));
  }
  return samples;
}

const allAtOnce = (client) => timed(() => Promise.all(Array.from({ length: AT_ONCE }, () => call(client))));

/** Heap and handles when nothing is pending. */
async function rest() {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    globalThis.gc();
  }
  return { heapBytes: process.memoryUsage().heapUsed, handles: process.getActiveResourcesInfo().length };
}

/**
 * A thousand calls at once, repeatedly. What they leave behind is the heap's growth between two rests, once the first
 * calls have filled every cache.
 */
async function together(clients) {
  const times = { own: [], bare: [] };
  const block = async () => {
    for (let round = 0; round < ROUNDS; round++)
      for (const name of round % 2 === 0 ? ['own', 'bare'] : ['bare', 'own'])
        times[name].push(await allAtOnce(clients[name]));
    return rest();
  };
  await block();
  await block();
  const before = await block();
  let after = before;
  for (let turn = 0; turn < BLOCKS; turn++) after = await block();
  return {
    times,
    calls: BLOCKS * ROUNDS * AT_ONCE,
    heapBytes: after.heapBytes - before.heapBytes,
    handles: after.handles - before.handles,
  };
}

const summariseBoth = ({ own, bare }) => ({ own: summaryOf(own), bare: summaryOf(bare) });
const summaryOf = (samples) => ({ ...summarise(samples), p95: quantile(samples, 0.95) });

const home = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
const app = openApp(home);
try {
  const own = createMcpServer({
    executor: app.executor,
    version: '0.0.0-bench',
    logger: quiet,
    onClient: () => {},
  });
  const clients = { own: await connect(own), bare: await connect(bareServer()) };
  deepStrictEqual((await call(clients.own)).content, CONTENT);
  deepStrictEqual((await call(clients.bare)).content, CONTENT);
  await oneByOne(clients, WARM_UP);
  globalThis.gc();
  const single = await oneByOne(clients, CALLS);
  const concurrent = await together(clients);
  for (const client of Object.values(clients)) await client.close();
  const { times, ...left } = concurrent;
  console.log(JSON.stringify({ single: summariseBoth(single), atOnce: summariseBoth(times), ...left }));
} finally {
  await app.close();
  rmSync(home, { recursive: true, force: true });
}
