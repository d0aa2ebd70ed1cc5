import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { onTestFinished } from 'vitest';
import type { MemoryServer } from './memory-client.ts';
import { connectClient, startWithUpstreams } from './upstream-rig.ts';

/** A server that goes with its test. */
export async function startUpstreams(...args: Parameters<typeof startWithUpstreams>): Promise<MemoryServer> {
  const server = await startWithUpstreams(...args);
  onTestFinished(() => server.close());
  return server;
}

/** One more client of a server, which goes with its test. */
export async function startClient(...args: Parameters<typeof connectClient>): Promise<Client> {
  const client = await connectClient(...args);
  onTestFinished(() => client.close());
  return client;
}
