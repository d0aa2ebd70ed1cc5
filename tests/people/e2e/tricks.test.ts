import type { Page } from 'playwright';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EXTENSION_ID } from '../../../shared/core/bridge/wire.ts';
import { failure } from '../../support/worker/failure.ts';
import { CARDS } from './cards.ts';
import { APPROVE_URL, ApprovalRig } from './rig.ts';
import { buy, Shop } from './shop.ts';
const TITLE = 'Act for you on this page?';

let rig: ApprovalRig;
let shop: Shop;
beforeAll(async () => {
  shop = await Shop.open(APPROVE_URL);
  rig = await ApprovalRig.start();
});

const list = () => rig.port.call('grants.list', {});

async function open(url: string): Promise<Page> {
  const page = await rig.capture.browser.devtools.contexts()[0]?.newPage();
  if (page === undefined) throw new Error('No page.');
  await page.goto(url).catch(() => undefined);
  return page;
}

/** Sends messages on a port of that page, as a script in it would. Returns what the worker answered. */
const sendFrom = (page: Page, messages: readonly object[], name = 'approve'): Promise<object[]> =>
  page.evaluate(
    async ([port, sent]) => {
      const answers: object[] = [];
      const channel = chrome.runtime.connect({ name: port });
      const over = new Promise<void>((resolve) => channel.onDisconnect.addListener(() => resolve()));
      const first = new Promise<void>((resolve) =>
        channel.onMessage.addListener((message: object) => {
          answers.push(message);
          resolve();
        }),
      );
      await Promise.race([first, over]);
      for (const message of sent) {
        try {
          channel.postMessage(message);
        } catch {
          return answers;
        }
      }
      await Promise.race([over, chrome.runtime.getPlatformInfo()]);
      channel.disconnect();
      return answers;
    },
    [name, messages] as const,
  );

const answer = { approve: true, scope: 'once' };
const YES = { type: 'decide', question: 'q_submit', token: 'guessed', answer };
const yes = (more = {}): object => ({ ...YES, ...more });

describe('with a question open', () => {
  let window: Page;
  let windowTab: number;
  const opened: Page[] = [];
  beforeAll(async () => {
    await rig.ask([CARDS.submit]);
    window = await rig.card(TITLE);
    const worker = await rig.capture.worker();
    const [tab] = await worker.evaluate((url) => chrome.tabs.query({ url }), APPROVE_URL);
    windowTab = tab?.id ?? -1;
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((page) => page.close()));
    // The question is still there, in the same window, and nothing was allowed.
    expect((await list()).grants).toEqual([]);
    await rig.card(TITLE);
    expect(rig.pages()).toEqual([window]);
  });
  const tab = async (url: string): Promise<Page> => {
    const page = await open(url);
    opened.push(page);
    return page;
  };

  const stream = { stream: 1, credit: 100_000 };
  it.each<[string, object]>([
    ['page.navigate', { action: 'reload', wait_until: 'load', timeout_ms: 1_000 }],
    ['tabs.close', {}],
    ['tabs.activate', {}],
    ['tabs.get', {}],
    ['page.console', stream],
    ['page.mhtml', stream],
    ['network.capture', { ...stream, bodies: 'text', body_bytes: 1_000, bodies_bytes: 1_000 }],
    ['dialog.answer', { caller: { session: 's1', name: 'claude-code' }, accept: true, budget: 400 }],
  ])('%s does not reach the window', async (method, params) => {
    const error = await failure(rig.port.start(method, { tab_id: windowTab, ...params }).result);
    expect(error.code, error.message).toBe('page_forbidden');
  });

  it('no act reaches the window', async () => {
    const error = await failure(buy(rig.port, windowTab, { target: 'css=#allow' }));
    expect(error.code, error.message).toBe('page_forbidden');
  });

  it.each<[string, object]>([
    ['tabs.open', { url: APPROVE_URL, active: true }],
    ['tabs.open', { url: `view-source:${APPROVE_URL}`, active: true }],
    ['fetch.file', { url: APPROVE_URL }],
  ])('%s %j does not open its page', async (method, params) => {
    const error = await failure(rig.port.start(method, params).result);
    expect(['url_not_allowed', 'invalid_argument', 'approval_required']).toContain(error.code);
  });

  it('a site cannot lead to its page, open it, frame it, fetch it, load its script or speak to the extension', async () => {
    const away = await tab(`${shop.origin}/away`);
    expect(away.url()).not.toBe(APPROVE_URL);
    const framed = await tab(`${shop.origin}/framed`);
    expect(framed.frames().filter((frame) => frame.url() === APPROVE_URL)).toEqual([]);
    const page = await tab(`${shop.origin}/`);
    const own = `chrome-extension://${EXTENSION_ID}/approve.js`;
    const [to, script] = [APPROVE_URL, own].map((url) => JSON.stringify(url));
    for (const attempt of [
      `fetch(${to}).then(() => 'there', () => 'blocked')`,
      `typeof chrome !== 'undefined' && chrome.runtime ? 'there' : 'blocked'`,
      `new Promise((done) => { const script = document.createElement('script'); script.src = ${script}; script.onload = () => done('there'); script.onerror = () => done('blocked'); document.head.append(script); })`,
    ])
      expect(await page.evaluate(attempt), attempt).toBe('blocked');
    for (const attempt of [`window.open(${to}, 'approve', 'popup')`, `location.href = ${to}`])
      await page.evaluate(attempt).catch(() => undefined);
    expect(rig.pages()).toEqual([window]);
  });

  it('its page in an ordinary tab gets no token, and what it sends is refused', async () => {
    const page = await open(APPROVE_URL);
    const [state] = await sendFrom(page, [yes()]);
    await page.close();
    expect(state).toMatchObject({ token: null, question: { id: 'q_submit' } });
    await expect.poll(async () => (await list()).refused.at(-1)?.reason).toBe('not_the_window');
  });

  it.each([
    ['a wrong token', yes(), 'wrong_token'],
    ['no token', yes({ token: undefined }), 'malformed'],
    ['a scope that there is not', yes({ answer: { ...answer, scope: 'everything' } }), 'malformed'],
    ['a grant of its own', yes({ answer: { ...answer, grant: 'g_1' } }), 'malformed'],
    ['arguments that are a list', yes({ answer: { ...answer, args: [] } }), 'malformed'],
  ])('%s from the window itself is refused and noted', async (_what, message, reason) => {
    const before = (await list()).refused.length;
    await sendFrom(window, [message]);
    await expect.poll(async () => (await list()).refused.length).toBe(before + 1);
    expect((await list()).refused.at(-1)).toMatchObject({ reason });
  });

  it('a click, a mouse event and keys of a script in the window press nothing', async () => {
    await rig.live(window);
    await window.evaluate(`(() => {
      const allow = document.querySelector('#allow');
      allow.click();
      allow.dispatchEvent(new MouseEvent('click', { bubbles: true }));
      for (const [key, code] of [['Enter', 'Enter'], [' ', 'Space']])
        for (const type of ['keydown', 'keypress', 'keyup'])
          allow.dispatchEvent(new KeyboardEvent(type, { key, code, bubbles: true }));
    })()`);
    expect(await window.getAttribute('#allow', 'aria-disabled')).toBe('false');
  });
});
