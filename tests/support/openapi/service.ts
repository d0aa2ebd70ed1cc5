import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { JsonObject } from '../../../shared/json.ts';

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Service {
  readonly url: string;
  readonly seen: Seen[];
  close(): Promise<void>;
}

export async function startService(
  answer: (response: ServerResponse, seen: Seen) => void = (response) => response.end('{"ok":true}'),
): Promise<Service> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
      seen.push(one);
      response.setHeader('content-type', 'application/json');
      answer(response, one);
    });
    request.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The service has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

export const documentOf = (paths: JsonObject, more: JsonObject = {}): JsonObject => ({
  openapi: '3.0.3',
  info: { title: 'Test', version: '1' },
  paths,
  ...more,
});
