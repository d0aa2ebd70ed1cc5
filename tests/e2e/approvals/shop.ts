import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CALL_SCOPE } from '../../../shared/policy/call-facts.ts';
import type { HostPort } from '../worker/test-host.ts';

/** A shop with one button. It counts what was bought. */
export class Shop {
  readonly origin: string;
  /** Orders that it received. */
  bought = 0;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** @param lead where `/away` leads, and what `/frame` tries to show */
  static async open(lead: string): Promise<Shop> {
    const server = createServer((request, response) => {
      const path = request.url ?? '/';
      if (request.method === 'POST') shop.bought += 1;
      if (path === '/away') return void response.writeHead(302, { location: lead }).end();
      const body =
        path === '/frame'
          ? `<iframe src="${lead}"></iframe>`
          : '<form method="post" action="/buy"><button>Buy</button></form>';
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(`<!doctype html><title>Shop ${path}</title><h1>Shop</h1>${body}`);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const shop = new Shop(server);
    return shop;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}

export interface BuyOptions {
  readonly callId?: string;
  /** Digit of the hash of the arguments. */
  readonly hash?: string;
  readonly session?: string;
  readonly name?: string;
  readonly channel?: number;
  /** Empty for the form of the page, without naming it. */
  readonly target?: string;
  /** The step as the agent wrote it. */
  readonly step?: string;
}

/** The act of an agent that presses the button of the shop. */
export function buy(port: HostPort, tabId: number, options: BuyOptions = {}): Promise<unknown> {
  const { callId = 'c1', hash = 'a', session = 's1', channel = 1, target = 'text=Buy' } = options;
  const isNamed = target !== '';
  const { step = isNamed ? `click ${target}` : 'submit' } = options;
  const { name = 'claude-code' } = options;
  const caller = { session, name };
  const call = {
    call_id: callId,
    tool: 'interact',
    title: 'Interact',
    args: { steps: [step] },
    is_editable: true,
    args_hash: hash.repeat(64),
  };
  const params = {
    tab_id: tabId,
    caller,
    fields: [],
    steps: [isNamed ? { do: 'click', target } : { do: 'submit' }],
    secret: { fields: [], steps: [] },
    may_type_passwords: false,
    files: [],
    wait_ms: 5_000,
    show: 'diff',
    budget: 400,
    [CALL_SCOPE]: { caller, call },
  };
  return port.start('act.run', params, channel).result;
}
