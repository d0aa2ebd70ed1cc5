import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { failure } from '../worker/failure.ts';
import { ApprovalRig, APPROVE_URL } from './rig.ts';
import { buy, Shop } from './shop.ts';

const TITLE = 'Act for you on this page?';

let rig: ApprovalRig;
let shop: Shop;
let tabId: number;
beforeAll(async () => {
  shop = await Shop.open(APPROVE_URL);
  rig = await ApprovalRig.start();
});
afterAll(async () => {
  await rig.close();
  await shop.close();
});
beforeEach(async () => {
  shop.bought = 0;
  await rig.ask();
  tabId = await rig.capture.newTab();
  await rig.capture.visit(tabId, `${shop.origin}/`, 'Shop /');
});

it('an act waits for a person, with the tab that it is about and what the page calls its elements', async () => {
  const { lines } = await rig.port.call('page.find', {
    tab_id: tabId,
    caller: { session: 's1', name: 'claude-code' },
    target: { query: 'Buy' },
    limit: 1,
  });
  const ref = /\be\d+\b/.exec(lines[0] ?? '')?.[0] ?? '';
  const error = await failure(buy(rig.port, tabId, { target: ref }));
  expect(error.code).toBe('approval_required');
  const page = await rig.card(TITLE);
  await expect.poll(() => page.locator('.steps li').allTextContents()).toEqual(['Click button Buy.']);
  expect(await page.textContent('.place')).toContain('Shop /');
  expect(await page.textContent('.address b')).toBe(new URL(shop.origin).host);
  expect(shop.bought).toBe(0);
});

it('an act that is always allowed is not asked about again, by any session of the agent', async () => {
  const { question = '' } = await failure(buy(rig.port, tabId));
  const page = await rig.card(TITLE);
  await page.selectOption('.scope select', 'always');
  await rig.press(page, '#allow');
  const { decision } = await rig.port.call('question.wait', { id: question });
  expect(decision).toMatchObject({ approve: true, scope: 'always' });
  await buy(rig.port, tabId);
  await rig.capture.visit(tabId, `${shop.origin}/`, 'Shop /');
  await buy(rig.port, tabId, { callId: 'c2', hash: 'b', session: 's2' });
  expect(shop.bought).toBe(2);
});
