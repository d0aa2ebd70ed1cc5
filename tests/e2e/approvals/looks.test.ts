import { afterAll, beforeAll, it } from 'vitest';
import { sample } from '../../support/depth.ts';
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
