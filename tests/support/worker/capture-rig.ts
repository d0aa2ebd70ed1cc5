import type { Page, Worker } from 'playwright';
import { vi } from 'vitest';
import { serveFixtures, type FixtureServer } from '../../../fixtures/serve.ts';
import { EXTENSION_ID } from '../../../shared/core/bridge/wire.ts';
import { lendBrowser, type SpawnedBrowser } from './browser.ts';
import { CdpTarget } from './cdp-target.ts';
import { TestCapture } from './capture.ts';
import { TestHost, type HostPort } from './test-host.ts';
import { atEndOfFile } from '../end-of-file.ts';
import { PATIENCE } from '../patience.ts';

const WORKER_URL = `chrome-extension://${EXTENSION_ID}/worker.js`;
const POPUP_URL = `chrome-extension://${EXTENSION_ID}/install/popup/popup.html`;

/** How long Playwright is given to list a worker. */
const LISTED_MS = 15_000;

/** A browser, a host that is the test, and the fixture sites: what the tests of captures share. */
export class CaptureRig {
  readonly host: TestHost;
  readonly site: FixtureServer;
  readonly browser: SpawnedBrowser;
  port: HostPort;

  private constructor(parts: Pick<CaptureRig, 'host' | 'site' | 'browser' | 'port'>) {
    ({ host: this.host, site: this.site, browser: this.browser, port: this.port } = parts);
  }

  static async start(rules: TestHost['rules'] = 'private'): Promise<CaptureRig> {
    const [host, site] = await Promise.all([TestHost.listen(), serveFixtures()]);
    host.rules = rules;
    const browser = await lendBrowser({ host });
    const port = await host.port(1);
    port.open(1);
    atEndOfFile(() => Promise.all([host.close(), site.close()]));
    return new CaptureRig({ host, site, browser, port });
  }

  async newTab(): Promise<number> {
    const { id } = (await this.port.call('tabs.open', { active: false })).tab;
    // Its blank page still loads, and would end an immediate navigation.
    await vi.waitFor(async () => {
      const { status } = (await this.port.call('tabs.get', { tab_id: id })).tab;
      if (status !== 'complete') throw new Error('The blank page still loads.');
    }, PATIENCE);
    return id;
  }

  /** A tab that the test itself looks at. */
  async openPage(url: string): Promise<Page> {
    const page = await this.browser.devtools.contexts()[0]?.newPage();
    if (page === undefined) throw new Error('The browser has no context.');
    await page.goto(url);
    return page;
  }

  capture(tabId: number): Promise<TestCapture> {
    return TestCapture.start({ port: this.port, tabId });
  }

  /** Loads a page of the fixture sites, or an address; waits for its title if one is given. */
  async visit(tabId: number, to: string, title?: string): Promise<void> {
    const url = to.startsWith('/') ? this.site.url + to : to;
    await this.port.call('page.navigate', {
      tab_id: tabId,
      action: 'goto',
      url,
      wait_until: 'load',
      timeout_ms: 30_000,
    });
    if (title !== undefined) await this.titled(tabId, (said) => said === title);
  }

  /** Navigates the tab to a page of the browser's own, which no extension may touch. */
  async openPrivileged(tabId: number): Promise<void> {
    const worker = await this.worker();
    await worker.evaluate((id) => chrome.tabs.update(id, { url: 'chrome://version' }), tabId);
    await vi.waitFor(async () => {
      const { url, status } = (await this.port.call('tabs.get', { tab_id: tabId })).tab;
      if (url !== 'chrome://version/' || status !== 'complete') throw new Error(`The tab is at ${url}.`);
    }, PATIENCE);
  }

  /** Resolves with the tab's title when it `matches`. */
  titled(tabId: number, matches: (title: string) => boolean): Promise<string> {
    return vi.waitFor(async () => {
      const { title } = (await this.port.call('tabs.get', { tab_id: tabId })).tab;
      if (!matches(title)) throw new Error(`The title is "${title}".`);
      return title;
    }, PATIENCE);
  }

  async worker(): Promise<Pick<Worker, 'evaluate'>> {
    return this.#listedWorker().catch(() => this.#attachedWorker());
  }

  #listedWorker(): Promise<Worker> {
    return vi.waitFor(
      () => {
        const workers = this.browser.devtools.contexts().flatMap((context) => context.serviceWorkers());
        const found = workers.find((worker) => worker.url() === WORKER_URL);
        if (found === undefined) throw new Error('No worker is listed.');
        return found;
      },
      { ...PATIENCE, timeout: LISTED_MS },
    );
  }

  /** Playwright misses a worker that starts as another one ends, about once in five hundred times. */
  #attachedWorker(): Promise<Pick<Worker, 'evaluate'>> {
    return vi.waitFor(async () => {
      const target = await CdpTarget.find(this.browser, 'service_worker', WORKER_URL);
      if (target === null) throw new Error('No worker is running.');
      return {
        evaluate: (run: unknown, given?: unknown) =>
          target.evaluate(`(${String(run)})(${JSON.stringify(given) ?? ''})`),
      } as Pick<Worker, 'evaluate'>;
    }, PATIENCE);
  }

  killWorker(): Promise<void> {
    return killWorker(this.browser);
  }

  /** Opens the popup as a click on the toolbar does. */
  async openPopup(): Promise<CdpTarget> {
    const worker = await this.worker();
    await worker.evaluate(() => chrome.action.openPopup());
    return vi.waitFor(async () => {
      const popup = await CdpTarget.find(this.browser, 'page', POPUP_URL);
      if (popup === null) throw new Error('The popup is not open.');
      return popup;
    }, PATIENCE);
  }

  /** Whether this extension has the tab's debugger: the browser then refuses it a second attachment. */
  async isAttached(tabId: number): Promise<boolean> {
    const worker = await this.worker();
    return worker.evaluate(async (id) => {
      try {
        await chrome.debugger.attach({ tabId: id }, '1.3');
      } catch (error) {
        if (String(error).includes('Another debugger')) return true;
        throw error;
      }
      await chrome.debugger.detach({ tabId: id });
      return false;
    }, tabId);
  }
}

export async function killWorker({ devtools }: SpawnedBrowser): Promise<void> {
  const session = await devtools.newBrowserCDPSession();
  const { targetInfos } = await session.send('Target.getTargets');
  const worker = targetInfos.find(({ type, url }) => type === 'service_worker' && url === WORKER_URL);
  if (worker === undefined) throw new Error('No worker is running.');
  await session.send('Target.closeTarget', { targetId: worker.targetId });
  await session.detach();
}
