import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { createMcpServer } from '../../server/mcp/era-2025/server.ts';
import type { McpServerOptions } from '../../server/mcp/rpc.ts';
import { createApp, type AppParts } from '../../server/core/app.ts';
import type { Executor } from '../../server/core/calls/executor.ts';
import type { Runs } from '../../server/core/runs.ts';
import type { AppOptions } from '../../server/core/settings.ts';
import type { UpstreamOffers } from '../../server/core/upstreams.ts';
import { createServices } from '../../server/core/compose.ts';
import type { Upstreams } from '../../server/upstreams/index.ts';
import { appOptions } from './app-options.ts';
import { callTool, type CallAnswer } from './call-tool.ts';
import { endedOnce } from './end-of-file.ts';
import { FakeBridge } from './fake-bridge.ts';
import { testFolder } from './test-folder.ts';

/** A whole server in memory behind a real MCP client; only the browser is fake. */
export interface MemoryServer {
  readonly client: Client;
  readonly bridge: FakeBridge;
  readonly home: string;
  runs(): Promise<Runs>;
  /** Other servers, which connect with the first call, or with `start`. */
  readonly upstreams: Upstreams;
  readonly executor: Executor;
  /** The same with everything that the MCP adapter serves. */
  readonly faces: Omit<McpServerOptions, 'onClient'>;
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<CallAnswer>;
  connect(selectors?: readonly string[]): Promise<Client>;
  close(): Promise<void>;
}

export type MemoryParts = Omit<AppParts, 'bridge' | 'loadServices'> & { readonly offers?: UpstreamOffers };

/** Connects a client to an MCP server of its own over these faces. */
export async function connectTo(faces: MemoryServer['faces'], client: Client): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer({ ...faces, onClient: () => undefined });
  await Promise.all([server.connect(far), client.connect(near)]);
  return client;
}

export async function startMemoryServer(
  options: Partial<AppOptions> = {},
  { offers, ...parts }: MemoryParts = {},
): Promise<MemoryServer> {
  const home = testFolder();
  const bridge = new FakeBridge();
  const given = appOptions(home, options);
  const app = createApp(given, {
    ...parts,
    bridge,
    loadServices: async (loaded) => createServices(given, loaded),
  });
  const { executor, logger, logs, upstreams } = app;
  const resources = offers === undefined ? app.resources : { ...app.resources, upstreams: offers };
  const faces = { executor, resources, logger, logs, version: '0.0.0-test' };
  const connect = (selectors?: readonly string[]): Promise<Client> =>
    connectTo(
      selectors === undefined ? faces : { ...faces, selectors },
      new Client({ name: 'contract', version: '1' }),
    );
  const client = await connect();
  return {
    client,
    bridge,
    home,
    runs: async () => (await app.services()).runs,
    upstreams,
    executor,
    faces,
    connect,
    call: (name, args, signal) => callTool(client, name, args, signal),
    close: endedOnce(async () => {
      await client.close();
      await app.close();
    }),
  };
}
