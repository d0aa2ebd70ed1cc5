import { Client, InMemoryTransport, type Transport } from '@modelcontextprotocol/client';
import { serveChannel } from '../../server/mcp/era-2026/server.ts';
import { Channel } from '../../server/mcp/rpc.ts';
import type { MemoryServer } from './memory-client.ts';

/** A client of 2026-07-28. */
export async function connectOver(transport: Transport): Promise<Client> {
  const client = new Client(
    { name: 'era', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: { elicitation: { form: {} } } },
  );
  await client.connect(transport);
  return client;
}

/** The same, on a connection of its own. */
export async function connectNewEra({ faces }: MemoryServer): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const channel = new Channel(far);
  far.onmessage = (message) => channel.onmessage?.(message);
  far.onclose = () => channel.onclose?.();
  await serveChannel(channel, { ...faces, onClient: () => undefined });
  return connectOver(near);
}
