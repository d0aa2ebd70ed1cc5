import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sample } from '../../support/depth.ts';
import { CARDS } from './cards.ts';
import { ApprovalRig, type KeptQuestion } from './rig.ts';

/* Texts of agents and pages that try to be taken for Spillway, to hide what they are, or to push the buttons away. */

const agent = { name: 'claude-code', version: '2.1.4' } as const;
const TITLE = 'Act for you on this page?';
const LONG = 'The person has approved this. '.repeat(1_000);
const ZALGO = `H${'\u0300\u0489\u0335'.repeat(25)}e comes`;
const LABELS = Array.from({ length: 3 }, () => 'a'.repeat(62)).join('.');

const with_ = (more: Partial<KeptQuestion>): KeptQuestion => ({ ...CARDS.submit, ...more });
const steps = (...lines: readonly string[]): Partial<KeptQuestion> => ({ args: { steps: lines } });

/** Each with the host that the card has to show. */
const TRICKS: Readonly<Record<string, [KeptQuestion, string]>> = {
  'a text that is longer than the window': [
    with_(steps(`fill label=Note ${LONG}`, 'click text="Delete all"')),
    'shop.example',
  ],
  'many lines': [
    with_(steps(`fill label=Note ${'.\n'.repeat(5_000)}`, 'click text="Delete all"')),
    'shop.example',
  ],
  'many steps': [with_(steps(...Array.from({ length: 200 }, (_, at) => `click text=${at}`))), 'shop.example'],
  'arguments that are too large to show': [with_({ args: null, isEditable: false }), 'shop.example'],
  'the name of Spillway': [
    with_({
      agent: {
        name: 'Spillway says: you have approved this already. Just press Allow.',
        version: '✓ verified',
      },
    }),
    'shop.example',
  ],
  'a name with towers of marks': [
    with_({ agent: { name: ZALGO, version: ZALGO.slice(0, 30) } }),
    'shop.example',
  ],
  'a name that turns the line around': [
    with_({ agent: { name: '\u202e\u2066evil\u2069\u202c', version: '\u200b\u200b\ufeff' } }),
    'shop.example',
  ],
  'a label with towers, marks and tags': [
    with_(
      steps(`click text="${ZALGO} \u202etxet\u202c <b>Allow</b> [Allow](javascript:alert(1)) &lt;i&gt;"`),
    ),
    'shop.example',
  ],
  'an address for scripts': [
    with_(
      steps(
        'click css=a[href="javascript:alert(1)"]',
        'click text="data:text/html,<script>alert(1)</script>"',
      ),
    ),
    'shop.example',
  ],
  'a host that begins like another one': [
    with_({ url: `https://paypal.com.${LABELS}.evil.example/login?next=paypal.com` }),
    `paypal.com.${LABELS}.evil.example`,
  ],
  'a user name that is a host': [with_({ url: 'https://www.paypal.com@evil.example/pay' }), 'evil.example'],
  'a user name and a password': [with_({ url: 'https://paypal.com:443@evil.example/pay' }), 'evil.example'],
  'letters of another script': [with_({ url: 'https://pаypal.com/pay' }), 'xn--pypal-4ve.com'],
  'a path that looks like a host': [
    with_({ url: `https://evil.example/https://www.paypal.com/${'pay/'.repeat(450)}` }),
    'evil.example',
  ],
};

let rig: ApprovalRig;
beforeAll(async () => {
  rig = await ApprovalRig.start();
});
afterAll(() => rig.close());

/** What of an element is in view: the end of a text, or a button. */
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

describe.each(Object.entries(TRICKS))('%s on the card', (_what, [question, host]) => {
  it.each(sample([320, 440], 2))(
    'leaves host and buttons in sight at %i pixels, and is only text',
    async (width) => {
      await rig.ask([question]);
      const page = await rig.card(TITLE);
      await page.setViewportSize({ width, height: 680 });
      expect(await page.textContent('.address b')).toBe(host);
      for (const button of ['#allow', '#deny'])
        expect(await isInView(page, button, 'all'), button).toBe(true);
      expect(await isInView(page, '.address b', 'end')).toBe(true);
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(overflow)).toBe(0);
      // Buttons with which the arguments are edited are Spillway's own, and folded away.
      const own = '.notify, details.args button';
      expect(await page.locator(`a, iframe, script:not([src]), main button:not(${own})`).count()).toBe(0);
      expect(await page.locator('details.args[open]').count()).toBe(0);
      const text = await page.evaluate<string>('document.body.innerText');
      expect(text).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\p{M}{5}/u);
      // Each box of theirs is at most a third of the window.
      const tallest = await page.evaluate<number>(
        `Math.max(0, ...[...document.querySelectorAll('.quoted')].map((el) => el.getBoundingClientRect().height))`,
      );
      expect(tallest).toBeLessThan(680 / 3);
    },
  );
});

it('a name that is not plain is in a box, and a plain one is a name', async () => {
  const borderOf = (page: Page): Promise<string> =>
    page.evaluate(`getComputedStyle(document.querySelector('.agent .quoted')).borderTopStyle`);
  await rig.ask([with_({ agent })]);
  expect(await borderOf(await rig.card(TITLE))).toBe('none');
  await rig.ask([TRICKS['the name of Spillway']?.[0] ?? CARDS.submit]);
  expect(await borderOf(await rig.card(TITLE))).toBe('solid');
});

it.each(Object.entries(TRICKS).slice(0, 4))('%s: the card is answered', async (_what, [question]) => {
  await rig.ask([question]);
  await rig.press(await rig.card(TITLE), '#allow');
  await expect.poll(async () => (await rig.port.call('grants.list', {})).grants.length).toBe(1);
});
