import { chmodSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { VERSION } from '../../shared/version.ts';
import type { RunningWorker } from './worker.ts';

/**
 * Answers HTTP on a private socket: 200 while Redis is connected, 503 otherwise. Replaces a socket that a killed
 * worker left.
 * @returns a function that ends it
 */
export async function serveHealth(path: string, worker: RunningWorker): Promise<() => void> {
  const server = createServer((_request, response) => {
    const facts = worker.facts();
    response.writeHead(facts.isConnected ? 200 : 503, { 'content-type': 'application/json' });
    response.end(`${JSON.stringify({ version: VERSION, ...facts })}\n`);
  });
  rmSync(path, { force: true });
  // The socket is never open to others, not even for a moment.
  const mask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
  } finally {
    process.umask(mask);
  }
  chmodSync(path, 0o600);
  server.unref();
  return () => void server.close();
}
