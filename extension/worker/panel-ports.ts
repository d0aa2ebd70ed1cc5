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
}

/** The pages of the panel. One in a side panel may change something; one in a tab shows the same. */
export class PanelPorts {
  readonly #options: PanelPortsOptions;
  readonly #ports = new Set<Runtime.Port>();

  constructor(options: PanelPortsOptions) {
    this.#options = options;
  }

  /** Takes a port of that name; one that is of no page of the panel is closed. */
  accept(port: Runtime.Port): void {
    const place = placeOf(port, PANEL_PAGE);
    if (place === null) return port.disconnect();
    this.#ports.add(port);
    port.onDisconnect.addListener(() => this.#ports.delete(port));
    port.onMessage.addListener((message: unknown) => void this.#receive(port, message));
    const known = place === 'no_tab' ? this.#options.panels.accept(port) : Promise.resolve();
    void known.then(() => this.publish());
  }

  /** Shows all pages what is there now. */
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
