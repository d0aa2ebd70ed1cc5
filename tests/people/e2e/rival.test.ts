import { resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itDeep, sample } from '../../support/depth.ts';
import { EXTENSION_ID, HOST_NAME } from '../../../shared/core/bridge/wire.ts';
import { AskedPerson } from '../../support/asked-person.ts';
import { BUILT_EXTENSION, spawnChromium } from '../../support/browser.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { personRigOf, type PersonRig } from '../../support/person-rig.ts';
import { APPROVE_URL } from './rig.ts';

/*
 * Another extension in the same browser, with the debugger, all hosts and more, tries to say yes in the person's place.
 */

const RIVAL = resolve(import.meta.dirname, '../../support/rival-extension');
const PAGE = `<title>Shop</title><button id=order>Order</button><button id=free>Look</button><output id=out></output>
  <script>for (const one of document.querySelectorAll('button'))
    one.addEventListener('click', () => out.append('pressed ' + one.id + ';'))</script>`;

let rig: PersonRig;
let person: AskedPerson;
let acting: Promise<CallAnswer>;
const cancel = new AbortController();

beforeAll(async () => {
  rig = await personRigOf(
    () => spawnChromium({ extension: `${BUILT_EXTENSION},${RIVAL}`, rules: 'person' }),
    (_request, response) => void response.end(PAGE),
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

it('the rival has the permissions that its tricks need: it presses a button of the site, and sees our window', async () => {
  const answer = await tried(`
    await chrome.debugger.attach({ tabId: shop.id }, '1.3');
    await chrome.debugger.sendCommand({ tabId: shop.id }, 'Runtime.evaluate',
      { expression: "document.querySelector('#free').click()" });
    await chrome.debugger.detach({ tabId: shop.id });
    return win.url;`);
  expect(answer).toBe(`done: "${APPROVE_URL}"`);
  expect(await pressed()).toBe('pressed free;');
});

const ATTACH = (target: string): string => `
  await chrome.debugger.attach(${target}, '1.3');
  await chrome.debugger.sendCommand(${target}, 'Runtime.evaluate',
    { expression: "document.querySelector('#allow').click()", userGesture: true });`;

it.each(
  Object.entries({
    'attaches its debugger to our window': ATTACH('{ tabId: win.id }'),
    'attaches it to our extension': ATTACH(`{ extensionId: '${EXTENSION_ID}' }`),
    'attaches it to our worker as a target': `const target = (await chrome.debugger.getTargets()).find((one) => one.type === 'worker' && one.url.endsWith('worker.js'));
     if (target === undefined) throw new Error('It is not listed.');
     ${ATTACH('{ targetId: target.id }')}`,
    'leads a tab to which it is attached to our page': `const tab = await chrome.tabs.create({ url: 'about:blank' });
     await chrome.debugger.attach({ tabId: tab.id }, '1.3');
     try {
       await chrome.debugger.sendCommand({ tabId: tab.id }, 'Page.navigate', { url: '${APPROVE_URL}' });
       const { result } = await chrome.debugger.sendCommand({ tabId: tab.id }, 'Runtime.evaluate',
         { expression: "location.href + ' ' + document.querySelector('#allow')" });
       if (!result.value.includes('approve.html')) throw new Error('It is at ' + result.value);
       return result.value;
     } finally { await chrome.tabs.remove(tab.id); }`,
    'injects a script into our window': `await chrome.scripting.executeScript({ target: { tabId: win.id },
       func: () => document.querySelector('#allow').click() });`,
    'connects to us': `return port('approve', [yes]);`,
    'connects as the side panel does': `return port('panel', [yes]);`,
    'sends us a message': `return chrome.runtime.sendMessage(id, yes);`,
    'sends our window a message': `return chrome.tabs.sendMessage(win.id, yes);`,
    'connects to us from the page': `const [{ result }] = await chrome.scripting.executeScript({ target: { tabId: shop.id },
       func: (to) => new Promise((done) => chrome.runtime.sendMessage(to, {}, () => done(chrome.runtime.lastError?.message ?? ''))),
       args: [id] });
     if (result !== '') throw new Error(result);`,
    'reads our page': `return (await fetch('${APPROVE_URL}')).text();`,
    'starts our native host': `return new Promise((_, fail) => { const host = chrome.runtime.connectNative('${HOST_NAME}');
     host.onDisconnect.addListener(() => fail(new Error(chrome.runtime.lastError?.message ?? 'closed'))); });`,
  }),
)('the rival %s: it is refused, and nothing is decided', async (_what, body) => {
  expect(await tried(body)).toMatch(/^refused: /);
  expect(await decided()).toBe('[0,1,0]');
  expect(await pressed()).toBe('pressed free;');
});

/** Chrome lets it do these; none of them is an answer. */
it.each(
  Object.entries({
    'reads the storage of its own': `const { questions } = await chrome.storage.session.get('questions'); return questions ?? null;`,
    'opens our page in a tab': `const tab = await chrome.tabs.create({ url: '${APPROVE_URL}' }); await chrome.tabs.remove(tab.id);`,
    'copies our tab': `const tab = await chrome.tabs.duplicate(win.id); await chrome.tabs.remove(tab.id);`,
    'sends keys and clicks to the site while our window is in front': `await chrome.windows.update(win.windowId, { focused: true });
     await chrome.debugger.attach({ tabId: shop.id }, '1.3');
     for (const key of [' ', 'Enter'])
       for (const type of ['keyDown', 'keyUp'])
         await chrome.debugger.sendCommand({ tabId: shop.id }, 'Input.dispatchKeyEvent', { type, key, code: key === ' ' ? 'Space' : key });
     await chrome.debugger.detach({ tabId: shop.id });`,
    // A press on the page before would be lost.
    'loads our window again': `const loaded = new Promise((done) => chrome.tabs.onUpdated.addListener(
       (id, { status }) => id === win.id && status === 'complete' && done()));
     await chrome.tabs.reload(win.id);
     await loaded;`,
  }),
)('the rival %s, and nothing is decided by it', async (_what, body) => {
  await tried(body);
  expect(await decided()).toBe('[0,1,0]');
  expect(await pressed()).not.toContain('order');
  await person.card();
});

it('a person still decides, once', async () => {
  await person.allow();
  expect((await acting).text).toContain('pressed order;');
  expect(await decided()).toBe('[1,0,1]');
});

const windowId = (): Promise<number | null> =>
  rig.worker.evaluate<number | null>(
    `chrome.storage.session.get('questions').then(({ questions }) => questions.window?.id ?? null)`,
  );

/** Our window is taken away while a question is open. */
describe('a window that the rival takes away', () => {
  let asking: Promise<CallAnswer>;
  let before: number;
  let site = 0;
  beforeEach(async () => {
    // Each on a site of its own: dismissals on other sites do not count here.
    await rig.server.call('navigate', { url: rig.at(`taken${(site += 1)}.test`) });
    before = (await pressed()).split('pressed order').length;
    asking = rig.server.call('interact', { steps: ['click css=#order'] }, cancel.signal);
    asking.catch(() => undefined);
    await person.card();
  });
  const expectUndecided = async (): Promise<void> => {
    expect(await rig.worker.evaluate<string>(`chrome.action.getBadgeText({})`)).toBe('1');
    expect((JSON.parse(await decided()) as number[])[1]).toBe(1);
    expect((await pressed()).split('pressed order')).toHaveLength(before);
  };
  const end = async (): Promise<void> => {
    await person.allow();
    expect((await asking).text).toContain('pressed order;');
    expect((await pressed()).split('pressed order')).toHaveLength(before + 1);
  };

  it.each(
    sample(
      [
        ['moves its tab', `await chrome.tabs.move(win.id, { windowId: shop.windowId, index: -1 });`],
        ['leads its tab elsewhere', `await chrome.tabs.update(win.id, { url: shop.url + '?led' });`],
      ] as const,
      2,
    ),
  )('that %s opens again, and decides', async (_what, taken) => {
    const gone = [null, await windowId()];
    expect(await tried(taken)).toMatch(/^done/);
    // The one that was taken stays listed until the worker has noticed.
    await expect.poll(async () => gone.includes(await windowId())).toBe(false);
    // The page that the rival took shows the question, and cannot decide it.
    await tried(`for (const { id, windowId } of tabs.filter(({ url }) => url === win.url))
      if (windowId === shop.windowId) await chrome.tabs.remove(id);`);
    await expectUndecided();
    await person.card();
    await end();
  });

  itDeep('cannot be put where nobody sees it', async () => {
    expect(await tried(`await chrome.windows.update(win.windowId, { left: 90000, top: 90000 });`)).toMatch(
      /^refused: /,
    );
    await expectUndecided();
    await end();
  });
});
