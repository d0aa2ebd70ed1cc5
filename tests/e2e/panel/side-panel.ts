import { setTimeout as delay } from 'node:timers/promises';
import { EXTENSION_ID } from '../../../shared/bridge/wire.ts';
import { createProfile, removeProfile } from '../../support/browser.ts';
import { atEndOfFile } from '../../support/end-of-file.ts';
import { PATIENCE } from '../../support/patience.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { spawnBrowser, type SpawnedBrowser } from '../worker/browser.ts';
import { CdpTarget } from '../worker/cdp-target.ts';

const PAGE = `chrome-extension://${EXTENSION_ID}`;

/** Asks until there is an answer. By hand: the scripts of pictures use it too, without vitest. */
export async function until<T>(what: string, ask: () => Promise<T | null | undefined | false>): Promise<T> {
  let last: unknown;
  for (const end = Date.now() + PATIENCE.timeout; Date.now() < end; await delay(PATIENCE.interval)) {
    const found = await ask().catch((thrown: unknown) => void (last = thrown));
    if (found !== null && found !== undefined && found !== false) return found;
  }
  throw new Error(`Waited for ${what}.`, { cause: last });
}

/** The popup, in the window that has a toolbar. */
export async function openPopup(browser: SpawnedBrowser): Promise<CdpTarget> {
  const find = (type: string, path: string) => () => CdpTarget.find(browser, type, `${PAGE}${path}`);
  const worker = await until('the worker', find('service_worker', '/worker.js'));
  await worker.evaluate(`chrome.windows.getAll({ windowTypes: ['normal'] })
    .then(([{ id }]) => chrome.windows.update(id, { focused: true }))
    .then(({ id }) => chrome.action.openPopup({ windowId: id }))`);
  return until('the popup', find('page', '/popup/popup.html'));
}

/** The real side panel, opened by a click in the popup. */
export async function openSidePanel(browser: SpawnedBrowser): Promise<CdpTarget> {
  const popup = await openPopup(browser);
  await until('its button', () => popup.evaluate<boolean>("!document.getElementById('panel-row').hidden"));
  let pressing: Promise<void> | null = null;
  return until('the side panel', () => {
    // A popup takes no click before it is drawn. It closes with the click, and its session before that is answered.
    pressing ??= popup.click('#panel').catch(() => void (pressing = null));
    return CdpTarget.find(browser, 'page', `${PAGE}/panel/panel.html`);
  });
}

/** A person's browser with the side panel open, and a server of an agent, until the end of the file. */
export class PanelRig {
  private constructor(
    readonly browser: SpawnedBrowser,
    readonly server: StdioServer,
    public panel: CdpTarget,
  ) {}

  static async start(
    profile = createProfile(),
    options: Parameters<typeof startServer>[0] = {},
  ): Promise<PanelRig> {
    const browser = await spawnBrowser(profile.profile);
    const server = await startServer({ env: profile.serverEnv, clientName: 'an-agent', ...options });
    atEndOfFile(async () => {
      await server.close();
      await browser.close();
      await removeProfile(profile);
    });
    return new PanelRig(browser, server, await openSidePanel(browser));
  }

  /** The person closes the panel, and opens it again. */
  async reopen(): Promise<void> {
    // The panel closes with the call, and its session before the answer.
    void this.panel.evaluate('window.close()').catch(() => undefined);
    const isGone = async () =>
      (await CdpTarget.find(this.browser, 'page', `${PAGE}/panel/panel.html`)) === null;
    await until('the end of the panel', isGone);
    this.panel = await openSidePanel(this.browser);
  }

  shows(what: string): Promise<unknown> {
    return until(what, async () =>
      (await this.panel.evaluate<string>('document.body.innerText')).includes(what),
    );
  }

  async press(selector: string): Promise<void> {
    await until(selector, () =>
      this.panel.evaluate<boolean>(`document.querySelector(${JSON.stringify(selector)}) !== null`),
    );
    await this.panel.click(selector);
  }

  write(selector: string, text: string): Promise<unknown> {
    return this.panel.evaluate(
      `(() => { const at = document.querySelector(${JSON.stringify(selector)}); at.value = ${JSON.stringify(text)}; at.dispatchEvent(new InputEvent('input', { bubbles: true })); })()`,
    );
  }

  /** The tab that shows an address, in front. */
  async turnTo(url: string): Promise<CdpTarget> {
    await this.panel.evaluate(
      `chrome.tabs.query({ url: ${JSON.stringify(url)} }).then(([{ id }]) => chrome.tabs.update(id, { active: true })).then(() => null)`,
    );
    return until('the page', () => CdpTarget.find(this.browser, 'page', url));
  }

  /** The person's only rule keeps a site from agents. */
  deny(host: string): Promise<unknown> {
    return this.panel.evaluate(`chrome.storage.local.set({ policy: { version: 1, lists: {}, rules: [
      { id: 'no', sites: ['${host}'], risks: ['read'], agents: null, effect: 'deny', source: 'person' }] } })`);
  }
}
