import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun } from '../../scripts/lib/run.mjs';
import { McpClient } from './mcp-client.mjs';

const START_TIMEOUT_MS = 60_000;

/**
 * Runs a program of this folder in a process of its own; the last line of its output is its result.
 * @param {string} path below `bench`
 * @param {{ args?: readonly string[], node?: readonly string[], browser?: string | null }} [options] switches of Node, and
 * the Chromium that the program is to find
 */
export async function runProgram(path, { args = [], node = ['--import', 'tsx'], browser = null } = {}) {
  const program = join(import.meta.dirname, '..', path);
  const env = browser === null ? {} : { SPILLWAY_CHROMIUM: browser };
  const output = await mustRun(process.execPath, [...node, program, ...args], { env });
  return JSON.parse(output.trim().split('\n').at(-1));
}

/**
 * Gives work a temporary folder, which is removed afterwards.
 * @template Result
 * @param {(folder: string) => Promise<Result>} work
 */
export async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Gives work a client of a server with a new home.
 * @template Result
 * @param {import('./servers.mjs').ServerKind} server
 * @param {string | null} browser
 * @param {(client: McpClient) => Promise<Result>} work
 */
export const withServer = (server, browser, work) =>
  inFolder(async (home) => {
    const client = new McpClient(server.start({ home, browser }));
    try {
      await client.initialize(START_TIMEOUT_MS);
      return await work(client);
    } finally {
      await client.close();
    }
  });
