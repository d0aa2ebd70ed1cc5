import type { Runtime } from 'webextension-polyfill';
import { placeOf } from '../background/own-page.ts';
import type { SidePanels } from '../background/questions/ask-window.ts';
import { PANEL_PAGE, type PanelState } from '../panel/protocol.ts';
import { logMalformed } from '../ports/read-message.ts';
import { PanelRequest } from '../ports/requests.ts';

interface PanelPortsOptions {
  readonly panels: SidePanels;
  readonly state: () => Promise<Omit<PanelState, 'isPanel'>>;
  readonly onRequest: (request: PanelRequest) => Promise<unknown>;
  /** The last page was closed. */
  readonly onClosed: () => void;
}

/** The panel's pages. The side panel may change settings; the same page in a tab only shows them. */
export class PanelPorts {
  readonly #options: PanelPortsOptions;
  readonly #ports = new Set<Runtime.Port>();

  constructor(options: PanelPortsOptions) {
    this.#options = options;
  }

  /** Accepts a panel's port, and closes any other page's. */
  accept(port: Runtime.Port): void {
    const place = placeOf(port, PANEL_PAGE);
    if (place === null) return port.disconnect();
    this.#ports.add(port);
    port.onDisconnect.addListener(() => {
      this.#ports.delete(port);
      if (this.#ports.size === 0) this.#options.onClosed();
    });
    port.onMessage.addListener((message: unknown) => void this.#receive(port, message));
    const known = place === 'no_tab' ? this.#options.panels.accept(port) : Promise.resolve();
    void known.then(() => this.publish());
  }

  /** Sends all pages the current state. */
  async publish(): Promise<void> {
    if (this.#ports.size === 0) return;
    const { state, panels } = this.#options;
    const shown = await state();
    for (const port of this.#ports) port.postMessage({ ...shown, isPanel: panels.holds(port) });
  }

  async #receive(port: Runtime.Port, message: unknown): Promise<void> {
    const request = PanelRequest.safeParse(message);
    if (!request.success) return logMalformed(port.name, request.error);
    if (!(await this.#options.panels.stillHolds(port))) return;
    await this.#options.onRequest(request.data);
    await this.publish();
  }
}
