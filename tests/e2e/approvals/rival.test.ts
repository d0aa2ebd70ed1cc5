import type { IncomingMessage, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EXTENSION_ID, HOST_NAME } from '../../../shared/bridge/wire.ts';
import { AskedPerson } from '../../support/asked-person.ts';
import { BUILT_EXTENSION, spawnChromium } from '../../support/browser.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { personRigOf, type PersonRig } from '../../support/person-rig.ts';
import { APPROVE_URL } from './rig.ts';

/* Another extension of the same browser, with the debugger, all hosts and more, tries to say yes in a person's place. */

const RIVAL = resolve(import.meta.dirname, '../../support/rival-extension');
const PAGE = `<title>Shop</title><button id=order>Order</button><button id=free>Look</button><output id=out></output>
  <script>for (const one of document.querySelectorAll('button'))
    one.addEventListener('click', () => out.append('pressed ' + one.id + ';'))</script>`;

function pages(_request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(PAGE);
}

let rig: PersonRig;
let person: AskedPerson;
let acting: Promise<CallAnswer>;
const cancel = new AbortController();

beforeAll(async () => {
  rig = await personRigOf(
    () => spawnChromium({ extension: `${BUILT_EXTENSION},${RIVAL}`, rules: 'person' }),
    pages,
    '--sync-wait-ms',
    '120000',
  );
  person = new AskedPerson(rig.worker);
  await rig.server.call('navigate', { url: rig.at('shop.test') });
  acting = rig.server.call('interact', { steps: ['click css=#order'] }, cancel.signal);
  acting.catch(() => undefined);
  await person.card();
  await rival<null>(`(globalThis.id = '${EXTENSION_ID}', null)`);
});
afterAll(() => cancel.abort());

const rival = <T>(expression: string): Promise<T> => rig.worker.evaluate<T>(expression, '/rival.js');
/** Runs a trick in the rival's worker, where `win` is our tab, `shop` that of the site, and `yes` the message of a yes. */
const tried = (body: string): Promise<string> =>
  rival<string>(`tried(async () => {
    const tabs = await chrome.tabs.query({});
    const win = tabs.find(({ url }) => url === '${APPROVE_URL}');
    const shop = tabs.find(({ url }) => /\\.test:\\d+\\/$/.test(url));
    const yes = { type: 'decide', question: 'q_1', token: 't', answer: { approve: true, scope: 'always' } };
    ${body}
  })`);
const decided = (): Promise<string> =>
  rig.worker.evaluate<string>(`chrome.storage.session.get('questions').then(({ questions }) =>
    JSON.stringify([questions.grants.length, questions.cards.length, questions.ended.length]))`);
const pressed = (): Promise<string> =>
  rig.worker.inPage<string>('/', `document.querySelector('#out').textContent`).then((text) => text ?? '');

/** The rival has the permissions that its tricks need. */
describe('the rival', () => {
  it('attaches its debugger to the site, and presses a button there', async () => {
    const answer = await tried(`
      await chrome.debugger.attach({ tabId: shop.id }, '1.3');
      const { result } = await chrome.debugger.sendCommand({ tabId: shop.id }, 'Runtime.evaluate',
        { expression: "document.querySelector('#free').click(); document.title" });
      await chrome.debugger.detach({ tabId: shop.id });
      return result.value;`);
    expect(answer).toBe('done: "Shop"');
    expect(await pressed()).toBe('pressed free;');
  });
  it('sees our window among the tabs', async () => {
    expect(await tried('return win.url')).toBe(`done: "${APPROVE_URL}"`);
  });
});

const ATTACH = (target: string): string => `
  await chrome.debugger.attach(${target}, '1.3');
  await chrome.debugger.sendCommand(${target}, 'Runtime.evaluate',
    { expression: "document.querySelector('#allow').click()", userGesture: true });`;
const TARGET = (type: string, url: string): string => `
  const target = (await chrome.debugger.getTargets()).find((one) => one.type === '${type}' && one.url.endsWith('${url}'));
  if (target === undefined) throw new Error('It is not listed.');
  ${ATTACH('{ targetId: target.id }')}`;
const INJECT = (world: string): string => `
  await chrome.scripting.executeScript({ target: { tabId: win.id }, world: '${world}',
    func: () => document.querySelector('#allow').click() });`;

