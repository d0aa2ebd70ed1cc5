import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { launchContext, type TestContext } from '../../support/browser.ts';
import { PATIENCE } from '../../support/patience.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';
import { ApprovalRig } from '../approvals/rig.ts';
import type { CdpTarget } from '../worker/cdp-target.ts';
import { expectAccessible, openPanelTab } from './panel-rig.ts';

/* Settings, as a person changes them in the side panel itself, and as a tab shows them. */

describe('in the side panel', () => {
  let rig: ApprovalRig;
  let panel: CdpTarget;
  beforeAll(async () => {
    rig = await ApprovalRig.start();
    await rig.ask();
    panel = await rig.openPanel();
    await shown('#tab-settings');
    await panel.click('#tab-settings');
    await shown('#browser-name');
  });
  afterAll(() => rig.close());

  const shown = (selector: string): Promise<void> =>
    vi.waitFor(async () => {
      if (await panel.evaluate(`document.querySelector(${JSON.stringify(selector)}) === null`))
        throw new Error(`The panel shows no ${selector}.`);
    }, PATIENCE);
  const text = (selector: string): Promise<string> =>
    panel.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`);
  const kept = async (key: string): Promise<unknown> =>
    (await rig.capture.worker()).evaluate(async (name) => (await chrome.storage.local.get(name))[name], key);
  const ticked = (index: number): Promise<boolean> =>
    panel.evaluate(`document.querySelectorAll('.switch input')[${index}].checked`);
  const denied = (): Promise<string> => text('.facts dd:nth-of-type(2)');

  it('says what the rules in force say, and follows them', async () => {
    expect(await text('.facts dd')).toBe('reading, opening pages, and crawling');
    expect(await denied()).toMatch(/^typing and clicking, sending forms/);
    await panel.click('.switch input');
    await expect.poll(() => kept('asks')).toBe(false);
    await expect.poll(denied).toBe('nothing');
    expect(await ticked(0)).toBe(false);
    await panel.click('.switch input');
    await expect.poll(denied).toMatch(/^typing and clicking/);
    expect(await kept('asks')).toBe(true);
  });

  it('lets clients answer, and not', async () => {
    expect(await ticked(1)).toBe(false);
    await panel.click('.switch + .switch input');
    await expect.poll(() => kept('client_answers')).toBe(true);
    await expect.poll(() => ticked(1)).toBe(true);
    await panel.click('.switch + .switch input');
    await expect.poll(() => kept('client_answers')).toBe(false);
  });

  it('tells the server at once how the browser is named, without what nobody sees', async () => {
    await panel.evaluate("document.getElementById('browser-name').focus()");
    await panel.send('Input.insertText', { text: ' Work\u202e \u200b' });
    await panel.press('Enter');
    await expect.poll(() => kept('label')).toBe('Work');
    const named = () =>
      rig.port.frames.filter(({ message }) => message['method'] === 'browser.named').at(-1)?.message[
        'params'
      ];
    await expect.poll(named).toEqual({ label: 'Work' });
    await expect.poll(() => panel.evaluate("document.getElementById('browser-name').value")).toBe('Work');
  });

  it('changes language and theme of the page at once', async () => {
    const choose = (id: string, value: string): Promise<void> =>
      panel.evaluate(`(() => {
        const field = document.getElementById(${JSON.stringify(id)});
        field.value = ${JSON.stringify(value)};
        field.dispatchEvent(new Event('change', { bubbles: true }));
      })()`);
    await choose('panel-language', 'zh-CN');
    await expect.poll(() => text('#policy-title')).toBe('策略');
    await choose('panel-language', 'en');
    await expect.poll(() => text('#policy-title')).toBe('Policy');
    await choose('panel-theme', 'dark');
    const ground = (): Promise<string> => panel.evaluate('getComputedStyle(document.body).backgroundColor');
    await expect.poll(ground).toBe('rgb(21, 25, 31)');
    await choose('panel-theme', 'light');
    await expect.poll(ground).toBe('rgb(255, 255, 255)');
  });

  it('says that a server of another version is connected, and what to do', async () => {
    await expect.poll(() => text('.hop.warning')).toMatch(/Update the older one/);
  });

  it('says that the host is away, and what to type', async () => {
    await rig.capture.host.close();
    await expect.poll(() => text('.hop.failed')).toMatch(/^Native host.+run the check/s);
    expect(await text('.hop.failed code')).toMatch(/ doctor$/);
  });
});

describe('in a tab', () => {
  let browser: TestContext;
  let server: StdioServer;
  let page: Page;
  beforeAll(async () => {
    browser = await launchContext();
    server = await startServer({ env: browser.serverEnv, clientName: 'some-agent' });
    await server.call('tabs');
    page = await openPanelTab(browser.context);
    await page.click('#tab-settings');
    await page.locator('#browser-name').waitFor();
  });
  afterAll(async () => {
    await server.close();
    await browser.close();
  });

  it('all of it only shows', async () => {
    const open = page.locator('#part :is(input, select):not(:disabled)');
    expect(await open.count()).toBe(0);
    expect(await page.locator('#part button').allTextContents()).toEqual(['Edit the rules']);
    await expect.poll(() => page.locator('.hops').textContent()).toContain('Serves some-agent.');
    await expect.poll(() => page.locator('.hops').textContent()).toMatch(/Worker\S* echoes in/);
    // What the page asks for nevertheless is not done.
    await page.evaluate(`(() => {
      const port = chrome.runtime.connect({ name: 'panel' });
      port.postMessage({ type: 'asks', asks: false });
      port.postMessage({ type: 'label', label: 'Mine' });
    })()`);
    await page.evaluate("chrome.storage.local.set({ theme: 'dark' })");
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    expect(await page.evaluate("chrome.storage.local.get(['asks', 'label'])")).toEqual({});
  });

  it('the part and the theme are there again when the page is opened again, before anything is painted', async () => {
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
  });

  it.each(['auto', 'light', 'dark'])('is accessible and fits, in the theme %s', async (theme) => {
    await page.evaluate((chosen) => chrome.storage.local.set({ theme: chosen }), theme);
    await expectAccessible(page);
  });

  it('every control is reached by the keyboard', async () => {
    await page.focus('#tab-settings');
    // The part itself, which scrolls, comes before what is in it.
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('part');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Edit the rules');
    await page.focus('#tab-settings');
    await page.keyboard.press('Home');
    expect(await page.evaluate('document.activeElement.id')).toBe('tab-now');
    await page.keyboard.press('End');
    expect(await page.locator('#tab-settings').getAttribute('aria-selected')).toBe('true');
  });
});
