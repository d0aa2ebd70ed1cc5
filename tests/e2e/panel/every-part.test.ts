import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchContext, type TestContext } from '../../support/browser.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { GatedSite, expectAccessible, openPanelTab } from './panel-rig.ts';

/* Every part of the panel with something in it, as people who see, read and move differently meet it. */

const PARTS = ['now', 'timeline', 'runs', 'outputs', 'ledger', 'meter', 'allowed', 'settings'];

let browser: TestContext;
let site: GatedSite;
let server: StdioServer;
let page: Page;

beforeAll(async () => {
  browser = await launchContext();
  [site, server] = await Promise.all([
    GatedSite.start(),
    startServer({ env: browser.serverEnv, clientName: 'busy-agent' }),
  ]);
  await server.call('crawl', {
    url: site.url('/'),
    delay_ms: 0,
    respect_robots: false,
    output_mode: 'handle',
  });
  const opened = await server.call('navigate', { url: site.url('/') });
  expect(opened.isError, opened.text).toBe(false);
  await server.call('interact', { steps: ['click text=Shop'] });
  await server.call('read_page', { tab: 'b1:1' });
  page = await openPanelTab(browser.context);
});
afterAll(async () => {
  await server.close();
  await browser.close();
  await site.close();
});

const show = async (part: string): Promise<void> => {
  await page.click(`#tab-${part}`);
  await expect.poll(() => page.locator('#part').textContent()).toMatch(/\S/);
};
const speak = (language: string): Promise<void> =>
  page.evaluate((chosen) => chrome.storage.local.set({ language: chosen }), language);

describe.each(PARTS)('%s', (part) => {
  it.each([
    ['light', 'en'],
    ['dark', 'zh-CN'],
  ] as const)('is accessible and fits, %s, in %s', async (colorScheme, language) => {
    await speak(language);
    await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe(language);
    await page.emulateMedia({ colorScheme });
    await show(part);
    await expectAccessible(page);
  });

  it('is so with forced colours and without motion', async () => {
    await speak('en');
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
    await show(part);
    await expectAccessible(page);
    const moving = await page.evaluate(
      () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
    );
    expect(moving).toBe(0);
    await page.emulateMedia({ forcedColors: 'none', reducedMotion: 'no-preference' });
  });
});

/** Texts of filters that have less room than they are long. */
const CUT = `(() => {
  const canvas = document.createElement('canvas').getContext('2d');
  return [...document.querySelectorAll('.filters :is(select, input)')].flatMap((field) => {
    const style = getComputedStyle(field);
    canvas.font = style.font;
    const text = field.selectedOptions?.[0].text ?? field.placeholder;
    // A choice has an arrow next to its text.
    const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - (field.selectedOptions ? 16 : 0);
    return canvas.measureText(text).width > room ? [text + ' ' + room] : [];
  });
})()`;

describe.each([320, 380])('%d pixels wide', (width) => {
  it.each(['en', 'zh-CN'])('no filter is cut, in %s', async (language) => {
    await page.setViewportSize({ width, height: 760 });
    await speak(language);
    await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe(language);
    for (const part of ['timeline', 'outputs', 'ledger']) {
      await show(part);
      await page.locator('.filters').waitFor();
      expect(await page.evaluate(CUT), part).toEqual([]);
    }
    await speak('en');
  });
});

it('the keyboard alone reaches every part, and what is in it', async () => {
  await page.setViewportSize({ width: 380, height: 760 });
  await page.locator('#tab-now').click();
  for (const part of PARTS) {
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe(`tab-${part}`);
    await page.keyboard.press('Tab');
    // The part itself, which scrolls, before what is in it.
    expect(await page.evaluate('document.activeElement.id'), part).toBe('part');
    await page.locator(`#tab-${part}`).focus();
    await page.keyboard.press('ArrowRight');
  }
});

it('a line of the timeline is opened, shown in full and closed by keys', async () => {
  await page.locator('#tab-timeline').click();
  await page.locator('.list').focus();
  await page.keyboard.press('ArrowDown');
  // What it answered is there.
  await page.locator('.detail button', { hasText: 'Full view' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.portal').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.portal').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement?.closest('.part')?.id)).toBe('part');
  await page.keyboard.press('Escape');
  await page.locator('.detail').waitFor({ state: 'detached' });
});
