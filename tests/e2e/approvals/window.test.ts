import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itDeep } from '../../support/depth.ts';
import { CARDS, INJECTED } from './cards.ts';
import { APPROVE_URL, ApprovalRig } from './rig.ts';

let rig: ApprovalRig;
beforeAll(async () => {
  rig = await ApprovalRig.start();
});
afterAll(() => rig.close());

const wait = (id: string) => rig.port.call('question.wait', { id });
const grants = async () => (await rig.port.call('grants.list', {})).grants;
const badge = async (): Promise<string> =>
  (await rig.capture.worker()).evaluate(() => chrome.action.getBadgeText({}));

describe('a question', () => {
  itDeep(
    'is shown by itself in a window of the extension, with agent, site and what will happen',
    async () => {
      await rig.ask([CARDS.submit]);
      const page = await rig.card('Act for you on this page?');
      expect(await page.locator('.agent').textContent()).toBe('claude-code 2.1.4 asks');
      expect(await page.locator('.address').textContent()).toBe(
        'https://shop.example/checkout/payment?step=2',
      );
      expect(await page.locator('.steps li').allTextContents()).toEqual([
        'Fill the field Card holder with Ada Lovelace.',
        'Fill the field Card number with your secret CARD. The agent does not see it.',
        'Tick I accept the terms.',
        'Click the button Pay €240.00.',
      ]);
      expect(await badge()).toBe('1');
      const { type } = await (
        await rig.capture.worker()
      ).evaluate(async (url) => {
        const [tab] = await chrome.tabs.query({ url });
        return chrome.windows.get(tab?.windowId ?? -1);
      }, APPROVE_URL);
      expect(type).toBe('popup');
    },
  );

  it('is allowed by a click, for this call alone, and the window closes', async () => {
    await rig.ask([CARDS.submit]);
    const page = await rig.card('Act for you on this page?');
    const closed = page.waitForEvent('close');
    const outcome = wait('q_submit');
    await rig.press(page, '#allow');
    const { decision } = await outcome;
    expect(decision).toMatchObject({ approve: true, scope: 'once', where: 'window' });
    expect(await grants()).toMatchObject([
      { scope: 'once', tool: 'interact', origin: 'https://shop.example' },
    ]);
    await closed;
    expect(await badge()).toBe('on');
  });
});

itDeep('arguments are not edited where parts of them are not shown', async () => {
  await rig.ask([{ ...CARDS.dialog, isEditable: false }]);
  const page = await rig.card('Answer this dialog?');
  await page.click('summary');
  expect(await page.locator('textarea').count()).toBe(0);
  expect(await page.textContent('pre')).toContain('delete atlas');
});

it('a question survives its worker, in the same window', async () => {
  await rig.ask([CARDS.submit]);
  const page = await rig.card('Act for you on this page?');
  const before = rig.capture.host.ports.length;
  await rig.capture.killWorker();
  const port = await rig.capture.host.port(before + 1);
  port.open(1);
  rig.capture.port = port;
  // The click may come before the page has noticed, and is then without effect.
  await expect
    .poll(async () => {
      const { length } = await grants();
      if (length === 0) await rig.press(page, '#allow').catch(() => undefined);
      return length;
    })
    .toBe(1);
  expect((await wait('q_submit')).decision).toMatchObject({ approve: true });
});

it('texts of agents and pages are shown as theirs, with nothing hidden, and are never markup', async () => {
  await rig.ask([INJECTED]);
  const page = await rig.card('Type and click on this page?');
  expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
  expect(await page.locator('button#allow').count()).toBe(1);
  expect(await page.locator('.agent').textContent()).toBe(
    'Spillway⟨U+202E⟩ metsys </b><button id="allow">Allow</button> asks',
  );
  const [first = ''] = await page.locator('.steps li').allTextContents();
  expect(first).toContain('⟨U+2067⟩nothing⟨U+2069⟩ ⟨U+200B⟩⟨U+200B⟩hidden');
  expect(await page.locator('.place .problem').count()).toBe(1);
  expect(await page.locator('.address b').textContent()).toBe('xn--pypal-4ve.example');
  const unseen = /[\u200b-\u200f\u202a-\u202e\u2060-\u2069]/;
  expect(await page.evaluate('document.body.textContent')).not.toMatch(unseen);
});
