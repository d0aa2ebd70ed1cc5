import { createMcpServer } from '../server.ts';
import type { McpServerOptions } from '../session.ts';
import { StdioTransport } from './transport.ts';

/** An active stdio session. */
export interface StdioSession {
  /** Resolves when the client has disconnected: its end of stdin closed, or stdout broke. */
  readonly ended: Promise<string>;
  /** Cancels pending calls. Idempotent. */
  close(): Promise<void>;
}

/** Serves one client on stdin and stdout. Nothing else may write to stdout from here on. */
export async function serveStdio(options: McpServerOptions): Promise<StdioSession> {
  const server = createMcpServer(options);
  const ended = new Promise<string>((resolve) => {
    process.stdin.once('end', () => resolve('the client closed stdin'));
    process.stdin.once('close', () => resolve('the client closed stdin'));
    process.stdin.on('error', () => resolve('stdin broke'));
    process.stdout.on('error', () => resolve('stdout broke'));
    const { onclose } = server;
    server.onclose = () => {
      onclose?.();
      // The transport closes when its client has not read for minutes.
      resolve('the transport closed');
    };
  });
  await server.connect(new StdioTransport({ input: process.stdin, output: process.stdout }));
  return { ended, close: () => server.close() };
}
