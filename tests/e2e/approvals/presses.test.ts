import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { CARDS } from './cards.ts';
import { ApprovalRig } from './rig.ts';

/* Presses that a person meant for something else: the card came under their mouse, or under their key. */

const TITLE = 'Act for you on this page?';
let rig: ApprovalRig;
beforeAll(async () => {
  rig = await ApprovalRig.start();
});
afterAll(() => rig.close());

const grants = async (): Promise<number> => (await rig.port.call('grants.list', {})).grants.length;
const isLive = (page: Page): Promise<boolean> => page.locator('#allow[aria-disabled="false"]').isVisible();

/** A window whose card has just appeared again: its buttons rest. */
async function fresh(): Promise<Page> {
  await rig.ask([CARDS.submit]);
  const page = await rig.card(TITLE);
  await rig.live(page);
  await page.bringToFront();
  return page;
}
/** Presses at a moment when the buttons rest: on a slow machine they may have come to life before. */
async function pressAtRest(page: Page, press: () => Promise<void>): Promise<void> {
  for (;;) {
    await rest(page);
    await press();
    // Nothing was live when this was sent, so the press had begun by then.
    if (!(await isLive(page))) return;
    await page.mouse.move(10, 10);
    await page.mouse.up();
  }
}

/** Lets the buttons rest, as they do when the window comes to the front. */
async function rest(page: Page): Promise<void> {
  await page.evaluate(() => void window.dispatchEvent(new Event('focus')));
  await page.locator('#allow[aria-disabled="true"]').waitFor();
}
async function hover(page: Page): Promise<void> {
  await page.locator('#allow').scrollIntoViewIfNeeded();
  const box = await page.locator('#allow').boundingBox();
  if (box === null) throw new Error('No button.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
}

afterEach(async () => {
  await expect.poll(() => rig.pages().length).toBe(1);
  expect(await grants()).toBe(0);
});

const TRICKS: Record<string, (page: Page) => Promise<void>> = {
  'a click in flight when the card appears': async (page) => {
    await pressAtRest(page, async () => {
      await hover(page);
      await page.mouse.down();
    });
    await rig.live(page);
    await page.mouse.up();
  },
  'a double click in flight': async (page) => {
    await pressAtRest(page, async () => {
      await page.mouse.dblclick(10, 10);
      await hover(page);
      await page.mouse.down({ clickCount: 2 });
    });
    await rig.live(page);
    await page.mouse.up({ clickCount: 2 });
  },
  'a space bar that is held down': async (page) => {
    await page.focus('#allow');
    await rest(page);
    await page.keyboard.down('Space');
    for (let pressed = 0; pressed < 20 || !(await isLive(page)); pressed += 1)
      await page.keyboard.down('Space');
    await page.keyboard.up('Space');
  },
  'Enter that is held down': async (page) => {
    await page.focus('#allow');
    for (let pressed = 0; pressed < 20; pressed += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
  },
  'a selection that is dragged onto the button': async (page) => {
    await page.mouse.move(30, 30);
    await page.mouse.down();
    await hover(page);
    await page.mouse.up();
  },
  'a press that loses the window and gets it again': async (page) => {
    await hover(page);
    await page.mouse.down();
    await rest(page);
    await rig.live(page);
    await page.mouse.up();
  },
  'a space bar that is pressed in the reason': async (page) => {
    await page.focus('.reason');
    await page.keyboard.down('Space');
    await page.focus('#allow');
    await page.keyboard.up('Space');
  },
};

it.each(Object.keys(TRICKS))('%s allows nothing', async (name) => {
  const page = await fresh();
  await TRICKS[name]?.(page);
  // What was sent before this has been taken.
  expect(await isLive(page)).toBe(true);
  expect(await grants()).toBe(0);
});

it('the same presses, begun when the buttons are live, are an answer', async () => {
  for (const press of ['mouse', 'space'] as const) {
    const page = await fresh();
    if (press === 'mouse') await page.click('#allow');
    else await page.press('#allow', 'Space');
    await expect.poll(grants).toBe(1);
    const [grant] = (await rig.port.call('grants.list', {})).grants;
    await rig.port.call('grants.revoke', { id: grant?.id ?? '' });
    await expect.poll(() => rig.pages().length).toBe(0);
  }
  await fresh();
});
