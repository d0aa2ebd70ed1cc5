import type { Runtime } from 'webextension-polyfill';
import type { AgentControl } from '../../people/worker/agent-control.ts';
import { resolvePortPlace } from '../../platform/chromium/members.ts';
import type { ConnectedServer } from '../../core/link/servers.ts';
import type { SidePanels } from '../../people/worker/ask-window.ts';
import { PANEL_PAGE } from '../../ui/frame/protocol.ts';
import { logMalformed } from '../../core/ports/read-message.ts';
import { FeedPage } from './feed-page.ts';
import { isChange, Request, type ControlRequest, type QueryRequest } from '../../ui/frame/feed-port.ts';

interface FeedPortsOptions {
  readonly servers: () => readonly ConnectedServer[];
  readonly agents: Pick<AgentControl, 'list' | 'set'>;
  readonly panels: SidePanels;
}

/**
 * The panel pages that show servers' activity. Servers are asked only while there is one. A page in a side panel may
 * stop and pause agents; a page in a tab only shows them.
 */
export class FeedPorts {
  readonly #pages = new Map<Runtime.Port, FeedPage>();

  constructor(private readonly options: FeedPortsOptions) {}

  /** Accepts a port, or closes it if it is not a panel page's. */
  accept(port: Runtime.Port): void {
    const place = resolvePortPlace(port, PANEL_PAGE);
    if (place === null) return port.disconnect();
    if (place === 'no_tab') void this.options.panels.accept(port);
    port.onDisconnect.addListener(() => {
      this.#pages.get(port)?.close();
      this.#pages.delete(port);
    });
    port.onMessage.addListener((message: unknown) => this.#receive(port, message));
  }

  /** Servers have connected or disconnected. */
  refresh(): void {
    if (this.#pages.size === 0) return;
    const servers = this.options.servers();
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
    else if (data.type === 'control') void this.#control(port, data);
    else void this.#answer(port, data);
  }

  async #answer(port: Runtime.Port, { id, query }: QueryRequest): Promise<void> {
    if (isChange(query) && !(await this.options.panels.stillHolds(port)))
      return this.#pages.get(port)?.refuse(id);
    await this.#pages.get(port)?.answer(id, query);
  }

  #begin(port: Runtime.Port, cursors: ConstructorParameters<typeof FeedPage>[0]['cursors']): void {
    const page = new FeedPage({ cursors, post: (message) => port.postMessage(message) });
    this.#pages.set(port, page);
    page.refresh(this.options.servers());
    void this.showControls();
  }

  /** Sends all pages the list of stopped and paused agents. */
  async showControls(): Promise<void> {
    if (this.#pages.size === 0) return;
    const controls = await this.options.agents.list();
    for (const page of this.#pages.values()) page.post({ type: 'controls', ...controls });
  }

  /** A person stops an agent in the popup, or allows it again. */
  async control(name: string | null, state: ControlRequest['state']): Promise<void> {
    const { agents, servers } = this.options;
    const agent = { name, session: null };
    await agents.set(agent, state);
    const page = new FeedPage({ cursors: {}, post: () => undefined });
    page.refresh(servers());
    await page.record({ ...agent, state, where: 'popup' });
    page.close();
  }

  async #control(port: Runtime.Port, { agent, state }: ControlRequest): Promise<void> {
    const { agents, panels } = this.options;
    if (!(await panels.stillHolds(port))) return;
    await agents.set(agent, state);
    await this.#pages.get(port)?.record({ ...agent, state, where: 'side_panel' });
  }
}
