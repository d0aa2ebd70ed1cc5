import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { onTestFinished } from 'vitest';
import type { MemoryServer } from './memory-client.ts';
import { connectClient, startWithUpstreams } from './upstream-rig.ts';

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
