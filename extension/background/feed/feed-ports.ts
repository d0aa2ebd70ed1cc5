import type { Runtime } from 'webextension-polyfill';
import { placeOf } from '../own-page.ts';
import type { ConnectedServer } from '../servers.ts';
import { PANEL_PAGE } from '../../panel/protocol.ts';
import { logMalformed } from '../../ports/read-message.ts';
import { FeedPage } from './feed-page.ts';
import { Request } from './requests.ts';

/** The pages of the panel that show what servers do. Servers are asked only while there is one. */
export class FeedPorts {
  readonly #servers: () => readonly ConnectedServer[];
  readonly #pages = new Map<Runtime.Port, FeedPage>();

  constructor(servers: () => readonly ConnectedServer[]) {
    this.#servers = servers;
  }

  /** Takes a port of that name; one that is of no page of the panel is closed. */
  accept(port: Runtime.Port): void {
    if (placeOf(port, PANEL_PAGE) === null) return port.disconnect();
    port.onDisconnect.addListener(() => {
      this.#pages.get(port)?.close();
      this.#pages.delete(port);
    });
    port.onMessage.addListener((message: unknown) => this.#receive(port, message));
  }

  /** Servers have come or left. */
  refresh(): void {
    if (this.#pages.size === 0) return;
    const servers = this.#servers();
    for (const page of this.#pages.values()) page.refresh(servers);
  }

  #receive(port: Runtime.Port, message: unknown): void {
    const request = Request.safeParse(message);
    if (!request.success) return logMalformed(port.name, request.error);
    const page = this.#pages.get(port);
    const { data } = request;
    if (data.type === 'begin') {
      if (page === undefined) this.#begin(port, data.cursors);
    } else if (data.type === 'seen') page?.seen(data.server);
    else void page?.answer(data.id, data.query);
  }

  #begin(port: Runtime.Port, cursors: ConstructorParameters<typeof FeedPage>[0]['cursors']): void {
    const page = new FeedPage({ cursors, post: (message) => port.postMessage(message) });
    this.#pages.set(port, page);
    page.refresh(this.#servers());
  }
}
