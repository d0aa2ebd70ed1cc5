import browser from 'webextension-polyfill';

/** In `storage.local`. */
const KEY = 'client_answers';

/** Whether the person lets agents' own clients answer what Spillway asks. Off until they say so in the popup. */
export class ClientAnswers {
  /** @param onOff the person has switched it off */
  constructor(onOff: () => void) {
    browser.storage.onChanged.addListener((changes, area) => {
      if (area === 'local' && KEY in changes && changes[KEY]?.newValue !== true) onOff();
    });
  }

  async areAllowed(): Promise<boolean> {
    const { [KEY]: allowed } = await browser.storage.local.get(KEY);
    return allowed === true;
  }

  /** Keeps what the person chose. */
  allow(areAllowed: boolean): Promise<void> {
    return browser.storage.local.set({ [KEY]: areAllowed });
  }
}
