import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mustRun, ROOT } from '../../scripts/lib/run.mjs';
import { serveOnLoopback } from '../lib/loopback.mjs';
import { McpClient } from '../lib/mcp-client.mjs';
import { cpuByRole, watchMemory } from '../lib/processes.mjs';
import { inFolder } from '../lib/runs.mjs';
import { SPILLWAY } from '../lib/servers.mjs';
import { MIB, formatMebibytes, formatSummary, summarise, timed, timedRounds } from '../lib/stats.mjs';

const FLOOD = join(ROOT, 'tests/support/flood-server.mjs');
const UPSTREAM = join(ROOT, 'tests/support/upstream-server.mjs');
const CALLS = 400;
/** Meanwhile V8 compiles in threads of its own: their time belongs to the start, and no later call has it. */
const COMPILING_CALLS = 2_500;
const STARTS = 7;
const CHANGES = 20;
const TIMEOUT_MS = 120_000;
const ITEMS = 1_000_000;
const ITEM_BYTES = 200;

/**
 * Other servers behind Spillway: what a call through it costs over a call of the server itself, what ten of them, one dead
 * and one hung, cost those who do not call them, and what a large answer takes of memory.
 * @type {import('../lib/report.mjs').Part}
 */
export function measure({ say }) {
  return inFolder(async (folder) => {
    say(`${CALLS} calls through Spillway and of the server itself, in turns`);
    const proxied = await measureProxy(join(folder, 'proxy'));
    say(`${STARTS} starts with ten upstreams and without, in turns`);
    const others = await measureOthers(folder);
    say('an answer of 200 MB from a service');
    const large = await measureLarge(join(folder, 'large'));
    say('an answer of 200 MB from an MCP server, over stdio and over HTTP');
    const floods = await measureFloods(folder);
    return report({ proxied, others, large, floods });
  });
}

const program = (id, ...args) => ({ id, command: process.execPath, args: [UPSTREAM, ...args] });

/** A server with these upstreams, those of `accepted` as a person has accepted them. */
export async function startServer(home, upstreams, accepted = []) {
  const { command, args } = SPILLWAY.start({ home, browser: null });
  const own = join(home, 'spillway');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  writeFileSync(join(own, 'spillway.json'), JSON.stringify({ upstreams }), { mode: 0o600 });
  for (const id of accepted)
    await mustRun(command, [args[0], 'upstream', 'accept', id, '--yes', '--home', own]);
  return new McpClient({ command, args });
}

/** Waits until a tool of an upstream answers. */
async function answered(client, tool, args) {
  const endsAt = performance.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await client.call(tool, args, TIMEOUT_MS);
    } catch (error) {
      if (performance.now() > endsAt) throw error;
      await sleep(50);
    }
  }
}

/** Changes the upstream's list, and waits until our server has the change. */
async function changeSeen(client) {
  const { content } = await client.call('odd_grows', {}, TIMEOUT_MS);
  const wanted = `odd_${content[0].text}`;
  for (;;) {
    const { tools } = await client.request('tools/list', {}, TIMEOUT_MS);
    if (tools.some(({ name }) => name === wanted)) return;
    await sleep(1);
  }
}

async function measureProxy(home) {
  const client = await startServer(home, [program('odd')], ['odd']);
  const { command, args } = program('odd');
  const direct = new McpClient({ command, args });
  try {
    await Promise.all([client.initialize(TIMEOUT_MS), direct.initialize(TIMEOUT_MS)]);
    await answered(client, 'odd_echo', { value: 'bench' });
    const samples = { proxied: [], direct: [] };
    const turn = async () => {
      samples.proxied.push(await timed(() => client.call('odd_echo', { value: 'bench' }, TIMEOUT_MS)));
      samples.direct.push(await timed(() => direct.call('echo', { value: 'bench' }, TIMEOUT_MS)));
    };
    const cpuOf = async (calls) => {
      const before = cpuByRole(client.pid);
      for (let n = 0; n < calls; n += 1) await turn();
      const after = cpuByRole(client.pid);
      return before === null || after === null ? null : (after.server - before.server) / calls;
    };
    await cpuOf(CALLS / 4);
    const earlyCpuMs = await cpuOf(CALLS);
    await cpuOf(COMPILING_CALLS);
    samples.proxied.length = samples.direct.length = 0;
    const cpuMs = await cpuOf(CALLS);
    const changes = await timedRounds(CHANGES, () => changeSeen(client));
    return {
      proxied: summarise(samples.proxied),
      direct: summarise(samples.direct),
      changes: summarise(changes),
      cpuMs,
      earlyCpuMs,
    };
  } finally {
    await Promise.all([client.close(), direct.close()]);
  }
}