describe.each<[string, string]>([
  ['attaches its debugger to our window', ATTACH('{ tabId: win.id }')],
  ['attaches it to our extension', ATTACH(`{ extensionId: '${EXTENSION_ID}' }`)],
  ['attaches it to our window as a target', TARGET('page', 'approve.html')],
  ['attaches it to our worker as a target', TARGET('worker', 'worker.js')],
  [
    'leads a tab to which it is attached to our page',
    `const tab = await chrome.tabs.create({ url: 'about:blank' });
     await chrome.debugger.attach({ tabId: tab.id }, '1.3');
     try {
       await chrome.debugger.sendCommand({ tabId: tab.id }, 'Page.navigate', { url: '${APPROVE_URL}' });
       const { result } = await chrome.debugger.sendCommand({ tabId: tab.id }, 'Runtime.evaluate',
         { expression: "location.href + ' ' + document.querySelector('#allow')" });
       if (!result.value.includes('approve.html')) throw new Error('It is at ' + result.value);
       return result.value;
     } finally { await chrome.tabs.remove(tab.id); }`,
  ],
  ['injects a script into our window', INJECT('ISOLATED')],
  ['injects one into its own world', INJECT('MAIN')],
  [
    'changes how our window looks',
    `await chrome.scripting.insertCSS({ target: { tabId: win.id }, css: '*{opacity:0}' });`,
  ],
  ['connects to us', `return port('approve', [yes]);`],
  ['connects as the side panel does', `return port('panel', [yes]);`],
  ['connects as a page does', `return port('page', [yes]);`],
  ['sends us a message', `return chrome.runtime.sendMessage(id, yes);`],
  ['asks us to show the window', `return chrome.runtime.sendMessage(id, { type: 'show_window' });`],
  ['sends our window a message', `return chrome.tabs.sendMessage(win.id, yes);`],
  ['sends our script in the page a message', `return chrome.tabs.sendMessage(shop.id, yes);`],
  [
    'connects to us from the page',
    `const [{ result }] = await chrome.scripting.executeScript({ target: { tabId: shop.id },
       func: (to) => new Promise((done) => chrome.runtime.sendMessage(to, {}, () => done(chrome.runtime.lastError?.message ?? ''))),
       args: [id] });
     if (result !== '') throw new Error(result);`,
  ],
  ['reads our page', `return (await fetch('${APPROVE_URL}')).text();`],
  ['reads our script', `return (await fetch('chrome-extension://${EXTENSION_ID}/worker.js')).text();`],
  [
    'starts our native host',
    `return new Promise((_, fail) => { const host = chrome.runtime.connectNative('${HOST_NAME}');
     host.onDisconnect.addListener(() => fail(new Error(chrome.runtime.lastError?.message ?? 'closed'))); });`,
  ],
])('the rival %s', (_what, body) => {
  it('is refused, and nothing is decided', async () => {
    expect(await tried(body)).toMatch(/^refused: /);
    expect(await decided()).toBe('[0,1,0]');
    expect(await pressed()).toBe('pressed free;');
  });
});

/** Chrome lets it do these; none of them is an answer. */
describe.each<[string, string]>([
  [
    'reads the storage of its own',
    `const { questions } = await chrome.storage.session.get('questions'); return questions ?? null;`,
  ],
  [
    'opens our page in a tab',
    `const tab = await chrome.tabs.create({ url: '${APPROVE_URL}' }); await chrome.tabs.remove(tab.id);`,
  ],
  [
    'opens our page in a popup',
    `const made = await chrome.windows.create({ url: '${APPROVE_URL}', type: 'popup' }); await chrome.windows.remove(made.id);`,
  ],
  ['copies our tab', `const tab = await chrome.tabs.duplicate(win.id); await chrome.tabs.remove(tab.id);`],
  ['makes our window small', `await chrome.windows.update(win.windowId, { width: 120, height: 120 });`],
  ['moves our window', `await chrome.windows.update(win.windowId, { left: 0, top: 0, focused: true });`],
  [
    'puts a window over ours',
    `const made = await chrome.windows.create({ url: shop.url, type: 'popup', left: 0, top: 0, focused: true }); await chrome.windows.remove(made.id);`,
  ],
  [
    'sends keys and clicks to the site while our window is in front',
    `await chrome.windows.update(win.windowId, { focused: true });
     await chrome.debugger.attach({ tabId: shop.id }, '1.3');
     for (const key of [' ', 'Enter'])
       for (const type of ['keyDown', 'keyUp'])
         await chrome.debugger.sendCommand({ tabId: shop.id }, 'Input.dispatchKeyEvent', { type, key, code: key === ' ' ? 'Space' : key });
     await chrome.debugger.detach({ tabId: shop.id });`,
  ],
  ['loads our window again', `await chrome.tabs.reload(win.id);`],
])('the rival %s', (_what, body) => {
  it('and nothing is decided by it', async () => {
    await tried(body);
    expect(await decided()).toBe('[0,1,0]');
    expect(await pressed()).not.toContain('order');
    await person.card();
  });
});

