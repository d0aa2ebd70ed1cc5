import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchContext, type TestContext } from '../../support/browser.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { GatedSite, expectAccessible, killWorker, openPanelTab } from './panel-rig.ts';

/* The timeline, of two servers with a home each, and their real calls. */

/** Rows of the list that are in the document at once. */
const ROWS_MAX = 200;
/** Height of a row. */
const ROW_PX = 26;

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
afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await browser.close();
  await site.close();
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

it('shows what failed, its code and what to do, when its line is selected', async () => {
  await first.call('read_page', { tab: 'b9:t99' });
  const line = page.locator('.row.failed', { hasText: 'Read page' });
  await line.waitFor();
  const code = await line.locator('.code').textContent();
  await line.click();
  await expect.poll(() => page.locator('.detail h2').textContent()).toBe('Read page');
  const detail = await page.locator('.detail dl').textContent();
  expect(detail).toContain(`Failed ${code}`);
  expect(detail).toContain('b9:t99');
  expect(detail).toContain('first-agent');
  await expect.poll(() => page.locator('.detail .f-error').textContent()).toContain('takes a tab id');
  expect((await page.locator('.detail').textContent())?.match(/What to do\s*\S/g)).toHaveLength(1);
});

it('shows what a call answered as its tool shows it, and in full', async () => {
  await page.keyboard.press('Escape');
  await first.call('read_page');
  // The line of the call before, which failed, may still be the first.
  await page.locator('.row.call:not(.failed)', { hasText: 'Read page' }).click();
  await expect.poll(() => page.locator('.detail .c-markdown p').textContent()).toBe('Tea and coffee.');
  await page.locator('.detail button', { hasText: 'Full view' }).click();
  const full = page.locator('.portal');
  await expect.poll(() => full.locator('.c-markdown p').textContent()).toBe('Tea and coffee.');
  expect(await page.evaluate('document.activeElement.id')).toBe('portal-title');
  expect(await page.locator('.timeline-part').getAttribute('inert')).not.toBeNull();
  await page.keyboard.press('Escape');
  await expect.poll(() => full.count()).toBe(0);
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Full view');
  await page.focus('.list');
  await page.keyboard.press('Enter');
  await full.waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('list');
});

it('keeps its place for a person who has scrolled, and says how much is new', async () => {
  const height = (): Promise<number> => page.locator('.rows-space').evaluate((space) => space.clientHeight);
  const before40 = await height();
  for (let n = 0; n < 40; n += 1) await second.call('oc_connection_health');
  // A line that comes after the person has scrolled is new to them.
  await expect.poll(height).toBeGreaterThanOrEqual(before40 + 40 * ROW_PX);
  await page.locator('.list').evaluate((list) => list.scrollTo(0, 300));
  await page.locator('.chip').waitFor({ state: 'detached' });
  const place = (): Promise<string | null> =>
    page.locator('.list').evaluate((list) => {
      const box = list.getBoundingClientRect();
      return document.elementFromPoint(box.left + 20, box.top + 40)?.closest('.row')?.textContent ?? null;
    });
  const before = await place();
  for (let n = 0; n < 3; n += 1) await first.call('oc_connection_health');
  await expect.poll(() => page.locator('.chip').textContent()).toBe('3 new lines');
  expect(await place()).toBe(before);
  expect(await page.locator('.row').count()).toBeLessThanOrEqual(ROWS_MAX);
  await page.click('.chip');
  await expect.poll(() => page.locator('.chip').count()).toBe(0);
});
