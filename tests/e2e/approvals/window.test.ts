import { afterAll, beforeAll, expect, it } from 'vitest';
import { CARDS, INJECTED } from './cards.ts';
import { ApprovalRig } from './rig.ts';

let rig: ApprovalRig;
beforeAll(async () => {
  rig = await ApprovalRig.start();
});
afterAll(() => rig.close());

const wait = (id: string) => rig.port.call('question.wait', { id });
const grants = async () => (await rig.port.call('grants.list', {})).grants;

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
