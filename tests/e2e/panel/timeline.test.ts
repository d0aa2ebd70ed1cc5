import type { Page } from 'playwright';
import { beforeAll, expect, it } from 'vitest';
import { launchContext, type TestContext } from '../../support/browser.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { GatedSite, killWorker, openPanelTab } from './panel-rig.ts';

let browser: TestContext;
let site: GatedSite;
let first: StdioServer;
let second: StdioServer;
let page: Page;

beforeAll(async () => {
  browser = await launchContext();
  const env = browser.serverEnv;
  [site, first, second] = await Promise.all([
    GatedSite.start(),
    startServer({ env, clientName: 'first-agent' }),
    startServer({ env, clientName: 'second-agent' }),
  ]);
  await first.call('navigate', { url: site.url('/?q=<img src=x onerror=alert(1)>') });
  await second.call('tabs');
  page = await openPanelTab(browser.context);
  await page.click('#tab-timeline');
});

const rows = () => page.locator('.row.call');
const toolsShown = (): Promise<string[]> => rows().locator('.tool').allTextContents();

it('shows what happened before the panel was opened, of both servers, newest first', async () => {
  await expect.poll(toolsShown).toEqual(['Tabs', 'Navigate']);
  expect(await page.locator('.row.day').count()).toBe(1);
  // Page text that tries to be markup is text.
  expect(await rows().nth(1).locator('.subject').textContent()).toContain('<img src=x onerror=alert(1)>');
  expect(await page.locator('.list img').count()).toBe(0);
});

it('shows a call while it runs; loses and doubles nothing when the worker ends, and two servers call on', async () => {
  const going = first.call('navigate', { url: site.url('/held/one') });
  await expect.poll(() => page.locator('.row.running .subject').textContent()).toContain('/held/one');
  site.release('/held/one');
  await going;
  await expect.poll(() => page.locator('.row.running').count()).toBe(0);
  for (let n = 0; n < 3; n += 1) {
    await killWorker(page);
    await Promise.all([first.call('oc_connection_health'), second.call('oc_connection_health')]);
  }
  await expect
    .poll(toolsShown)
    .toEqual([...Array.from({ length: 6 }, () => 'Connection health'), 'Navigate', 'Tabs', 'Navigate']);
});

it('shows how the page looked before an act and after it, and its requests, where a person keeps that', async () => {
  await page.evaluate(() => chrome.storage.local.set({ act_traces_wanted: true }));
  await first.call('navigate', { url: site.url('/') });
  await first.call('interact', { steps: ['click text=Reload'] });
  await expect.poll(async () => (await toolsShown())[0]).toContain('Click');
  await rows().first().click();
  const pictures = page.locator('.act-pictures img');
  await expect.poll(() => pictures.count()).toBe(2);
  const widths = await pictures.evaluateAll((all) =>
    Promise.all(
      all.map(async (image) => {
        if (!(image instanceof HTMLImageElement)) return 0;
        await image.decode();
        return image.naturalWidth;
      }),
    ),
  );
  expect(widths).toEqual([320, 320]);
  expect(await page.locator('.act-pictures figcaption').allTextContents()).toEqual(['Before', 'After']);
  expect(await page.locator('.detail .f-part').last().textContent()).toContain(`GET ${site.url('/')} 200`);
});
