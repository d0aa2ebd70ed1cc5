import { sample } from './depth.ts';
import type { ServerResponse } from 'node:http';
import type { BrowserContext, Page } from 'playwright';
import { vi } from 'vitest';
import { EXTENSION_ID } from '../../shared/core/bridge/wire.ts';
import { answerAt } from './file-site.ts';
import { PATIENCE } from './patience.ts';
import { expectFits } from '../people/e2e/looks.ts';

const PANEL = `chrome-extension://${EXTENSION_ID}/ui/frame/panel.html`;
const WORKER = `chrome-extension://${EXTENSION_ID}/worker.js`;

/** A site whose pages under `/held/` are sent when the test says so. */
export class GatedSite {
  readonly #held = new Map<string, ServerResponse>();
  readonly #released = new Set<string>();
  #port = 0;

  static async start(): Promise<GatedSite> {
    const site = new GatedSite();
    site.#port = await answerAt(({ url = '/' }, response) => {
      if (url.startsWith('/held/') && !site.#released.has(url)) site.#held.set(url, response);
      else send(response);
    });
    return site;
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.#port}${path}`;
  }

  release(path: string): void {
    this.#released.add(path);
    const response = this.#held.get(path);
    this.#held.delete(path);
    if (response !== undefined) send(response);
  }
}

function send(response: ServerResponse): void {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end('<!doctype html><title>Shop</title><h1>Shop</h1><p>Tea and coffee.</p><a href="/">Reload</a>');
}

export async function openPanelTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.setViewportSize({ width: 380, height: 760 });
  await page.goto(PANEL);
  return page;
}

export async function killWorker(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  // The next one may still be starting, and the one before may end as it is found.
  await vi.waitFor(async () => {
    const { targetInfos } = await session.send('Target.getTargets');
    const found = targetInfos.find(({ type, url }) => type === 'service_worker' && url === WORKER);
    if (found === undefined) throw new Error('No worker is running.');
    await session.send('Target.closeTarget', { targetId: found.targetId });
  }, PATIENCE);
  await session.detach();
}

export async function expectAccessible(page: Page): Promise<void> {
  for (const width of sample([320, 1_200], 2)) {
    await page.setViewportSize({ width, height: 700 });
    await expectFits(page, `${width}`);
  }
}
