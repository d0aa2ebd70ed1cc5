import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyState, type TakeoverState } from '../../../extension/background/takeover/state.ts';
import { ApprovalRig } from './rig.ts';

/* The card of a take-over: its buttons rest at first, and presses that were meant for something else say nothing. */

let rig: ApprovalRig;
let asked = 0;
beforeAll(async () => {
  rig = await ApprovalRig.start();
});
afterAll(() => rig.close());

/** A card that a worker shows which finds its take-over in storage. */
async function fresh(): Promise<Page> {
  const id = `t_${(asked += 1)}`;
  const state: TakeoverState = {
    ...emptyState(),
    open: [
      {
        id,
        server: 'test-server-1',
        caller: { session: 's1', name: 'test-agent' },
        tab_id: 1_000_000,
        tabs: [1_000_000],
        message: `Please log in (${asked}).`,
        until: null,
        limit_ms: 3_600_000,
        origin: 'https://a.test',
        begun_at: Date.now(),
        asked_at: Date.now(),
        is_seen: true,
      },
    ],
  };
  const worker = await rig.capture.worker();
  await worker.evaluate((takeovers) => chrome.storage.session.set({ takeovers }), state);
  await rig.ask();
  await expect.poll(() => rig.pages().length).toBe(1);
  const [page] = rig.pages();
  if (page === undefined) throw new Error('No window is open.');
  await page.getByText(`Please log in (${asked}).`).waitFor();
  await isLive(page, true);
  await page.bringToFront();
  return page;
}

const isLive = (page: Page, live: boolean): Promise<void> =>
  page.locator(`#takeover-done[aria-disabled="${!live}"]`).waitFor();

/** Lets the buttons rest, as they do when the window comes to the front. */
async function rest(page: Page): Promise<void> {
  await page.evaluate(() => void window.dispatchEvent(new Event('focus')));
  await isLive(page, false);
}

async function hover(page: Page, button: string): Promise<void> {
  await page.locator(button).scrollIntoViewIfNeeded();
  const box = await page.locator(button).boundingBox();
  if (box === null) throw new Error('No button.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
}

/** How the take-over has ended; null while it has not. */
async function outcome(): Promise<string | null> {
  const worker = await rig.capture.worker();
  return worker.evaluate(async () => {
    const { takeovers } = await chrome.storage.session.get<{ takeovers: TakeoverState }>('takeovers');
    return takeovers.ended.at(-1)?.ending.outcome ?? null;
  });
}

const TRICKS: Record<string, (page: Page, button: string) => Promise<void>> = {
  'a click in flight when the card appears': async (page, button) => {
    await hover(page, button);
    await rest(page);
    await page.mouse.down();
    await isLive(page, true);
    await page.mouse.up();
  },
  'a press that loses the window and gets it again': async (page, button) => {
    await hover(page, button);
    await page.mouse.down();
    await rest(page);
    await isLive(page, true);
    await page.mouse.up();
  },
  'a space bar that is held down': async (page, button) => {
    await page.focus(button);
    await rest(page);
    await page.keyboard.down('Space');
    await isLive(page, true);
    await page.keyboard.down('Space');
    await page.keyboard.up('Space');
  },
  'a selection that is dragged onto the button': async (page, button) => {
    await page.mouse.move(30, 30);
    await page.mouse.down();
    await hover(page, button);
    await page.mouse.up();
  },
  'a script of the page': async (page, button) => {
    await page.$eval(button, (element) => (element as HTMLElement).click());
  },
};

it.each(['#takeover-done', '#takeover-decline'])(
  'presses that were not meant for %s say nothing',
  async (button) => {
    const page = await fresh();
    for (const [name, trick] of Object.entries(TRICKS)) {
      await trick(page, button);
      // What was sent before this has been taken.
      await isLive(page, true);
      expect(await outcome(), name).toBeNull();
      expect(await page.locator('.takeover').isVisible(), name).toBe(true);
    }
    await page.click(button);
    await expect.poll(outcome).toBe(button === '#takeover-done' ? 'done' : 'declined');
  },
);

it('Enter does not give the tab back, and the space bar does', async () => {
  const page = await fresh();
  await page.focus('#takeover-done');
  for (let pressed = 0; pressed < 20; pressed += 1) await page.keyboard.press('Enter');
  await page.focus('.takeover .reason');
  await page.keyboard.press('Enter');
  expect(await outcome()).toBeNull();
  await page.press('#takeover-done', 'Space');
  await expect.poll(outcome).toBe('done');
});

it('the buttons rest for half a second after the card has appeared', async () => {
  const page = await fresh();
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await rest(page);
  await page.click('#takeover-done', { force: true });
  await page.click('#takeover-decline', { force: true });
  await page.clock.runFor(499);
  await page.click('#takeover-done', { force: true });
  expect(await page.getAttribute('#takeover-done', 'aria-disabled')).toBe('true');
  await page.clock.runFor(1);
  await isLive(page, true);
  expect(await outcome()).toBeNull();
});
