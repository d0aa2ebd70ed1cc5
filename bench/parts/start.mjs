import { McpClient } from '../lib/mcp-client.mjs';
import { residentBytes } from '../lib/processes.mjs';
import { inFolder } from '../lib/runs.mjs';
import { BARE, PEERS, SPILLWAY_MODES } from '../lib/servers.mjs';
import { formatMebibytes, formatNumber, formatSummary, median, summarise } from '../lib/stats.mjs';
import { tokensOf } from '../lib/tokens.mjs';

const ROUNDS = 21;
const TIMEOUT_MS = 20_000;

/** From the spawn of a server to its answer to `tools/list`, in milliseconds. */
async function startOnce(server, home) {
  const client = new McpClient(server.start({ home, browser: null }));
  try {
    await client.initialize(TIMEOUT_MS);
    const { tools } = await client.request('tools/list', {}, TIMEOUT_MS);
    const tookMs = performance.now() - client.startedAt;
    return { tookMs, tools, rssBytes: residentBytes(client.pid) };
  } finally {
    await client.close();
  }
}

/**
 * Start to `tools/list`. The servers take turns within a round and each round begins with another
 * one, so that what the machine does meanwhile falls on all of them alike.
 * @type {import('../lib/report.mjs').Part}
 */
export async function measure({ say }) {
  const servers = [...SPILLWAY_MODES, BARE, ...PEERS];
  const runs = new Map(servers.map(({ id }) => [id, []]));
  await inFolder(async (home) => {
    // The first start of each server fills the system's file cache and is not counted.
    for (const server of servers) await startOnce(server, home);
    for (let round = 0; round < ROUNDS; round++) {
      say(`round ${round + 1} of ${ROUNDS}`);
      for (let turn = 0; turn < servers.length; turn++) {
        const server = servers[(round + turn) % servers.length];
        runs.get(server.id).push(await startOnce(server, home));
      }
    }
  });
  return report(servers, runs);
}

function report(servers, runs) {
  const results = servers.map(({ id, name }) => {
    const samples = runs.get(id);
    const { tools } = samples[0];
    return {
      id,
      name,
      startMs: summarise(samples.map(({ tookMs }) => tookMs)),
      rssBytes: median(samples.map(({ rssBytes }) => rssBytes ?? Number.NaN)),
      tools: tools.length,
      tokens: tokensOf(JSON.stringify(tools)),
    };
  });
  const bare = results.find(({ id }) => id === BARE.id);
  const own = SPILLWAY_MODES.map((mode) => results.find(({ id }) => id === mode.id));
  const ratio = (result) => result.startMs.median / bare.startMs.median;
  const table = {
    title: 'Start to `tools/list`',
    head: ['server', 'time', '× bare', 'resident memory', 'tools', 'tokens of tools/list'],
    rows: results.map((result) => [
      result.name,
      formatSummary(result.startMs, 'ms'),
      ratio(result).toFixed(2),
      formatMebibytes(result.rssBytes),
      String(result.tools),
      formatNumber(result.tokens),
    ]),
  };
  const bounds = own.map((result) => ({
    name: `start to tools/list against the bare server, ${result.name}`,
    value: ratio(result),
    most: 1,
    unit: '×',
  }));
  return { tables: [table], bounds, results };
}
