import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchContext, type TestContext } from '../../support/browser.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { GatedSite, expectAccessible, killWorker, openPanelTab } from './panel-rig.ts';

/* What the panel shows of agents that work, with the built server at the other end. It is in a tab, which only shows. */

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
    startServer({ env, clientName: '<b>second</b> \u202eagent' }),
  ]);
  await Promise.all([first.call('tabs'), second.call('tabs')]);
  page = await openPanelTab(browser.context);
});
afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await browser.close();
  await site.close();
});

const groups = () => page.locator('.agent-group');
const callsOf = (agent: string) => groups().filter({ hasText: agent }).locator('.active-call');

it('shows agents by name and version, and a name that tries to be markup stays text', async () => {
  await expect
    .poll(() => groups().locator('.agent').allTextContents())
    .toEqual(['<b>second</b> ⟨U+202E⟩agent 1', 'first-agent 1']);
  await expect.poll(() => groups().first().locator('.sessions li').count()).toBe(1);
});

it('shows what an agent does from its beginning to its end, also when the worker ends meanwhile', async () => {
  const going = first.call('navigate', { url: site.url('/held/one') });
  await expect.poll(() => site.isHeld('/held/one')).toBe(true);
  await expect.poll(() => callsOf('first-agent').locator('.what').textContent()).toContain('/held/one');
  expect(await callsOf('second').count()).toBe(0);
  await killWorker(page);
  site.release('/held/one');
  await going;
  await expect.poll(() => callsOf('first-agent').count()).toBe(0);
  await expect.poll(() => groups().count()).toBe(2);
});

it('has nothing to stop an agent with in a tab', async () => {
  expect(await page.locator('#part button').count()).toBe(0);
  await page.evaluate(() => {
    const port = chrome.runtime.connect({ name: 'feed' });
    port.postMessage({ type: 'begin', cursors: {} });
    port.postMessage({ type: 'control', agent: { name: null, session: null }, state: 'stopped' });
  });
  await first.call('tabs');
  expect(await page.locator('.held').count()).toBe(0);
});

it('is used with the keyboard alone', async () => {
  await page.focus('#tab-now');
  await page.keyboard.press('End');
  expect(await page.getAttribute('#tab-settings', 'aria-selected')).toBe('true');
  await page.locator('#policy-title').waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('tab-settings');
  await page.keyboard.press('ArrowRight');
  expect(await page.evaluate('document.activeElement.id')).toBe('tab-now');
});

it.each(['light', 'dark'] as const)('is accessible and fits, in the %s theme', async (colorScheme) => {
  await page.emulateMedia({ colorScheme });
  for (const tab of ['now', 'allowed', 'settings']) {
    await page.click(`#tab-${tab}`);
    await expectAccessible(page);
  }
});

it('leaves out an agent that has left', async () => {
  await page.click('#tab-now');
  await second.close();
  await expect.poll(() => groups().count()).toBe(1);
});
