import { vi } from 'vitest';
import { EXTENSION_ID } from '../../../shared/bridge/wire.ts';
import { PATIENCE } from '../../support/patience.ts';
import type { SpawnedBrowser } from '../worker/browser.ts';
import { CdpTarget } from '../worker/cdp-target.ts';

const PAGE = `chrome-extension://${EXTENSION_ID}`;

export const until = <T>(what: string, ask: () => Promise<T | null | undefined | false>): Promise<T> =>
  vi.waitFor(async () => {
    const found = await ask();
    if (found === null || found === undefined || found === false) throw new Error(`Waited for ${what}.`);
    return found;
  }, PATIENCE);

/** The real side panel, opened by a click in the popup. */
export async function openSidePanel(browser: SpawnedBrowser): Promise<CdpTarget> {
  const find = (type: string, path: string) => () => CdpTarget.find(browser, type, `${PAGE}${path}`);
  const worker = await until('the worker', find('service_worker', '/worker.js'));
  await worker.evaluate(`chrome.windows.getAll({ windowTypes: ['normal'] })
    .then(([{ id }]) => chrome.windows.update(id, { focused: true }))
    .then(({ id }) => chrome.action.openPopup({ windowId: id }))`);
  const popup = await until('the popup', find('page', '/popup/popup.html'));
  await until('its button', () => popup.evaluate<boolean>("!document.getElementById('panel-row').hidden"));
  // The popup closes with the click, and its session before the click is answered.
  void popup.click('#panel').catch(() => undefined);
  return until('the side panel', find('page', '/panel/panel.html'));
}
