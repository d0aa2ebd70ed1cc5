import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

type Route = (response: ServerResponse, request: IncomingMessage) => void;

const page = (title: string, body = ''): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`;

const html =
  (title: string, body = ''): Route =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page(title, body));

/** A site whose pages misbehave each in one way, on a free port of loopback. */
export class Site {
  readonly origin: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #held = new Map<string, ServerResponse[]>();
  readonly #routes: Record<string, Route> = {
    '/': html('Home'),
    '/a': html('A', '<h2 id="part">Part</h2>'),
    '/b': html('B'),
    '/loop': (response) => void response.writeHead(302, { location: '/loop' }).end(),
    '/204': (response) => void response.writeHead(204).end(),
    '/download': (response) =>
      void response
        .writeHead(200, {
          'content-type': 'application/octet-stream',
          'content-disposition': 'attachment; filename="f.bin"',
        })
        .end('bytes'),
    '/mute': () => {},
    '/auth': (response) =>
      void response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end(page('Sign in')),
    '/title': html('Önskad <b>'),
    '/close': (response) => response.socket?.destroy(),
    '/leave': html('Leave', '<script>onbeforeunload = (event) => event.preventDefault()</script>'),
  };

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${port}`;
  }

  static async start(): Promise<Site> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const site = new Site(server, (server.address() as AddressInfo).port);
    server.on('connection', (socket) => site.#sockets.add(socket));
    server.on('request', (request, response) => site.#serve(request, response));
    return site;
  }

  url(path: string): string {
    return this.origin + path;
  }

  /** Answers the request that waits at `/held?name`, or the next one. */
  release(name: string): void {
    for (const response of this.#held.get(name) ?? []) response.end('released');
    this.#held.delete(name);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, search } = new URL(request.url ?? '/', this.origin);
    if (pathname === '/held') {
      const name = search.slice(1);
      this.#held.set(name, [...(this.#held.get(name) ?? []), response]);
      return;
    }
    const route = this.#routes[pathname];
    if (route === undefined) response.writeHead(404).end();
    else route(response, request);
  }
}
