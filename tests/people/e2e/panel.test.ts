import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Page } from 'playwright';
import type { CdpTarget } from '../../support/worker/cdp-target.ts';
import { CARDS } from './cards.ts';
import { ApprovalRig, PANEL_URL } from './rig.ts';

/* The side panel itself, which the browser shows next to a page. */

let rig: ApprovalRig;
let panel: CdpTarget;
beforeAll(async () => {
  rig = await ApprovalRig.start();
  await rig.ask();
  panel = await rig.openPanel();
});

const text = (selector: string): Promise<string | null> =>
  panel.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? null`);
const list = () => rig.port.call('grants.list', {});
const wait = (id: string) => rig.port.call('question.wait', { id });
const open = (part: 'now' | 'allowed'): Promise<void> => panel.click(`#tab-${part}`);

async function press(button: '#allow' | '#deny'): Promise<void> {
  await expect.poll(() => isLive()).toBe(true);
  await panel.click(button);
}
const isLive = (): Promise<boolean> =>
  panel.evaluate(`document.querySelector('#deny')?.getAttribute('aria-disabled') === 'false'`);

async function asked(title: string): Promise<void> {
  await expect.poll(() => text('h1')).toBe(title);
}

const openTab = (): Promise<Page> => rig.capture.openPage(PANEL_URL);

it('the side panel is where a question goes while it is open, and no window opens', async () => {
  await rig.ask([CARDS.submit]);
  await asked('Act for you on this page?');
  expect(await text('[role="status"]')).toBe('claude-code asks: Act for you on this page?');
  await press('#allow');
  const yes = { approve: true, scope: 'once', where: 'side_panel' };
  expect((await wait('q_submit')).decision).toMatchObject(yes);
  expect((await list()).grants).toMatchObject([{ where: 'side_panel', origin: 'https://shop.example' }]);
  await asked('Nothing is waiting for you');
  expect(rig.pages()).toEqual([]);
});

it('the side panel shows what was allowed, for whom and where, and revokes it', async () => {
  await rig.ask([CARDS.input]);
  await asked('Type and click on this page?');
  await panel.evaluate(`(() => {
      const scope = document.querySelector('.scope select');
      scope.value = 'site_hour';
      scope.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
  await press('#allow');
  await asked('Nothing is waiting for you');
  await open('allowed');
  await expect.poll(() => text('[aria-labelledby="grants-title"] li .agent')).toBe('claude-code');
  expect(await text('[aria-labelledby="grants-title"] li .address')).toBe('https://mail.example.com');
  const lasts = /^typing and clicking, sending forms, .*recording requests.*, for an hour, until \S+/;
  expect(await text('[aria-labelledby="grants-title"] li .quiet')).toMatch(lasts);
  await panel.click('[aria-labelledby="grants-title"] li button');
  await expect.poll(async () => (await list()).grants).toEqual([]);
  await expect.poll(() => text('[aria-labelledby="grants-title"] li')).toBeNull();
  expect(await panel.evaluate('document.activeElement.id')).toBe('grants-title');
});

describe('the same page in a tab', () => {
  let tab: Page;
  beforeEach(async () => {
    await rig.ask([CARDS.submit]);
    await asked('Act for you on this page?');
    tab = await openTab();
    await tab.locator('h1', { hasText: 'Act for you' }).waitFor();
  });

  it('shows what is asked, has nothing to decide or revoke with, and is refused whatever it sends', async () => {
    expect(await tab.locator('#allow, #deny, .reason').count()).toBe(0);
    expect(await tab.textContent('.banner')).toContain('You cannot decide in this tab.');
    await open('now');
    await tab.evaluate(() => {
      const asks = chrome.runtime.connect({ name: 'approve' });
      const answer = { approve: true, scope: 'once' };
      asks.postMessage({ type: 'decide', question: 'q_submit', token: '', answer });
    });
    await expect.poll(async () => (await list()).refused.at(-1)?.reason).toBe('not_the_window');
    await tab.close();
    await press('#allow');
    await expect.poll(async () => (await list()).grants.length).toBe(1);
    const [grant] = (await list()).grants;
    const other = await openTab();
    await other.evaluate(
      (id) => chrome.runtime.connect({ name: 'panel' }).postMessage({ type: 'revoke', grant: id }),
      grant?.id ?? '',
    );
    await other.evaluate(() => chrome.runtime.getPlatformInfo());
    await other.close();
    expect((await list()).grants).toHaveLength(1);
    await expect.poll(() => text('#tab-allowed .badge')).toBe('1');
    await open('allowed');
    const why = () => text('[aria-labelledby="refused-title"] li span');
    await expect.poll(why).toBe('It came from a page that cannot decide.');
  });
});