it('a person still decides, once', async () => {
  await person.allow();
  expect((await acting).text).toContain('pressed order;');
  expect(await decided()).toBe('[1,0,1]');
});

const MOVE = `await chrome.tabs.move(win.id, { windowId: shop.windowId, index: -1 });`;
const LEAD = `await chrome.tabs.update(win.id, { url: shop.url + '?led' });`;
const CLOSE = `await chrome.windows.remove(win.windowId);`;
const windowIsOpen = (): Promise<boolean> =>
  rig.worker.evaluate<boolean>(
    `chrome.storage.session.get('questions').then(({ questions }) => questions.window !== null)`,
  );
const badge = (): Promise<string> => rig.worker.evaluate<string>(`chrome.action.getBadgeText({})`);

/** Ours is taken away while a question is open. */
describe('a window that the rival takes away', () => {
  let asking: Promise<CallAnswer>;
  let left: AbortController;
  let before: number;
  let site = 0;
  beforeEach(async () => {
    // Each on a site of its own: what was dismissed on another one counts nothing here.
    await rig.server.call('navigate', { url: rig.at(`taken${(site += 1)}.test`) });
    before = (await pressed()).split('pressed order').length;
    left = new AbortController();
    asking = rig.server.call('interact', { steps: ['click css=#order'] }, left.signal);
    asking.catch(() => undefined);
    await person.card();
  });
  /** The question is still there, and nothing was done. */
  const expectUndecided = async (): Promise<void> => {
    expect(await badge()).toBe('1');
    expect((JSON.parse(await decided()) as number[])[1]).toBe(1);
    expect((await pressed()).split('pressed order')).toHaveLength(before);
  };
  /** The agent does not want it any longer. */
  const leave = async (): Promise<void> => {
    left.abort();
    await expect.poll(async () => (JSON.parse(await decided()) as number[])[1]).toBe(0);
    expect((await pressed()).split('pressed order')).toHaveLength(before);
  };
  const end = async (): Promise<void> => {
    await person.allow();
    expect((await asking).text).toContain('pressed order;');
    expect((await pressed()).split('pressed order')).toHaveLength(before + 1);
  };

  it.each([
    ['moves its tab', MOVE],
    ['leads its tab elsewhere', LEAD],
  ])('that %s opens again, and decides', async (_what, taken) => {
    expect(await tried(taken)).toMatch(/^done/);
    await expect.poll(windowIsOpen).toBe(true);
    // What the rival has taken shows what is asked, and decides nothing.
    await tried(`for (const { id, windowId } of tabs.filter(({ url }) => url === win.url))
      if (windowId === shop.windowId) await chrome.tabs.remove(id);`);
    await expectUndecided();
    await person.card();
    await end();
  });

  it('twice from one question stays away; another kind of question opens it', async () => {
    expect(await tried(LEAD)).toMatch(/^done/);
    await expect.poll(windowIsOpen).toBe(true);
    await person.card();
    expect(await tried(LEAD)).toMatch(/^done/);
    await expect.poll(windowIsOpen).toBe(false);
    await expectUndecided();
    const other = rig.server.call('network', { action: 'start' }, left.signal);
    other.catch(() => undefined);
    await expect.poll(windowIsOpen).toBe(true);
    await leave();
  });

  it('by closing it is not opened for what it showed, but asks for what comes next', async () => {
    expect(await tried(CLOSE)).toMatch(/^done/);
    await expect.poll(windowIsOpen).toBe(false);
    await expectUndecided();
    const other = rig.server.call('network', { action: 'start' }, left.signal);
    other.catch(() => undefined);
    await expect.poll(windowIsOpen).toBe(true);
    await leave();
  });

  it('by making it small as an icon is shown again by the next question', async () => {
    const minimise = `await chrome.windows.update(win.windowId, { state: 'minimized' });`;
    expect(await tried(minimise)).toMatch(/^done/);
    await expectUndecided();
    const next = rig.server.call('interact', { steps: ['click css=#free'] }, left.signal);
    next.catch(() => undefined);
    await expect
      .poll(() => tried('return (await chrome.windows.get(win.windowId)).state;'))
      .not.toContain('minimized');
    await leave();
  });

  it('cannot be put where nobody sees it', async () => {
    expect(await tried(`await chrome.windows.update(win.windowId, { left: 90000, top: 90000 });`)).toMatch(
      /^refused: /,
    );
    await expectUndecided();
    await end();
  });
});
