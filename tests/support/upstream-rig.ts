import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { Logger } from '../../server/core/services.ts';
import type { AppOptions } from '../../server/core/settings.ts';
import { parseEntry, trustAll, type UpstreamEntry } from '../../server/upstreams/index.ts';
import { connectTo, startMemoryServer, type MemoryParts, type MemoryServer } from './memory-client.ts';
import { onTestFinished } from 'vitest';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
export const FAULTS = at('upstream-server.mjs');
export const TASKS = at('upstream-tasks.mjs');
export const FLOOD = at('flood-server.mjs');
/** Servers of the MCP project, as their packages start them. */
export const EVERYTHING = at('../../node_modules/@modelcontextprotocol/server-everything/dist/index.js');
export const FILESYSTEM = at('../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');

export const program = (id: string, args: readonly string[], more: object = {}): UpstreamEntry =>
  parseEntry({ id, command: process.execPath, args, ...more }, id);

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
  await server.upstreams.awaitSettled(AbortSignal.timeout(30_000));
  return server;
}

/** Another client of a server, with its capabilities and its answers. */
export async function connectClient(
  { faces }: MemoryServer,
  capabilities: ClientCapabilities,
  prepare: (client: Client) => void = () => undefined,
): Promise<Client> {
  const client = new Client({ name: 'asked', version: '1' }, { capabilities });
  prepare(client);
  return connectTo(faces, client);
}

export async function startUpstreams(...args: Parameters<typeof startWithUpstreams>): Promise<MemoryServer> {
  const server = await startWithUpstreams(...args);
  onTestFinished(() => server.close());
  return server;
}

export async function startClient(...args: Parameters<typeof connectClient>): Promise<Client> {
  const client = await connectClient(...args);
  onTestFinished(() => client.close());
  return client;
}
