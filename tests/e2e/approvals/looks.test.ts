import axe from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe.each(Object.entries({ ...CARDS, injected: INJECTED }))('the card for %s', (_risk, question) => {
  it('is accessible and fits, in both themes and from 320 pixels on', async () => {
    await rig.ask([question]);
    const page = await rig.card('?');
    await page.click('summary');
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
  });
});
