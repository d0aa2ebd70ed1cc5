/**
 * Sizes for tabs without one: a discarded tab that is reloaded in the background gets its size only when it is shown.
 * Until then nothing in it is in view.
 */
export class TabSizes {
  readonly #given = new Set<number>();

  /** Registers its listener at once, as for all events that may wake the worker. */
  constructor() {
    chrome.tabs.onActivated.addListener(({ tabId }) => void this.#take(tabId));
  }

  /** Gives a tab without a size that of its window's front tab. Call when the debugger has attached. */
  async give(tabId: number): Promise<void> {
    const { windowId, width, height, active } = await chrome.tabs.get(tabId);
    if (active || (width !== 0 && height !== 0)) return;
    const [front] = await chrome.tabs.query({ windowId, active: true });
    if (front?.width === undefined || front.height === undefined) return;
    const size = { width: front.width, height: front.height, deviceScaleFactor: 0, mobile: false };
    this.#given.add(tabId);
    await chrome.debugger.sendCommand({ tabId }, 'Emulation.setDeviceMetricsOverride', size);
  }

  /** The assigned size has ended, with the attachment or by another one: what is there now is not to be cleared. */
  forget(tabId: number): void {
    this.#given.delete(tabId);
  }

  /** A front tab has a size of its own. */
  async #take(tabId: number): Promise<void> {
    if (!this.#given.delete(tabId)) return;
    await chrome.debugger
      .sendCommand({ tabId }, 'Emulation.clearDeviceMetricsOverride')
      .catch(() => undefined);
  }
}