const TEN = [
  ...Array.from({ length: 8 }, (_, n) => program(`up${n}`)),
  { id: 'dead', command: join(tmpdir(), 'no-such-program') },
  program('hung', 'silent'),
];

async function measureOthers(folder) {
  const kinds = { none: [], ten: TEN };
  const starts = { none: [], ten: [] };
  const calls = { none: [], ten: [] };
  for (let round = 0; round < STARTS; round += 1)
    for (const [kind, upstreams] of Object.entries(kinds)) {
      const client = await startServer(join(folder, `${kind}${round}`), upstreams);
      try {
        await client.initialize(TIMEOUT_MS);
        await client.request('tools/list', {}, TIMEOUT_MS);
        starts[kind].push(performance.now() - client.startedAt);
        // Background connections are made, or hang.
        await sleep(1_500);
        for (let n = 0; n < 100; n += 1) {
          const took = await timed(() => client.call('docs_search', { query: 'handle' }, TIMEOUT_MS));
          if (n >= 20) calls[kind].push(took);
        }
      } finally {
        await client.close();
      }
    }
  return {
    starts: { none: summarise(starts.none), ten: summarise(starts.ten) },
    calls: { none: summarise(calls.none), ten: summarise(calls.ten) },
  };
}

async function measureLarge(home) {
  const item = (n) => `{"id":${n},"text":"${'x'.repeat(ITEM_BYTES - 22 - String(n).length)}"}`;
  const service = await serveOnLoopback(async (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.write('[');
    for (let n = 0; n < ITEMS; n += 1_000) {
      const part = Array.from({ length: 1_000 }, (_, at) => item(n + at)).join();
      if (!response.write(n === 0 ? part : `,${part}`))
        await new Promise((resolve) => response.once('drain', resolve));
    }
    response.end(']');
  });
  const docData = {
    openapi: '3.1.0',
    info: { title: 'Large', version: '1' },
    paths: { '/all': { get: { operationId: 'all', responses: {} } } },
  };
  const client = await startServer(home, [{ id: 'big', docData, baseUrl: service.origin }], ['big']);
  try {
    await client.initialize(TIMEOUT_MS);
    await answered(client, 'docs_search', { query: 'handle' });
    await sleep(1_000);
    const memory = watchMemory(client.pid);
    const startedAt = performance.now();
    const answer = await answered(client, 'big_all', { output_mode: 'handle' });
    const tookMs = performance.now() - startedAt;
    const { size_bytes: bytes, item_count: items } = JSON.parse(answer.content[0].text);
    if (items !== ITEMS) throw new Error(`${items} items came instead of ${ITEMS}.`);
    return { ...memory.stop(), bytes, tookMs };
  } finally {
    await client.close();
    await service.close();
  }
}

