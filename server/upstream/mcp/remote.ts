import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { RemoteEntry } from '../config.ts';

/** How a server at an address is reached. */
export function transportOf(
  { url, transport }: RemoteEntry,
  { headers, fetch }: { readonly headers: Record<string, string>; readonly fetch: typeof globalThis.fetch },
): Transport {
  const options = { requestInit: { headers }, fetch };
  return transport === 'sse'
    ? new SSEClientTransport(new URL(url), options)
    : new StreamableHTTPClientTransport(new URL(url), options);
}
