import { afterAll, beforeAll, expect, it } from 'vitest';
import { sample } from '../../support/depth.ts';
import { CALL_SCOPE } from '../../../shared/policy/call-facts.ts';
import { TEST_SCOPE } from '../../support/session.ts';
import { CARDS, INJECTED } from './cards.ts';
import { expectGoodLooks } from './looks.ts';
import { ApprovalRig } from './rig.ts';

let rig: ApprovalRig;
beforeAll(async () => {
  rig = await ApprovalRig.start();
});
afterAll(() => rig.close());

it.each(sample(Object.entries({ ...CARDS, injected: INJECTED }), 9))(
  'the card for %s is accessible and fits',
  async (_risk, question) => {
    await rig.ask([question]);
    const page = await rig.card('?');
    await page.click('summary');
    await expectGoodLooks(page);
  },
);

it('the card of a take-over is accessible and fits, by itself and below a question', async () => {
  for (const cards of sample([[[CARDS.submit]], []], 2)) {
    await rig.ask(...cards);
    const tab = await rig.capture.newTab();
    await rig.capture.visit(tab, '/article--blog.html');
    await rig.port.start('takeover.begin', {
      tab_id: tab,
      message: 'Log in, please, and answer the second factor on your phone. <b>Then</b> press “I am done”.',
      until: { text: 'Welcome back, \u202eAda', url: '**/account' },
      limit_ms: 600_000,
      [CALL_SCOPE]: TEST_SCOPE,
    }).result;
    await expect.poll(() => rig.pages().length).toBe(1);
    const [page] = rig.pages();
    await page?.locator('#takeover-done').waitFor();
    if (page !== undefined) await expectGoodLooks(page);
  }
});
