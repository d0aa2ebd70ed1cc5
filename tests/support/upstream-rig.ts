import { fileURLToPath } from 'node:url';
import type { Logger } from '../../server/core/services.ts';
import type { AppOptions } from '../../server/options.ts';
import { parseEntry, trustAll, type UpstreamEntry } from '../../server/upstream/index.ts';
import { startMemoryServer, type MemoryParts, type MemoryServer } from './memory-client.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The program of `tests/support/upstream-server.mjs`. */
export const FAULTS = at('upstream-server.mjs');
/** Servers of the MCP project, as their packages start them. */
export const EVERYTHING = at('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js');
export const FILESYSTEM = at('../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');

/** An upstream that runs a program of Node. */
export const program = (id: string, args: readonly string[], more: object = {}): UpstreamEntry =>
  parseEntry({ id, command: process.execPath, args, ...more }, id);

/** Keeps what is logged. */
export function keptLog(): Logger & { readonly lines: readonly string[] } {
  const lines: string[] = [];
  const write = (facts: object, message: string): void =>
    void lines.push(`${JSON.stringify(facts)} ${message}`);
  return { lines, debug: write, info: write, warn: write, error: write };
}

/** A server in memory whose upstreams have connected, or failed, once. */
export async function startWithUpstreams(
  entries: readonly UpstreamEntry[],
  options: Partial<AppOptions> = {},
  parts: MemoryParts = {},
): Promise<MemoryServer> {
  const server = await startMemoryServer(options, { upstreamParts: { entries, trust: trustAll }, ...parts });
  await server.upstreams.settled(AbortSignal.timeout(30_000));
  return server;
}
