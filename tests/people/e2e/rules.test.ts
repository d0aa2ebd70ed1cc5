import { readFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { itDeep } from '../../support/depth.ts';
import { EXTENSION_ID } from '../../../shared/core/bridge/wire.ts';
import { failure } from '../../support/worker/failure.ts';
import { expectGoodLooks } from './looks.ts';
import { ApprovalRig } from './rig.ts';
import { buy, Shop } from './shop.ts';

const RULES_URL = `chrome-extension://${EXTENSION_ID}/people/rules/rules.html`;

let rig: ApprovalRig;
let shop: Shop;
let page: Page;
beforeAll(async () => {
  shop = await Shop.open(RULES_URL);
  rig = await ApprovalRig.start();
});
beforeEach(async () => {
  const worker = await rig.capture.worker();
  await worker.evaluate(() => chrome.storage.local.remove(['policy', 'policy_damaged', 'asks']));
  page ??= await rig.capture.openPage(RULES_URL);
  await page.goto(RULES_URL);
  await page.locator('h1').waitFor();
});

const stored = async (): Promise<Record<string, unknown>> =>
  (await rig.capture.worker()).evaluate(() => chrome.storage.local.get());

async function deny(sites: string): Promise<void> {
  await page.fill('#sites', sites);
  await page.selectOption('#effect', 'deny');
  await page.click('#save');
}

it('a rule that is saved holds for the next call, and one that is removed does not', async () => {
  await rig.ask();
  const tabId = await rig.capture.newTab();
  await rig.capture.visit(tabId, `${shop.origin}/`, 'Shop /');
  await deny('127.0.0.1');
  await page.locator('.own li b', { hasText: '127.0.0.1' }).waitFor();
  const denied = await failure(buy(rig.port, tabId));
  expect(denied.code, denied.message).toBe('policy_denied');
  expect(await page.evaluate('document.activeElement.id')).toBe('own-title');
  await page.click('.own li button:last-child');
  await page.locator('.none').waitFor();
  expect((await failure(buy(rig.port, tabId))).code).toBe('approval_required');
  expect(shop.bought).toBe(0);
});

itDeep('exports and imports all of it, or nothing', async () => {
  await deny('shop.example');
  await page.locator('.own li').waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), page.click('#export')]);
  const text = readFileSync(await file.path(), 'utf8');
  const kind = { name: 'r.json', mimeType: 'application/json' };
  const upload = (of: string) => page.setInputFiles('#import', { ...kind, buffer: Buffer.from(of) });
  const { policy } = await stored();
  await upload(JSON.stringify({ version: 1, rules: [{ id: 'x' }], lists: {} }));
  await expect.poll(() => page.textContent('.said')).toMatch(/^Nothing was imported: rules\.0/);
  expect((await stored())['policy']).toEqual(policy);
  await page.click('.own li button:last-child');
  await page.locator('.none').waitFor();
  await upload(text);
  await expect.poll(() => page.textContent('.said')).toBe('Imported: 1 rule.');
  expect((await stored())['policy']).toEqual(policy);
});

it('no call reads the page, leads to it or acts in it', async () => {
  const [tab] = await (await rig.capture.worker()).evaluate((url) => chrome.tabs.query({ url }), RULES_URL);
  const tabId = tab?.id ?? -1;
  const acted = await failure(buy(rig.port, tabId, { target: 'css=#asks' }));
  expect(acted.code, acted.message).toBe('tab_not_given');
  await (await rig.capture.worker()).evaluate(() => chrome.storage.local.set({ asks: false }));
  for (const method of ['page.console', 'page.mhtml'] as const) {
    const { result } = rig.port.start(method, { tab_id: tabId, stream: 1, credit: 100_000 });
    expect((await failure(result)).code).toBe('page_forbidden');
  }
  const opened = await failure(rig.port.start('tabs.open', { url: RULES_URL, active: true }).result);
  expect(['url_not_allowed', 'invalid_argument', 'page_forbidden']).toContain(opened.code);
  const other = await rig.capture.openPage('about:blank');
  await other.goto(`${shop.origin}/away`).catch(() => undefined);
  expect(other.url()).not.toBe(RULES_URL);
  await other.close();
  expect((await stored())['asks']).toBe(false);
  await page.locator('#asks:not(:checked)').waitFor();
});

itDeep('is accessible and fits', async () => {
  await deny('shop.example');
  await page.fill('#try-address', 'shop.example');
  await page.click('#list-banking summary');
  await page.fill('#sites', 'no site');
  await page.click('#save');
  await expectGoodLooks(page, [320, 1_200]);
});
