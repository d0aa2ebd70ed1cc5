import type { Runtime } from 'webextension-polyfill';
import { resolvePortPlace, isOwnPage } from '../../platform/chromium/members.ts';
import type { SidePanels } from '../../people/worker/ask-window.ts';
import { PANEL_PAGE, type PanelState } from '../../ui/frame/protocol.ts';
import { logMalformed } from '../ports/read-message.ts';
import { PanelRequest, PopupRequest } from '../../people/requests-port.ts';
import type { PopupState } from '../../install/popup/protocol.ts';

interface PanelPortsOptions {
  readonly panels: SidePanels;
  readonly state: () => Promise<Omit<PanelState, 'isPanel'>>;
  readonly onRequest: (request: PanelRequest) => Promise<unknown>;
  /** The last page was closed. */
  readonly onClosed: () => void;
}

/** The panel's pages. The side panel may change settings; the same page in a tab only shows them. */
export class PanelPorts {
  readonly #ports = new Set<Runtime.Port>();

  constructor(private readonly options: PanelPortsOptions) {}

  /** Accepts a panel's port, and closes any other page's. */
  accept(port: Runtime.Port): void {
    const place = resolvePortPlace(port, PANEL_PAGE);
    if (place === null) return port.disconnect();
    this.#ports.add(port);
    port.onDisconnect.addListener(() => {
      this.#ports.delete(port);
      if (this.#ports.size === 0) this.options.onClosed();
      void this.publish();
    });
    port.onMessage.addListener((message: unknown) => void this.#receive(port, message));
    const known = place === 'no_tab' ? this.options.panels.accept(port) : Promise.resolve();
    void known.then(() => this.publish());
  }

  /** Sends all pages the current state. */
  async publish(): Promise<void> {
    if (this.#ports.size === 0) return;
    const { state, panels } = this.options;
    await panels.isOpen();
    const shown = await state();
    for (const port of this.#ports) port.postMessage({ ...shown, isPanel: panels.holds(port) });
  }

  async #receive(port: Runtime.Port, message: unknown): Promise<void> {
    const request = PanelRequest.safeParse(message);
    if (!request.success) return logMalformed(port.name, request.error);
    if (!(await this.options.panels.stillHolds(port))) return;
    await this.options.onRequest(request.data);
    await this.publish();
  }
}

export interface PopupPortsOptions {
  readonly state: () => Promise<PopupState>;
  readonly onRequest: (request: PopupRequest) => void;
}

/** The open popups: they receive every change, and no other page may send requests. */
export class PopupPorts {
  readonly #ports = new Set<Runtime.Port>();

  constructor(private readonly options: PopupPortsOptions) {}

  /** Accepts the popup's or the welcome page's port, and closes any other. */
  accept(port: Runtime.Port): void {
    const isPopup = isOwnPage(port, 'install/popup/popup.html');
    if (!isPopup && resolvePortPlace(port, 'install/welcome/welcome.html') !== 'tab')
      return port.disconnect();
    this.#ports.add(port);
    port.onDisconnect.addListener(() => this.#ports.delete(port));
    void this.publish();
    // Not only a person can press buttons in a tab, so a page there is read-only.
    if (!isPopup) return;
    port.onMessage.addListener((message: unknown) => {
      const request = PopupRequest.safeParse(message);
      if (request.success) this.options.onRequest(request.data);
      else logMalformed(port.name, request.error);
    });
  }

  async publish(): Promise<void> {
    if (this.#ports.size === 0) return;
    const state = await this.options.state();
    for (const port of this.#ports) port.postMessage(state);
  }
}
