import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { createMcpServer } from '../../server/adapters/mcp/server.ts';
import { createApp } from '../../server/app.ts';
import type { Logger } from '../../server/core/services.ts';
import type { AppOptions } from '../../server/options.ts';
import { createServices } from '../../server/services.ts';
import { LIMITS } from '../../shared/limits.ts';
import { FakeBridge } from './fake-bridge.ts';

export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A result as tests read it. */
export interface CallAnswer {
  readonly isError: boolean;
  /** `content[0].text`, which is the payload, the descriptor or the error. */
  readonly text: string;
  readonly notes: string;
  readonly raw: CallToolResult;
  json<T>(): T;
  code(): string | undefined;
}

/** A whole server in memory behind a real MCP client; only the browser is made up. */
export interface MemoryServer {
  readonly client: Client;
  readonly bridge: FakeBridge;
  readonly home: string;
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<CallAnswer>;
  /** Another client with a session of its own. */
  connect(): Promise<Client>;
  close(): Promise<void>;
}

export async function startMemoryServer(options: Partial<AppOptions> = {}): Promise<MemoryServer> {
  const home = await mkdtemp(join(tmpdir(), 'spillway-contract-'));
  const bridge = new FakeBridge();
  const appOptions: AppOptions = {
    home,
    mode: 'default',
    outputModeDefault: 'inline',
    handleTtlHours: LIMITS.outputHandleTtlHours,
    sweepIntervalSeconds: LIMITS.outputHandleSweepIntervalSeconds,
    pageBytes: LIMITS.outputPageBytes,
    maxBytes: LIMITS.outputMaxBytes,
    sanitizeContent: true,
    contentBoundaries: false,
    launch: null,
    logger: silentLogger,
    ...options,
  };
  const app = createApp(appOptions, async () => createServices(appOptions, bridge));
  const connect = async (): Promise<Client> => {
    const server = createMcpServer({
      executor: app.executor,
      version: '0.0.0-test',
      onClient: () => undefined,
    });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'contract', version: '1' });
    await Promise.all([server.connect(far), client.connect(near)]);
    return client;
  };
  const client = await connect();
  return {
    client,
    bridge,
    home,
    connect,
    call: (name, args, signal) => callTool(client, name, args, signal),
    close: async () => {
      await client.close();
      await app.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Calls a tool and reads the answer's blocks. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  signal?: AbortSignal,
): Promise<CallAnswer> {
  const raw = (await client.callTool(
    { name, arguments: args },
    undefined,
    signal === undefined ? {} : { signal },
  )) as CallToolResult;
  const texts = raw.content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`));
  const text = texts[0] ?? '';
  return {
    isError: raw.isError === true,
    text,
    notes: texts.slice(1).join('\n'),
    raw,
    json: <T>() => JSON.parse(text) as T,
    code: () =>
      raw.isError === true ? (JSON.parse(text) as { error: { code: string } }).error.code : undefined,
  };
}
