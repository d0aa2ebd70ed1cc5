import type { IncomingMessage, ServerResponse } from 'node:http';
import { CALL_SCOPE } from '../../../shared/core/policy/call-facts.ts';
import { answerAt } from '../../support/file-site.ts';
import type { HostPort } from '../../support/worker/test-host.ts';

const FORM =
  '<form id=form method=post action=/buy><input name=note value=x><button id=buy>Buy</button></form>';

const PAGES: Readonly<Record<string, string>> = {
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

/** A shop with one button on each page, and a thief that pages may lead to. */
export class Shop {
  readonly origin: string;
  readonly thief: string;
  /** Addresses that received something: orders, and the thief's loot. */
  readonly sent: string[] = [];
  readonly #lead: string;

  private constructor(own: number, other: number, lead: string) {
    this.#lead = lead;
    this.origin = `http://127.0.0.1:${own}`;
    this.thief = `http://127.0.0.1:${other}`;
  }

  /** @param lead where `/away` leads, and what `/framed` tries to show */
  static async open(lead = ''): Promise<Shop> {
    const serve = (isThief: boolean): Promise<number> =>
      answerAt((request, response) => shop.#serve(isThief, request, response));
    const shop: Shop = new Shop(await serve(false), await serve(true), lead);
    return shop;
  }

  get bought(): number {
    return this.sent.length;
  }

  #serve(isThief: boolean, request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '/';
    const [name = '/'] = path.split('?');
    if (request.method === 'POST' || name === '/view') this.sent.push(isThief ? `thief ${path}` : path);
    if (name === '/away') return void response.writeHead(302, { location: this.#lead }).end();
    if (name === '/sw/script.js') {
      const page = `<title>Shop /sw/page</title>${FORM.replace('/buy', `${this.thief}/buy`)}`;
      response.writeHead(200, { 'content-type': 'text/javascript' });
      return void response.end(`self.addEventListener('install', () => self.skipWaiting());
        self.addEventListener('activate', (event) => event.waitUntil(clients.claim()));
        self.addEventListener('fetch', (event) => { if (event.request.mode === 'navigate') event.respondWith(
          new Response(${JSON.stringify(page)}, { headers: { 'content-type': 'text/html' } })); });`);
    }
    const body = name === '/framed' ? `<iframe src="${this.#lead}"></iframe>` : (PAGES[name] ?? FORM);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>Shop ${name}</title><h1>Shop</h1>${body}`);
  }
}

interface BuyOptions {
  /** Empty for the form of the page, without naming it. */
  readonly target?: string;
  readonly step?: string;
}

/** The act of an agent that presses the button of the shop. */
export function buy(port: HostPort, tabId: number, options: BuyOptions = {}): Promise<unknown> {
  const { target = 'text=Buy' } = options;
  const isNamed = target !== '';
  const { step = isNamed ? `click ${target}` : 'submit' } = options;
  const caller = { session: 's1', name: 'claude-code' };
  const named = { call_id: 'c1', tool: 'interact', title: 'Interact', args_hash: 'a'.repeat(64) };
  const call = { ...named, args: { steps: [step] }, is_editable: true };
  const params = {
    ...{ tab_id: tabId, caller, fields: [], secret: { fields: [], steps: [] }, files: [] },
    steps: [isNamed ? { do: 'click', target } : { do: 'submit' }],
    ...{ may_type_passwords: false, wait_ms: 5_000, show: 'diff', budget: 400 },
    [CALL_SCOPE]: { caller, call },
  };
  return port.start('act.run', params).result;
}
