import type { Runtime } from 'webextension-polyfill';
import { isOwnPage, placeOf } from '../background/own-page.ts';
import type { PopupState } from '../popup/protocol.ts';
import { logMalformed } from '../ports/read-message.ts';
import { PopupRequest } from '../ports/requests.ts';

export interface PopupPortsOptions {
  readonly state: () => Promise<PopupState>;
  readonly onRequest: (request: PopupRequest) => void;
}

/** The open popups: they receive every change, and no other page may send requests. */
export class PopupPorts {
  readonly #options: PopupPortsOptions;
  readonly #ports = new Set<Runtime.Port>();

  constructor(options: PopupPortsOptions) {
    this.#options = options;
  }

  /** Accepts the popup's or the welcome page's port, and closes any other. */
  accept(port: Runtime.Port): void {
    const isPopup = isOwnPage(port, 'popup/popup.html');
    if (!isPopup && placeOf(port, 'welcome/welcome.html') !== 'tab') return port.disconnect();
    this.#ports.add(port);
    port.onDisconnect.addListener(() => this.#ports.delete(port));
    void this.publish();
    // Not only a person can press buttons in a tab, so a page there is read-only.
    if (!isPopup) return;
    port.onMessage.addListener((message: unknown) => {
      const request = PopupRequest.safeParse(message);
      if (request.success) this.#options.onRequest(request.data);
      else logMalformed(port.name, request.error);
    });
  }

  async publish(): Promise<void> {
    if (this.#ports.size === 0) return;
    const state = await this.#options.state();
    for (const port of this.#ports) port.postMessage(state);
  }
}
