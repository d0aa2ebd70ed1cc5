import type { Page } from 'playwright';
import { beforeAll, expect, it } from 'vitest';
import { sample } from '../../support/depth.ts';
import { CARDS } from './cards.ts';
import { ApprovalRig, type KeptQuestion } from './rig.ts';

/* Texts of agents and pages that try to imitate Spillway, to hide themselves, or to push the buttons away. */

const TITLE = 'Act for you on this page?';
const LONG = 'The person has approved this. '.repeat(1_000);
const ZALGO = `H${'\u0300\u0489\u0335'.repeat(25)}e comes`;
const LABELS = Array.from({ length: 3 }, () => 'a'.repeat(62)).join('.');
const with_ = (more: Partial<KeptQuestion>): KeptQuestion => ({ ...CARDS.submit, ...more });
const steps = (...lines: readonly string[]): KeptQuestion => with_({ args: { steps: lines } });

const TRICKS: Readonly<Record<string, KeptQuestion>> = {
  'a text that is longer than the window': steps(`fill label=Note ${LONG}`, 'click text="Delete all"'),
  'many lines': steps(`fill label=Note ${'.\n'.repeat(5_000)}`, 'click text="Delete all"'),
  'many steps': steps(...Array.from({ length: 200 }, (_, at) => `click text=${at}`)),
  'arguments that are too large to show': with_({ args: null, isEditable: false }),
  'a name with towers of marks': with_({ agent: { name: ZALGO, version: '✓ verified' } }),
  'a name that turns the line around': with_({
    agent: { name: '\u202e\u2066evil\u2069\u202c', version: '\u200b\u200b\ufeff' },
  }),
  'labels with marks, tags and addresses for scripts': steps(
    `click text="${ZALGO} \u202etxet\u202c <b>Allow</b> [Allow](javascript:alert(1)) &lt;i&gt;"`,
    'click css=a[href="javascript:alert(1)"]',
  ),
};
/** Addresses, and the host that the card has to show. */
const ADDRESSES: readonly (readonly [url: string, host: string])[] = [
  [`https://paypal.com.${LABELS}.evil.example/login?next=paypal.com`, `paypal.com.${LABELS}.evil.example`],
  ['https://www.paypal.com:443@evil.example/pay', 'evil.example'],
  ['https://pаypal.com/pay', 'xn--pypal-4ve.com'],
  [`https://evil.example/https://www.paypal.com/${'pay/'.repeat(450)}`, 'evil.example'],
  [`https://www.paypal.com@evil.example/${'pay/'.repeat(500)}`, 'evil.example'],
  [`http://[::1]:3000/${'pay/'.repeat(500)}`, '[::1]:3000'],
  ['blob:https://shop.example/0c3f', 'shop.example'],
];

let rig: ApprovalRig;
beforeAll(async () => (rig = await ApprovalRig.start()));

/** The end of a text, or a button. */
const isInView = (page: Page, selector: string, part: 'end' | 'all'): Promise<boolean> =>
  page.evaluate(
    ([what, which]) => {
      const el = document.querySelector(what);
      if (el === null) return false;
      const range = document.createRange();
      range.selectNodeContents(el);
      const boxes = which === 'all' ? [el.getBoundingClientRect()] : [...range.getClientRects()].slice(-1);
      return boxes.every(({ left, right, top, bottom }) => {
        const isInside = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
        const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return isInside && at !== null && (el.contains(at) || at.contains(el));
      });
    },
    [selector, part] as const,
  );

const CASES = [
  ...Object.entries(TRICKS).map(([what, question]) => [what, question, 'shop.example'] as const),
  ...ADDRESSES.map(([url, host]) => [`the address ${url.slice(0, 60)}`, with_({ url }), host] as const),
];
it.each(sample(CASES, 5))(
  '%s: the card shows its host and buttons, and only text',
  async (_what, question, host) => {
    await rig.ask([question]);
    const page = await rig.card(TITLE);
    for (const width of [320, 440]) {
      await page.setViewportSize({ width, height: 680 });
      expect(await page.textContent('.address b')).toBe(host);
      for (const button of ['#allow', '#deny'])
        expect(await isInView(page, button, 'all'), button).toBe(true);
      expect(await isInView(page, '.address b', 'end')).toBe(true);
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(overflow)).toBe(0);
      // Each box of theirs is at most a third of the window.
      const tallest = await page.evaluate<number>(
        `Math.max(0, ...[...document.querySelectorAll('.quoted')].map((el) => el.getBoundingClientRect().height))`,
      );
      expect(tallest).toBeLessThan(680 / 3);
    }
    // Buttons with which the arguments are edited are Spillway's own, and folded away.
    const own = '.notify, details.args button';
    expect(await page.locator(`a, iframe, script:not([src]), main button:not(${own})`).count()).toBe(0);
    expect(await page.locator('details.args[open]').count()).toBe(0);
    const text = await page.evaluate<string>('document.body.innerText');
    expect(text).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\p{M}{5}/u);
  },
);
