import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { launchContext, type TestContext } from '../../support/browser.ts';
import { itDeep, sample } from '../../support/depth.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { GatedSite, expectAccessible, killWorker, openPanelTab } from '../../support/panel-rig.ts';

/* The panel in a read-only tab, with two working built servers, for people who see, read and move differently. */

const PARTS = ['now', 'timeline', 'runs', 'outputs', 'ledger', 'meter', 'allowed', 'settings'];

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
    startServer({ env, clientName: 'first-agent', args: ['--sync-wait-ms', '1000'] }),
    startServer({ env, clientName: '<b>second</b> \u202eagent' }),
  ]);
  await first.call('navigate', { url: site.url('/?q=<img src=x onerror=alert(1)>') });
  await second.call('tabs');
  page = await openPanelTab(browser.context);
});

const show = async (part: string): Promise<void> => {
  await page.click(`#tab-${part}`);
  await expect.poll(() => page.locator('#part').textContent()).toMatch(/\S/);
};
const activeId = (): Promise<string> => page.evaluate('document.activeElement.id');
const rows = () => page.locator('.row.call');
const toolsShown = (): Promise<string[]> => rows().locator('.tool').allTextContents();

it('the timeline shows what happened before the panel was opened, of both servers, newest first', async () => {
  await show('timeline');
  await expect.poll(toolsShown).toEqual(['Tabs', 'Navigate']);
  expect(await page.locator('.row.day').count()).toBe(1);
  // Page text that tries to be markup is text.
  expect(await rows().nth(1).locator('.subject').textContent()).toContain('<img src=x onerror=alert(1)>');
  expect(await page.locator('.list img').count()).toBe(0);
  await page.getByLabel('Site').fill('nowhere.example');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.list-end').textContent()).toBe('No matching calls.');
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(() => rows().count()).toBe(2);
  await page.locator('.list').focus();
  for (const key of ['End', 'PageUp', 'End', 'Home']) await page.keyboard.press(key);
  await expect.poll(() => page.locator('.row[aria-selected=true] .tool').allTextContents()).toEqual(['Tabs']);
  await page.getByRole('button', { name: 'Full view' }).click();
  await page.locator('.portal h2:focus').press('Escape');
  await page.locator('.detail button').first().press('Escape');
  await expect.poll(() => page.locator('.list:focus').count()).toBe(1);
});

