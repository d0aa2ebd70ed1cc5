import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchContext, type TestContext } from '../../support/browser.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { GatedSite, expectAccessible, killWorker, openPanelTab } from './panel-rig.ts';

/* A real crawl, from its beginning to its end, as the panel shows it in a tab. */

let browser: TestContext;
let site: GatedSite;
let server: StdioServer;
let page: Page;

beforeAll(async () => {
  browser = await launchContext();
  [site, server] = await Promise.all([
    GatedSite.start(),
    startServer({ env: browser.serverEnv, clientName: 'crawling-agent', args: ['--sync-wait-ms', '1000'] }),
  ]);
  await server.call('tabs');
  page = await openPanelTab(browser.context);
  await page.click('#tab-runs');
});
afterAll(async () => {
  await server.close();
  await browser.close();
  await site.close();
});

const status = (): Promise<string | null> => page.locator('.run .status').first().textContent();

it('says that there are no runs yet', async () => {
  await expect.poll(() => page.locator('#part .quiet').textContent()).toMatch(/^No runs yet/);
});

it('shows a run that begins, also when the worker ends meanwhile, and how it ended', async () => {
  const crawling = server.call('crawl', { url: site.url('/held/start'), delay_ms: 0, respect_robots: false });
  crawling.catch(() => undefined);
  await expect.poll(status).toBe('Running');
  expect(await page.locator('.run .subject').textContent()).toContain('/held/start');
  expect(await page.locator('#tab-runs .badge').textContent()).toBe('1');
  expect(await page.locator('.run button:not([aria-expanded])').count()).toBe(0);
  await killWorker(page);
  const { runs } = (await server.call('run_list')).json<{ readonly runs: readonly { run_id: string }[] }>();
  await server.call('run_cancel', { run_id: runs[0]?.run_id ?? '' });
  await expect.poll(status).toBe('Cancelled');
  await expect.poll(() => page.locator('#tab-runs .badge').count()).toBe(0);
});

it.each(['light', 'dark'] as const)('is accessible and fits, in the %s theme', async (colorScheme) => {
  await page.emulateMedia({ colorScheme });
  await expectAccessible(page);
});
