import { beforeAll, expect, it } from 'vitest';
import { itDeep, sample } from '../../support/depth.ts';
import { CALL_SCOPE } from '../../../shared/core/policy/call-facts.ts';
import { TEST_SCOPE } from '../../support/session.ts';
import { TABLE } from './asked.ts';
import { CARDS, INJECTED } from './cards.ts';
import { expectGoodLooks } from './looks.ts';
import { ApprovalRig } from './rig.ts';

let rig: ApprovalRig;
beforeAll(async () => (rig = await ApprovalRig.start()));

it.each(sample(Object.entries({ ...CARDS, injected: INJECTED }), 14))(
  'the card for %s is accessible and fits',
  async (_risk, question) => {
    await rig.ask([question]);
    const page = await rig.card('?');
    await page.click('summary');
    await expectGoodLooks(page);
  },
);

itDeep('the card of a question with a form is accessible and fits', async () => {
  await rig.ask();
  const asked = await rig.port.start('person.ask', {
    message: 'Which table, \u202eplease? <b>Soon</b>',
    ask: { type: 'form', schema: TABLE },
    limit_ms: 600_000,
    [CALL_SCOPE]: TEST_SCOPE,
  }).result;
  await expect.poll(() => rig.pages().length).toBe(1);
  const [page] = rig.pages();
  if (page === undefined) throw new Error('No window.');
  await page.locator('#ask-yes').waitFor();
  await expectGoodLooks(page);
  // Where its code cannot be loaded, it says so, and is not empty.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.setBlockedURLs', { urls: ['*ask-card*'] });
  await page.reload();
  await page.locator('.takeover', { hasText: /Which table.*could not be loaded/s }).waitFor();
  await expectGoodLooks(page);
  await page.locator('#ask-no[aria-disabled=false]').waitFor();
  await devtools.send('Network.setBlockedURLs', { urls: [] });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('#ask-yes').waitFor();
  await rig.port.start('takeover.cancel', asked as object).result;
});
