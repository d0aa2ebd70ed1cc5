import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEndOfFile } from './end-of-file.ts';

export interface FileSite {
  readonly port: number;
  /** Of `127.0.0.1`, or of another name of this machine. */
  url(path: string, host?: string): string;
  readonly open: number;
}

type Route = (response: ServerResponse, request: IncomingMessage) => void;

export async function serveFiles(routes: Readonly<Record<string, Route>>): Promise<FileSite> {
  let open = 0;
  const port = await answerAt((request, response) => {
    open += 1;
    response.once('close', () => (open -= 1));
    const { pathname } = new URL(request.url ?? '/', 'http://site.test');
    const route = routes[pathname];
    if (route === undefined)
      response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such file.');
    else route(response, request);
  });
  return {
    port,
    url: (path, host = '127.0.0.1') => `http://${host}:${port}${path}`,
    get open() {
      return open;
    },
  };
}

export const file =
  (
    body: string | Uint8Array,
    headers: Readonly<Record<string, string | string[]>> = {},
    status = 200,
  ): Route =>
  (response) =>
    void response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers }).end(body);

export const redirect =
  (to: string, status = 302): Route =>
  (response) =>
    void response.writeHead(status, { location: to }).end();

type Listener = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Answers requests on loopback until the file ends; returns the port. A failed answer hangs up. */
export async function answerAt(answer: Listener): Promise<number> {
  const server = createServer((request, response) => {
    const hangUp = (thrown: unknown): void => void response.destroy(thrown as Error);
    answer(request, response)?.catch(hangUp);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  atEndOfFile(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
