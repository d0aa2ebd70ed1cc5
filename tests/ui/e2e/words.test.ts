import axe from 'axe-core';
import type { Page } from 'playwright';
import { beforeAll, expect, it, vi } from 'vitest';
import { EXTENSION_ID } from '../../../shared/core/bridge/wire.ts';
import { PATIENCE } from '../../support/patience.ts';
import { CARDS } from '../../people/e2e/cards.ts';
import { ApprovalRig } from '../../people/e2e/rig.ts';
import { openPopup } from '../../support/side-panel.ts';

let rig: ApprovalRig;
beforeAll(async () => (rig = await ApprovalRig.start()));

const HAN = /\p{Script=Han}/u;
/** A line for a terminal, which is the same in every language. */
const COMMAND = /^\/\S+ \S+\.js /;

const choose = async (language: string): Promise<void> =>
  (await rig.capture.worker()).evaluate((chosen) => chrome.storage.local.set({ language: chosen }), language);

const SHOWN = `[
  ...[...document.body.innerText.split('\\n')],
  ...[...document.querySelectorAll('[aria-label], [title], [placeholder]')]
    .flatMap((el) => [el.getAttribute('aria-label'), el.getAttribute('title'), el.getAttribute('placeholder')]),
].filter((text) => text !== null && text.trim() !== '')`;

const englishIn = (texts: readonly string[]): string[] =>
  texts.filter((text) => !HAN.test(text) && !COMMAND.test(text) && /[a-z]{3,} [a-z]{3,}/i.test(text));

const openPage = (path: string): Promise<Page> =>
  rig.capture.openPage(`chrome-extension://${EXTENSION_ID}/${path}`);

it('every page speaks the language that a person chooses, at once', async () => {
  const rules = await openPage('people/rules/rules.html');
  await rules.locator('h1', { hasText: 'Rules for agents' }).waitFor();
  // It closes when another window comes to the front.
  const popup = await openPopup(rig.capture.browser);
  const popupSays = async (): Promise<string[]> => popup.evaluate(SHOWN);
  await vi.waitFor(async () => expect(await popupSays()).toContain('This browser'), PATIENCE);

  await choose('zh-CN');
  await vi.waitFor(async () => expect(await popupSays()).toContain('此浏览器'), PATIENCE);
  await rules.locator('h1', { hasText: '智能体规则' }).waitFor();
  expect(englishIn(await popupSays())).toEqual([]);
  expect(englishIn(await rules.evaluate<string[]>(SHOWN))).toEqual([]);
  expect(await rules.evaluate('document.documentElement.lang')).toBe('zh-CN');
  await rules.evaluate(axe.source);
  const violations = 'axe.run().then(({ violations }) => violations.map(({ id }) => id))';
  expect(await rules.evaluate(violations)).toEqual([]);

  await rig.ask([CARDS.submit]);
  const card = await rig.card('在此页面替你操作？');
  expect(englishIn(await card.evaluate<string[]>(SHOWN))).toEqual([]);
  expect(await card.locator('.steps li').allTextContents()).toEqual([
    '在名为 Card holder 的输入框中填入 Ada Lovelace。',
    '在名为 Card number 的输入框中填入你的机密 CARD。智能体看不到它的内容。',
    '勾选文字 I accept the terms。',
    '点击名为 Pay €240.00 的按钮。',
  ]);
  const panel = await openPage('ui/frame/panel.html');
  await panel.locator('[role=tab]', { hasText: '时间线' }).waitFor();
  for (const tab of await panel.locator('[role=tab]').all()) {
    await tab.click();
    expect(englishIn(await panel.evaluate<string[]>(SHOWN))).toEqual([]);
  }
  await card.setViewportSize({ width: 320, height: 640 });
  expect(
    await card.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
  ).toBe(0);
  const title = await (await rig.capture.worker()).evaluate(() => chrome.action.getTitle({}));
  expect(title).toBe('Spillway：有智能体请求你的许可。点击以决定。');

  await choose('auto');
  await card.locator('h1', { hasText: 'Act for you on this page?' }).waitFor();
});
