import { setTimeout as delay } from 'node:timers/promises';
import { EXTENSION_ID } from '../../shared/core/bridge/wire.ts';
import { createProfile, removeProfile, type TestProfile } from './browser.ts';
import { atEndOfFile } from './end-of-file.ts';
import { IN_FIREFOX } from './engine.ts';
import { spawnFirefox } from './firefox.ts';
import { FirefoxPage, FirefoxPanel } from './firefox-target.ts';
import { PATIENCE } from './patience.ts';
import { startServer, type StdioServer } from './stdio-server.ts';
import { spawnBrowser, type SpawnedBrowser } from './worker/browser.ts';
import { killWorker } from './worker/capture-rig.ts';
import { CdpTarget } from './worker/cdp-target.ts';

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
  return until('the popup', find('page', '/install/popup/popup.html'));
}

/** The real side panel, opened by a click in the popup. */
export async function openSidePanel(browser: SpawnedBrowser): Promise<CdpTarget> {
  const popup = await openPopup(browser);
  await until('its button', () => popup.evaluate<boolean>("!document.getElementById('panel-row').hidden"));
  let pressing: Promise<void> | null = null;
  return until('the side panel', () => {
    // A popup takes no click before it is drawn. It closes with the click, and its session before that is answered.
    pressing ??= popup.click('#panel').catch(() => void (pressing = null));
    return CdpTarget.find(browser, 'page', `${PAGE}/ui/frame/panel.html`);
  });
}

/** A person's browser, as the tests of the side panel need it. */
interface PanelBrowser {
  /** Finds the tab with an address, or null. */
  find(url: string): Promise<CdpTarget | null>;
  openPanel(): Promise<CdpTarget>;
  isPanelOpen(): Promise<boolean>;
  openPopup(): Promise<CdpTarget>;
  evaluate(expression: string): Promise<unknown>;
  endWorker(): Promise<void>;
  /** Opens a page of the browser's own in a new front tab. */
  openOwnPage(): Promise<void>;
  close(): Promise<void>;
}

async function openChromium({ profile }: TestProfile): Promise<PanelBrowser> {
  const browser = await spawnBrowser(profile);
  const findWorker = () => CdpTarget.find(browser, 'service_worker', `${PAGE}/worker.js`);
  const inWorker = async (expression: string): Promise<unknown> =>
    (await until('the worker', findWorker)).evaluate(expression);
  return {
    find: (url) => CdpTarget.find(browser, 'page', url),
    openPanel: () => openSidePanel(browser),
    isPanelOpen: async () => (await CdpTarget.find(browser, 'page', `${PAGE}/ui/frame/panel.html`)) !== null,
    openPopup: () => openPopup(browser),
    evaluate: inWorker,
    endWorker: () => killWorker(browser),
    openOwnPage: async () =>
      void (await inWorker("chrome.tabs.create({ url: 'chrome://version' }).then(() => null)")),
    close: () => browser.close(),
  };
}

async function openFirefox({ serverEnv, rules }: TestProfile): Promise<PanelBrowser> {
  const { scope, close } = await spawnFirefox({ serverEnv, rules });
  const panel = new CdpTarget(new FirefoxPanel(scope));
  const isPanelOpen = (): Promise<boolean> =>
    scope.inPanel<string>('location.href').then(
      (url) => url.endsWith('/ui/frame/panel.html'),
      () => false,
    );
  return {
    find: async (url) => {
      const context = await scope.find(url);
      return context === undefined ? null : new CdpTarget(new FirefoxPage(scope, context));
    },
    openPanel: async () => {
      await scope.showPanel(true);
      await until('the sidebar', isPanelOpen);
      return panel;
    },
    isPanelOpen,
    openPopup: () => Promise.reject(new Error('No test in Firefox opens the popup.')),
    evaluate: (expression) => scope.evaluate(expression),
    endWorker: () => scope.end(),
    openOwnPage: async () => void (await scope.inBrowser("(openTrustedLinkIn('about:license', 'tab'), '')")),
    close,
  };
}

/** A person's browser with the side panel open, and a server of an agent, until the end of the file. */
export class PanelRig {
  private constructor(
    readonly browser: PanelBrowser,
    readonly server: StdioServer,
    public panel: CdpTarget,
  ) {}

  static async start(
    profile = createProfile(),
    options: Parameters<typeof startServer>[0] = {},
  ): Promise<PanelRig> {
    const browser = await (IN_FIREFOX ? openFirefox : openChromium)(profile);
    const server = await startServer({ env: profile.serverEnv, clientName: 'an-agent', ...options });
    atEndOfFile(async () => {
      await server.close();
      await browser.close();
      await removeProfile(profile);
    });
    return new PanelRig(browser, server, await browser.openPanel());
  }

  /** The person closes the panel, and opens it again. */
  async reopen(): Promise<void> {
    // The panel closes with the call, and its session before the answer.
    void this.panel.evaluate('window.close()').catch(() => undefined);
    await until('the end of the panel', async () => !(await this.browser.isPanelOpen()));
    this.panel = await this.browser.openPanel();
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
    // Firefox takes no port in a pattern of addresses.
    await until('the tab', () =>
      this.panel.evaluate(`chrome.tabs.query({})
        .then((all) => all.find((one) => one.url === ${JSON.stringify(url)}))
        .then(({ id }) => chrome.tabs.update(id, { active: true }))
        .then(() => 'front')`),
    );
    return until('the page', () => this.browser.find(url));
  }

  /** The person's only rule keeps a site from agents. */
  deny(host: string): Promise<unknown> {
    return this.panel.evaluate(`chrome.storage.local.set({ policy: { version: 1, lists: {}, rules: [
      { id: 'no', sites: ['${host}'], risks: ['read'], agents: null, effect: 'deny', source: 'person' }] } })`);
  }
}
