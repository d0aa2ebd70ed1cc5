import type { Runtime } from 'webextension-polyfill';

/**
 * The side panels of the browser's windows, in which people decide as in the window that Spillway opens. A panel is in
 * no tab, so a port says of it only the address. The browser says how many panels show that address, and that it is
 * shown in no other place without a tab.
 */
export class SidePanels {
  readonly #count: () => Promise<number>;
  readonly #onClosed: () => void;
  readonly #claims = new Set<Runtime.Port>();
  readonly #known = new Set<Runtime.Port>();

  /**
   * @param count how many side panels the browser shows
   * @param onClosed one has been closed, or is being loaded again
   */
  constructor(count: () => Promise<number>, onClosed: () => void) {
    this.#count = count;
    this.#onClosed = onClosed;
  }

  /** Resolves when it is known whether the port of a page that is in no tab is a side panel's. */
  async accept(port: Runtime.Port): Promise<void> {
    this.#claims.add(port);
    port.onDisconnect.addListener(() => {
      this.#claims.delete(port);
      if (this.#known.delete(port)) this.#onClosed();
    });
    if (await this.stillHolds(port)) this.#known.add(port);
  }

  /** Whether a port is a side panel's, as far as the browser said when it connected. */
  holds(port: Runtime.Port): boolean {
    return this.#known.has(port);
  }

  /** Whether it is so now. */
  async stillHolds(port: Runtime.Port): Promise<boolean> {
    const count = await this.#count().catch(() => 0);
    // Were there more ports than panels, one of them would be of something else.
    return this.#claims.has(port) && this.#claims.size <= count;
  }

  /** Whether a side panel shows what is asked. It may not have connected yet. */
  async isOpen(): Promise<boolean> {
    return (await this.#count().catch(() => 0)) > 0;
  }
}
