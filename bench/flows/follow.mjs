import { textOf } from '../lib/mcp-client.mjs';
import { sum } from '../lib/stats.mjs';
import { tokensOf } from '../lib/tokens.mjs';

const TIMEOUT_MS = 60_000;

class Proven extends Error {}

/**
 * Follows a flow through a server until an answer holds its proof.
 *
 * @param {object} options
 * @param {import('../lib/mcp-client.mjs').McpClient} options.client
 * @param {import('./spillway-driver.mjs').Driver} options.drive
 * @param {string} options.url of the flow's first page
 * @param {string} [options.file] to upload
 * @param {string} options.proof
 * @returns what each call took and cost; `failure` is null when the proof was seen
 */
export async function follow({ client, drive, url, file, proof }) {
  const calls = [];
  const call = async (tool, args) => {
    const startedAt = performance.now();
    const result = await client.request('tools/call', { name: tool, arguments: args }, TIMEOUT_MS);
    const took = performance.now() - startedAt;
    const text = textOf(result);
    calls.push({ tool, ms: took, in: tokensOf(JSON.stringify(args)), out: tokensOf(text) });
    if (text.includes(proof)) throw new Proven();
    return text;
  };
  let failure = 'no answer had it';
  try {
    await drive({ call, url, file });
  } catch (error) {
    failure = error instanceof Proven ? null : error.message;
  }
  return { failure, calls };
}

/** Flows whose functions are given the tools of a server in place of the plain steps. */
export const flowsOf = (toolsOf, flows) =>
  Object.fromEntries(Object.entries(flows).map(([name, flow]) => [name, (steps) => flow(toolsOf(steps))]));

export const timeOf = ({ calls }) => sum(calls, ({ ms }) => ms);
/** Tokens of its arguments and answers. */
export const costOf = ({ calls }) => sum(calls, (one) => one.in + one.out);