it('the timeline shows a call while it runs; loses and doubles nothing when the worker ends, and two servers call on', async () => {
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

itDeep(
  'the timeline shows how the page looked before an act and after it, and its requests, where a person keeps that',
  async () => {
    await page.evaluate(() => chrome.storage.local.set({ act_traces_wanted: true }));
    await first.call('navigate', { url: site.url('/') });
    let acts = 0;
    // A page that is slow to draw has no picture.
    const pictured = async () => {
      await first.call('interact', { steps: ['click text=Reload'] });
      acts += 1;
      await expect
        .poll(async () => (await toolsShown()).filter((tool) => tool === 'Click').length)
        .toBe(acts);
      await rows().first().click();
      await page.locator('.act-pictures').waitFor();
      return page.evaluate(
        `Promise.all([...document.querySelectorAll('.act-pictures img')].map(async (image) => (await image.decode(), image.naturalWidth)))`,
      );
    };
    await expect.poll(pictured).toEqual([320, 320]);
    expect(await page.locator('.act-pictures figcaption').allTextContents()).toEqual(['Before', 'After']);
    expect(await page.locator('.detail .f-part').last().textContent()).toContain(`GET ${site.url('/')} 200`);
  },
);

const groups = () => page.locator('.agent-group');
const callsOf = (agent: string) => groups().filter({ hasText: agent }).locator('.active-call');

it('now shows agents by name, and what one does from its beginning to its end, also when the worker ends meanwhile', async () => {
  await show('now');
  const names = () => groups().locator('.agent').allTextContents();
  await expect.poll(names).toEqual(['<b>second</b> ⟨U+202E⟩agent 1', 'first-agent 1']);
  const going = first.call('navigate', { url: site.url('/held/two') });
  await expect.poll(() => callsOf('first-agent').locator('.what').textContent()).toContain('/held/two');
  expect(await callsOf('second').count()).toBe(0);
  await killWorker(page);
  site.release('/held/two');
  await going;
  await expect.poll(() => callsOf('first-agent').count()).toBe(0);
  await expect.poll(() => groups().count()).toBe(2);
});

it('now shows what calls have left in a tab, until they end it', async () => {
  const shown = () => groups().filter({ hasText: 'first-agent' }).textContent();
  for (const [tool, args] of [
    ['navigate', { url: site.url('/') }],
    ['emulate', { color_scheme: 'dark' }],
    ['intercept', { action: 'add', url: '/data', block: true }],
  ] as const)
    // The next worker may still be connecting.
    await expect.poll(async () => (await first.call(tool, args)).code()).toBeUndefined();
  await expect.poll(shown).toMatch(/Shop · color_scheme dark.*Shop · \/data: block/);
  await first.call('emulate', { reset: true });
  await first.call('intercept', { action: 'remove' });
  await expect.poll(shown).not.toMatch(/dark|\/data/);
});

it('now has nothing to stop an agent with in a tab, which is not given what it asks for', async () => {
  expect(await page.locator('#part button').count()).toBe(0);
  await page.evaluate(() => {
    const port = chrome.runtime.connect({ name: 'feed' });
    port.postMessage({ type: 'begin', cursors: {} });
    port.postMessage({ type: 'control', agent: { name: null, session: null }, state: 'stopped' });
  });
  await first.call('tabs');
  expect(await page.locator('.held').count()).toBe(0);
});

it('settings only show', async () => {
  await show('settings');
  const open = page.locator('#part :is(input, select):not(:disabled)');
  expect(await open.count()).toBe(0);
  await expect.poll(() => page.locator('#part button').allTextContents()).toEqual(['Edit the rules']);
  await expect.poll(() => page.locator('.hops').textContent()).toContain('first-agent');
  await expect.poll(() => page.locator('.hops').textContent()).toMatch(/Worker · Server \S+ echoes in/);
  await page.evaluate(`(() => {
      const port = chrome.runtime.connect({ name: 'panel' });
      port.postMessage({ type: 'asks', asks: false });
      port.postMessage({ type: 'label', label: 'Mine' });
    })()`);
  await page.evaluate("chrome.storage.local.set({ theme: 'dark' })");
  await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  expect(await page.evaluate("chrome.storage.local.get(['asks', 'label'])")).toEqual({});
});

itDeep(
  'settings and the theme are there again when the page is opened again, before anything is painted',
  async () => {
    await page.addInitScript(() => {
      // The first element of the body is there before any module has run.
      new MutationObserver((_, observer) => {
        if (document.body === null) return;
        observer.disconnect();
        sessionStorage.setItem('at-first', document.documentElement.dataset['theme'] ?? 'none');
      }).observe(document, { childList: true, subtree: true });
    });
    await page.reload();
    await page.locator('#browser-name').waitFor();
    expect(await page.evaluate("sessionStorage.getItem('at-first')")).toBe('dark');
    expect(await page.locator('#tab-settings').getAttribute('aria-selected')).toBe('true');
    await page.evaluate("chrome.storage.local.set({ theme: 'auto' })");
  },
);

describe('every part', () => {
  beforeAll(async () => {
    await first.call('fetch', { url: site.url('/'), output_mode: 'handle' });
    const opened = await first.call('navigate', { url: site.url('/') });
    expect(opened.isError, opened.text).toBe(false);
    await first.call('interact', { steps: ['click text=Shop'] });
    await first.call('read_page', { tab: 'b1:1' });
  });

  const LOOKS = [
    ['light', 'en', 'none'],
    ['dark', 'zh-CN', 'none'],
    ['light', 'en', 'active'],
  ] as const;
  // In the gate every second part has one look.
  const cases = PARTS.flatMap((part, at) =>
    sample([...LOOKS.slice(at % 3), ...LOOKS.slice(0, at % 3)], 3).map((look) => [part, ...look] as const),
  );
  it.each(sample(cases, 2))(
    '%s is accessible and fits, %s, in %s, with forced colours: %s',
    async (part, colorScheme, language, forcedColors) => {
      await page.evaluate((chosen) => chrome.storage.local.set({ language: chosen }), language);
      await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe(language);
      await page.emulateMedia({ colorScheme, forcedColors, reducedMotion: 'reduce' });
      await show(part);
      await expectAccessible(page);
      const moving = `document.getAnimations().filter(({ playState }) => playState === 'running').length`;
      expect(await page.evaluate(moving)).toBe(0);
    },
  );

  it('is reached by the keyboard alone, and what is in it', async () => {
    await page.setViewportSize({ width: 380, height: 760 });
    await page.locator('#tab-now').click();
    for (const part of PARTS) {
      await expect.poll(activeId).toBe(`tab-${part}`);
      await page.keyboard.press('Tab');
      // The scrollable part itself comes before its content.
      expect(await activeId(), part).toBe('part');
      await page.locator(`#tab-${part}`).focus();
      await page.keyboard.press('ArrowRight');
    }
    expect(await activeId()).toBe('tab-now');
    await page.keyboard.press('End');
    expect(await page.getAttribute('#tab-settings', 'aria-selected')).toBe('true');
  });
});
