import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itDeep } from '../../support/depth.ts';
import type { Page } from 'playwright';
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
  it('is shown by itself in a window of the extension, with agent, site and what will happen', async () => {
    await rig.ask([CARDS.submit]);
    const page = await rig.card('Act for you on this page?');
    expect(await page.locator('.agent').textContent()).toBe('claude-code 2.1.4 asks');
    expect(await page.locator('.address').textContent()).toBe('https://shop.example/checkout/payment?step=2');
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
  });

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

  it('is denied for a reason that the agent reads', async () => {
    await rig.ask([CARDS.upload]);
    const page = await rig.card('Give this site a file?');
    await page.fill('.reason', 'Not that file.');
    await rig.press(page, '#deny');
    expect(await wait('q_upload')).toEqual({
      decision: { approve: false, where: 'window', reason: 'Not that file.' },
      end: null,
      risks: CARDS.upload.risks,
      site: 'https://jobs.example.net',
    });
    expect(await grants()).toEqual([]);
  });

  itDeep('is allowed for longer, where a person says so', async () => {
    await rig.ask([CARDS.input]);
    const page = await rig.card('Type and click on this page?');
    await page.selectOption('.scope select', 'site_hour');
    await rig.press(page, '#allow');
    expect((await wait('q_input')).decision).toMatchObject({ approve: true, scope: 'site_hour' });
    const [grant] = await grants();
    expect(grant).toMatchObject({ scope: 'site_hour', args_hash: null, origin: 'https://mail.example.com' });
    expect(await rig.port.call('grants.revoke', { id: grant?.id ?? '' })).toEqual({ was_good: true });
    expect(await grants()).toEqual([]);
  });

  itDeep('comes after the one before it, and says how many there are', async () => {
    const more = Array.from({ length: 999 }, (_, at) => ({ ...CARDS.submit, id: `q_${at}` }));
    await rig.ask([CARDS.submit, ...more], [CARDS.read]);
    const page = await rig.card('Act for you on this page?');
    expect(await page.locator('.waiting').textContent()).toContain('1 of 1000 of this kind');
    expect(await page.locator('.waiting').textContent()).toContain('1 other question after this one');
    expect(await badge()).toBe('99+');
    await rig.press(page, '#deny');
    await rig.card('Read this page?');
    expect((await wait('q_998')).decision).toMatchObject({ approve: false });
    expect(await badge()).toBe('1');
  });
});

describe('the arguments', () => {
  it('are edited as lines, described as they are now, and what is allowed is what was written', async () => {
    await rig.ask([CARDS.submit]);
    const page = await rig.card('Act for you on this page?');
    await page.click('summary');
    await page.click('.raw > summary');
    await page.fill('.raw textarea', 'click text=Save\nexplode');
    await expect.poll(() => page.locator('.problem').textContent()).toMatch(/^2: "explode" is not a step/);
    expect(await page.getAttribute('#allow', 'aria-disabled')).toBe('true');
    await page.fill('.raw textarea', 'click text="Save draft"');
    expect(await page.locator('.steps li').allTextContents()).toEqual(['Click Save draft.']);
    expect(await page.textContent('#allow')).toBe('Allow with my changes');
    await rig.press(page, '#allow');
    expect((await wait('q_submit')).decision).toMatchObject({ args: { steps: ['click text="Save draft"'] } });
    const [grant] = await grants();
    expect(grant?.args_hash).not.toBe('a'.repeat(64));
  });

  it('are not edited where parts of them are not shown', async () => {
    await rig.ask([{ ...CARDS.dialog, isEditable: false }]);
    const page = await rig.card('Answer this dialog?');
    await page.click('summary');
    expect(await page.locator('textarea').count()).toBe(0);
    expect(await page.textContent('pre')).toContain('delete atlas');
  });
});

describe('keys and clicks', () => {
  let page: Page;
  beforeEach(async () => {
    await rig.ask([CARDS.submit]);
    page = await rig.card('Act for you on this page?');
  });

  it('Enter allows nothing, wherever the focus is; the space bar does', async () => {
    await rig.live(page);
    await page.keyboard.press('Enter');
    await page.focus('.scope select');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.focus('.reason');
    await page.keyboard.press('Enter');
    await page.focus('#allow');
    await page.keyboard.press('Enter');
    expect(await grants()).toEqual([]);
    await page.keyboard.press('Space');
    expect((await wait('q_submit')).decision).toMatchObject({ approve: true });
  });

  itDeep('is reached and answered with the keyboard alone', async () => {
    await rig.live(page);
    for (let tabs = 0; tabs < 12; tabs += 1) {
      if ((await page.evaluate('document.activeElement.id')) === 'deny') break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    expect((await wait('q_submit')).decision).toMatchObject({ approve: false });
  });
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

itDeep(
  'a window that a person closes is opened again from the popup, and by a question of another kind',
  async () => {
    await rig.ask([CARDS.submit]);
    const page = await rig.card('Act for you on this page?');
    await page.close();
    const popup = await rig.openPopup();
    await expect
      .poll(() => popup.evaluate('document.getElementById("questions-text").textContent'))
      .toBe('An agent asks for your permission');
    await popup.evaluate('document.getElementById("decide").click()');
    await rig.card('Act for you on this page?');
  },
);

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

it('an ordinary tab shows what is asked, and decides nothing', async () => {
  await rig.ask([CARDS.submit]);
  await rig.card('Act for you on this page?');
  const context = rig.capture.browser.devtools.contexts()[0];
  const tab = await context?.newPage();
  await tab?.goto(APPROVE_URL);
  await tab?.locator('h1', { hasText: 'Act for you' }).waitFor();
  expect(await tab?.locator('#allow, #deny').count()).toBe(0);
  expect(await tab?.textContent('.banner')).toContain('decide');
  await tab?.close();
});
