import type { Page } from 'playwright';
import { beforeAll, expect, it } from 'vitest';
import { itDeep, sample } from '../../support/depth.ts';
import type { TakeoverState } from '../../../extension/people/worker/takeover/memory.ts';
import { CARDS } from './cards.ts';
import { ApprovalRig } from './rig.ts';

/* Presses meant for something else: the cards appeared under the person's mouse or key. */

let rig: ApprovalRig;
let asked = 0;
beforeAll(async () => (rig = await ApprovalRig.start()));

const isLive = (page: Page, button: string): Promise<boolean> =>
  page.locator(`${button}[aria-disabled="false"]`).isVisible();
const live = (page: Page, button: string): Promise<void> =>
  page.locator(`${button}[aria-disabled="false"]`).waitFor();

async function fresh(): Promise<Page> {
  const message = `Please log in (${(asked += 1)}).`;
  const caller = { session: 's1', name: 'test-agent' };
  const tab = { tab_id: 1_000_000, tabs: [1_000_000], origin: 'https://a.test', until: null, ask: null };
  const times = { limit_ms: 3_600_000, begun_at: Date.now(), asked_at: Date.now(), is_seen: true };
  const open = [{ id: `t_${asked}`, server: 'test-server-1', caller, message, ...tab, ...times }];
  const takeovers: TakeoverState = { ended: [], spans: [], begun: [], latest: 0, open };
  const worker = await rig.capture.worker();
  await worker.evaluate((state) => chrome.storage.session.set({ takeovers: state }), takeovers);
  await rig.ask([CARDS.submit]);
  const page = await rig.card('Act for you on this page?');
  await page.getByText(message).waitFor();
  // Its buttons rest as the window comes to the front.
  await page.bringToFront();
  for (const button of ['#allow', '#takeover-done']) await live(page, button);
  return page;
}

type Stored = { questions: { grants: object[] }; takeovers: TakeoverState };
/** `allowed` for each grant, and how the take-over ended. */
async function outcomes(): Promise<string> {
  const worker = await rig.capture.worker();
  return worker.evaluate(async () => {
    const { questions, takeovers } = await chrome.storage.session.get<Stored>();
    const ends = takeovers.ended.map(({ ending }) => ending.outcome);
    return [...questions.grants.map(() => 'allowed'), ...ends].join();
  });
}

/** Disables the buttons for a moment, as when the window comes to the front. The page looks: a test may be too slow. */
const rest = (page: Page, button: string): Promise<void> =>
  page.evaluate(
    (resting) =>
      new Promise<void>((done) => {
        const look = (): void => {
          if (document.querySelector(resting) !== null) done();
        };
        new MutationObserver(look).observe(document, { subtree: true, attributeFilter: ['aria-disabled'] });
        window.dispatchEvent(new Event('focus'));
        look();
      }),
    `${button}[aria-disabled="true"]`,
  );
async function hover(page: Page, button: string): Promise<void> {
  await page.locator(button).scrollIntoViewIfNeeded();
  const box = await page.locator(button).boundingBox();
  if (box === null) throw new Error('No button.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
}
/** Begins a press while the buttons are disabled: on a slow machine they may already have become live. */
async function pressAtRest(page: Page, button: string, press: () => Promise<void>): Promise<void> {
  for (;;) {
    await rest(page, button);
    await press();
    // Nothing was live when this was sent, so the press had already begun.
    if (!(await isLive(page, button))) break;
    await page.mouse.move(10, 10);
    await page.mouse.up();
    await page.focus('.reason');
    await page.keyboard.up('Space');
  }
  await live(page, button);
}

const TRICKS: Record<string, (page: Page, button: string) => Promise<void>> = {
  'a click in flight when the card appears': async (page, button) => {
    await pressAtRest(page, button, async () => {
      await hover(page, button);
      await page.mouse.down();
    });
    await page.mouse.up();
  },
  'a double click in flight': async (page, button) => {
    await pressAtRest(page, button, async () => {
      await page.mouse.dblclick(10, 10);
      await hover(page, button);
      await page.mouse.down({ clickCount: 2 });
    });
    await page.mouse.up({ clickCount: 2 });
  },
  'a space bar that is held down': async (page, button) => {
    await pressAtRest(page, button, async () => {
      await page.focus(button);
      await page.keyboard.down('Space');
    });
    for (let repeated = 0; repeated < 5; repeated += 1) await page.keyboard.down('Space');
    await page.keyboard.up('Space');
  },
  'a press that loses the window and gets it again': async (page, button) => {
    await hover(page, button);
    await page.mouse.down();
    await rest(page, button);
    await live(page, button);
    await page.mouse.up();
  },
};

const BUTTONS = [
  ['#allow', 'allowed'],
  ['#takeover-done', 'done'],
  ['#takeover-decline', 'declined'],
] as const;
it.each(sample(BUTTONS, 3))(
  'presses that were not meant for %s say nothing, and a click does',
  async (button, outcome) => {
    const page = await fresh();
    for (const [name, trick] of Object.entries(TRICKS)) {
      await trick(page, button);
      expect(await isLive(page, button), name).toBe(true);
      expect(await outcomes(), name).toBe('');
    }
    await page.click(button);
    await expect.poll(outcomes).toBe(outcome);
  },
);

it('Enter allows nothing, wherever the focus is, nor gives a tab back; the space bar does', async () => {
  const page = await fresh();
  const places = [
    ...['.scope select', '.reason', '.takeover .reason', '#allow', '#allow-session', '#takeover-done'],
  ];
  for (const focused of places) {
    await page.focus(focused);
    for (let pressed = 0; pressed < 5; pressed += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
  }
  await page.keyboard.press('Escape');
  expect(await outcomes()).toBe('');
  await page.press('#takeover-done', 'Space');
  await expect.poll(outcomes).toBe('done');
  await page.press('#allow', 'Space');
  await expect.poll(outcomes).toBe('allowed,done');
});

// Last, because it stops the clock in every page of the browser.
itDeep(
  'buttons rest for half a second after the cards have appeared or the window came to the front',
  async () => {
    const page = await fresh();
    const buttons = ['#allow', '#deny', '#takeover-done', '#takeover-decline'];
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    for (const button of buttons) await rest(page, button);
    const clickAll = async (): Promise<void> => {
      for (const button of buttons) await page.click(button, { force: true });
    };
    await clickAll();
    await page.clock.runFor(499);
    await clickAll();
    expect(await isLive(page, '#allow')).toBe(false);
    await page.clock.runFor(1);
    for (const button of buttons) await live(page, button);
    expect(await outcomes()).toBe('');
    expect(await rig.port.call('grants.list', {})).toEqual({ grants: [], refused: [] });
  },
);
