import axe from 'axe-core';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sample } from '../../support/depth.ts';
import { PATIENCE } from '../../support/patience.ts';
import { CALL_SCOPE } from '../../../shared/policy/call-facts.ts';
import { TEST_SCOPE } from '../../support/session.ts';
import { CARDS, INJECTED } from './cards.ts';
import { ApprovalRig } from './rig.ts';

let rig: ApprovalRig;
beforeAll(async () => {
  rig = await ApprovalRig.start();
});
afterAll(() => rig.close());

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

async function expectGoodLooks(page: Page): Promise<void> {
  for (const width of [320, 440])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 640 });
      await page.emulateMedia({ colorScheme });
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(overflow), `${width} ${colorScheme}`).toBe(0);
      // The window lets in no script of a site, so it is evaluated by the debugger.
      await page.evaluate(axe.source);
      const violations: Violation[] = await page.evaluate(
        '(async () => (await axe.run()).violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) })))()',
      );
      expect(violations, `${width} ${colorScheme}`).toEqual([]);
    }
}

describe.each(sample(Object.entries({ ...CARDS, injected: INJECTED }), 5))(
  'the card for %s',
  (_risk, question) => {
    it('is accessible and fits, in both themes and from 320 pixels on', async () => {
      await rig.ask([question]);
      const page = await rig.card('?');
      await page.click('summary');
      await expectGoodLooks(page);
    });
  },
);

it.each([false, true])(
  'the card of a take-over is accessible and fits, also below a question (%s)',
  async (isSecond) => {
    await rig.ask(...(isSecond ? [[CARDS.submit]] : []));
    const tab = await rig.capture.newTab();
    await rig.capture.visit(tab, '/article--blog.html');
    const until = { text: 'Welcome back, \u202eAda', url: '**/account' };
    await rig.port.start('takeover.begin', {
      tab_id: tab,
      message: 'Log in, please, and answer the second factor on your phone. <b>Then</b> press “I am done”.',
      until,
      limit_ms: 600_000,
      [CALL_SCOPE]: TEST_SCOPE,
    }).result;
    const page = await vi.waitFor(() => {
      const [found] = rig.pages();
      if (found === undefined) throw new Error('No window is open.');
      return found;
    }, PATIENCE);
    await page.locator('#takeover-done').waitFor();
    await expectGoodLooks(page);
  },
);