/** A text of 200 MB from an MCP server, by how it is connected. */
async function measureFloods(folder) {
  const far = spawn(process.execPath, [FLOOD, 'http', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [said] = await once(far.stdout, 'data');
    const port = /\d+/.exec(String(said))[0];
    const address = (path) => ({ id: 'flood', url: `http://127.0.0.1:${port}/${path}` });
    return {
      stdio: await measureFlood(join(folder, 'stdio'), {
        id: 'flood',
        command: process.execPath,
        args: [FLOOD, 'stdio'],
      }),
      http: await measureFlood(join(folder, 'http'), address('json')),
      stream: await measureFlood(join(folder, 'stream'), address('stream')),
      sse: await measureFlood(join(folder, 'sse'), { ...address('sse'), transport: 'sse' }),
    };
  } finally {
    far.kill();
  }
}

async function measureFlood(home, upstream) {
  const client = await startServer(home, [upstream], ['flood']);
  try {
    await client.initialize(TIMEOUT_MS);
    await answered(client, 'flood_echo', { value: 'bench' });
    await sleep(1_000);
    const memory = watchMemory(client.pid);
    const startedAt = performance.now();
    const answer = await client.call('flood_text', { mib: 191, output_mode: 'handle' }, TIMEOUT_MS);
    const tookMs = performance.now() - startedAt;
    const { size_bytes: bytes } = JSON.parse(answer.content[0].text);
    if (bytes < 200_000_000) throw new Error(`${bytes} bytes came instead of 200 MB.`);
    return { ...memory.stop(), bytes, tookMs };
  } finally {
    await client.close();
  }
}

const mebibytes = ({ growthBytes }) => (growthBytes === null ? Number.NaN : growthBytes / MIB);
const formatCpu = (ms) => (ms === null ? '–' : `${ms.toFixed(2)} ms`);

const FLOODS = {
  stdio: 'an MCP server over stdio',
  http: 'one over Streamable HTTP, as JSON',
  stream: 'one over Streamable HTTP, as events',
  sse: 'one over SSE',
};

function report({ proxied, others, large, floods }) {
  const over = proxied.proxied.median - proxied.direct.median;
  const table = {
    title: 'Other servers behind Spillway',
    head: ['what', 'measured', 'compared with'],
    rows: [
      [
        'a call of an upstream',
        formatSummary(proxied.proxied, 'ms'),
        `${formatSummary(proxied.direct, 'ms')}: the server itself`,
      ],
      [
        'start and first list with ten upstreams, one dead, one hung',
        formatSummary(others.starts.ten, 'ms'),
        `${formatSummary(others.starts.none, 'ms')}: none`,
      ],
      [
        '`docs_search` with the ten',
        formatSummary(others.calls.ten, 'ms'),
        `${formatSummary(others.calls.none, 'ms')}: none`,
      ],
      [
        'a call that changes the list of an upstream, until our list has the change',
        formatSummary(proxied.changes, 'ms'),
        '500 ms: the bound',
      ],
      [
        `an answer of ${formatMebibytes(large.bytes)} becomes a handle: growth of memory`,
        formatMebibytes(large.growthBytes),
        `${(large.tookMs / 1_000).toFixed(1)} s`,
      ],
      ...Object.entries(floods).map(([kind, flood]) => [
        `a text of ${formatMebibytes(flood.bytes)} of ${FLOODS[kind]}: growth of memory`,
        formatMebibytes(flood.growthBytes),
        `${(flood.tookMs / 1_000).toFixed(1)} s`,
      ]),
    ],
    note: `A proxied call takes ${formatCpu(proxied.cpuMs)} of CPU in Spillway after ${COMPILING_CALLS} calls, and ${formatCpu(proxied.earlyCpuMs)} before, while V8 compiles.`,
  };
  const bounds = [
    { name: 'a call of an upstream, over the server itself', value: over, most: 3, unit: 'ms' },
    {
      name: 'a call of an upstream, CPU of Spillway',
      value: proxied.cpuMs ?? Number.NaN,
      most: 1,
      unit: 'ms',
    },
    { name: 'a changed list, until ours has it', value: proxied.changes.high, most: 500, unit: 'ms' },
    {
      name: 'ten upstreams, start over the upper quartile without them',
      value: others.starts.ten.median / others.starts.none.high,
      most: 1.1,
      unit: '',
    },
    {
      name: 'an answer of 200 MB, growth of memory',
      value: mebibytes(large),
      most: 64,
      unit: 'MiB',
    },
    ...Object.entries(floods).map(([kind, flood]) => ({
      name: `a text of 200 MB of ${FLOODS[kind]}, growth of memory`,
      value: mebibytes(flood),
      most: 64,
      unit: 'MiB',
    })),
  ];
  return { tables: [table], bounds, results: { proxied, others, large, floods } };
}
