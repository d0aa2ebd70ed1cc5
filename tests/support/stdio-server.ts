import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  ElicitRequestSchema,
  type ElicitRequest,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import { built, SERVER } from '../../scripts/lib/server-process.ts';
import { callTool, type CallAnswer } from './call-tool.ts';
import { definedOnly } from '../../scripts/lib/environment.ts';
import { endedOnce } from './end-of-file.ts';
import { waitForNoProcess } from './processes.ts';

/** The built server behind a real MCP client on its stdio. */
export interface StdioServer {
  readonly client: Client;
  readonly pid: number;
  /** Its `--home`, removed by `close` when it was made here. */
  readonly home: string;
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<CallAnswer>;
  readonly said: () => string;
  /** Closes its stdin, as a client that leaves does, and waits until all its processes have exited. */
  close(): Promise<void>;
}

export interface StdioServerOptions {
  /** Flags in addition to `--home`: `['--launch', '--headless']`, say. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
  readonly program?: string;
  readonly clientName?: string;
  /** Answers the server's questions to the client's person; the client then declares elicitation. */
  readonly answers?: (params: ElicitRequest['params'], signal: AbortSignal) => Promise<ElicitResult>;
}

/**
 * Starts `node dist/index.js --home HOME …args` and initialises a session with it.
 * @throws with the server's output if it does not start
 */
export async function startServer({
  args = [],
  env = {},
  home,
  program = SERVER,
  clientName = 'spillway-tests',
  answers,
}: StdioServerOptions = {}): Promise<StdioServer> {
  const ownHome = home ?? mkdtempSync(join(tmpdir(), 'spillway-home-'));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [built(program), '--home', ownHome, ...args],
    env: { ...definedOnly(process.env), ...env },
    stderr: 'pipe',
  });
  let text = '';
  transport.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  const client = new Client(
    { name: clientName, version: '1' },
    answers === undefined ? {} : { capabilities: { elicitation: { form: {} } } },
  );
  if (answers !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => answers(params, signal));
  await client.connect(transport).catch((error: unknown) => {
    throw new Error(`The server did not come up: ${String(error)}\n${text}`);
  });
  const { pid } = transport;
  if (pid === null) throw new Error(`The server has gone already:\n${text}`);
  return {
    client,
    pid,
    home: ownHome,
    call: (name, callArgs, signal) => callTool(client, name, callArgs, signal),
    said: () => text,
    close: endedOnce(async () => {
      await client.close();
      await waitForNoProcess(ownHome);
      if (home === undefined) rmSync(ownHome, { recursive: true, force: true });
    }),
  };
}
