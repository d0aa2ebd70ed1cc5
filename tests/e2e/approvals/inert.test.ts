import { afterAll, beforeAll, expect, it } from 'vitest';
import { CARDS } from './cards.ts';
import { ApprovalRig } from './rig.ts';

/* A browser of its own: its clock is stopped, in every page. */

let rig: ApprovalRig;
beforeAll(async () => {
  rig = await ApprovalRig.start();
});
afterAll(() => rig.close());

it('buttons do nothing in the first moments, nor after the window came to the front', async () => {
  await rig.ask([CARDS.submit]);
  const page = await rig.card('Act for you on this page?');
  await rig.live(page);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.evaluate('window.dispatchEvent(new Event("focus"))');
  await page.locator('#allow[aria-disabled="true"]').waitFor();
  await page.locator('#allow').click({ force: true });
  await page.locator('#deny').click({ force: true });
  await page.clock.runFor(499);
  await page.locator('#allow').click({ force: true });
  expect(await page.getAttribute('#allow', 'aria-disabled')).toBe('true');
  await page.clock.runFor(1);
  await page.locator('#allow[aria-disabled="false"]').waitFor();
  expect(await rig.port.call('grants.list', {})).toEqual({ grants: [], refused: [] });
});
