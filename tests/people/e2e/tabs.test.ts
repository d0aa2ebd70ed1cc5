import { itDeep, sample } from '../../support/depth.ts';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { AskedPerson } from '../../support/asked-person.ts';
import { PATIENCE } from '../../support/patience.ts';
import { askedOn, type PersonRig } from '../../support/person-rig.ts';
import { startServer } from '../../support/stdio-server.ts';

const MAIL = `<title>Inbox</title><h1>Mail</h1><label>Message <textarea></textarea></label>
  <button onclick="this.textContent = 'Sent'">Send</button> <a target=_blank href="/popup">More</a>`;

let rig: PersonRig;
let person: AskedPerson;
/** The person's tab, and its id for agents. */
let mine: number;
let tab: string;
beforeAll(async () => ({ rig, person } = await askedOn(MAIL, '--sync-wait-ms', '60000')));
beforeEach(async () => {
  await closeAll();
  mine = await openMine('mail.test');
  tab = `b1:${mine}`;
});

/** Runs in the worker. */
const inWorker = <T>(expression: string): Promise<T> =>
  rig.worker.evaluate<T>(`(async () => ${expression})()`);
async function openMine(host: string): Promise<number> {
  const id = await inWorker<number>(`(await chrome.tabs.create({ url: '${rig.at(host)}' })).id`);
  // The blank page before it is complete, too.
  const state = `chrome.tabs.get(${id}).then(({ status, url }) => status + ' ' + url)`;
  await expect.poll(() => rig.worker.evaluate(state), PATIENCE).toBe(`complete ${rig.at(host)}`);
  return id;
}
const closeAll = (): Promise<unknown> =>
  inWorker(`{
    const blank = await chrome.tabs.create({});
    for (const { id } of await chrome.tabs.query({})) if (id !== blank.id) await chrome.tabs.remove(id).catch(() => null);
  }`);
const urlOfMine = (): Promise<string> => inWorker(`(await chrome.tabs.get(${mine})).url`);

const listed = async (action = 'list', by = rig.server) =>
  (await rig.ok('tabs', { action }, by)).json<{ tabs: Record<string, unknown>[]; others?: number }>();

/** The person presses a button of the card that a call raises, which has these texts. */
async function decided(button: string, ...texts: readonly string[]): Promise<void> {
  const card = await person.card();
  for (const text of texts) expect(card).toContain(text);
  await person.press(button);
  await person.isLeftAlone();
}

async function lend(): Promise<void> {
  const { others } = await listed();
  const borrowing = rig.ok('tabs', { action: 'borrow', tab, reason: 'To sort your mail.' });
  await person.card();
  // The approval window is not counted.
  expect((await listed()).others).toBe(others);
  await decided('#allow', 'Lend this tab?', 'test-agent', 'mail.test', 'Inbox', 'To sort your mail.');
  await borrowing;
}

it('lists its own tabs and the number of others, whose addresses the person allows once for a session', async () => {
  const own = await rig.openTab(rig.at('own.test'));
  await openMine('www.paypal.com.test');
  const other = await startServer({ env: rig.browser.serverEnv });
  await rig.openTab(rig.at('other-agent.test'), other);
  const before = await listed();
  expect(before.tabs).toMatchObject([{ tab: own }]);
  expect(before.others).toBe(3);
  expect(JSON.stringify(before)).not.toContain('mail.test');
  await rig.setRules([{ id: 'guarded', sites: ['www.paypal.com.test'], risks: ['read'], effect: 'ask' }]);
  const asking = listed('list_all');
  await decided('#allow', 'Show which tabs you have open?');
  const { tabs } = await asking;
  expect(tabs).toContainEqual(expect.objectContaining({ tab, title: 'Inbox', not_given: true }));
  expect(JSON.stringify(tabs)).not.toMatch(/paypal|other-agent/);
  expect((await listed('list_all')).tabs).toHaveLength(tabs.length);
  await other.close();
  await rig.setRules([]);
});

it.each<[string, object]>(
  sample(
    [
      ['navigate', { url: 'http://other.test/' }],
      ['navigate', { action: 'reload' }],
      ['tabs', { action: 'close' }],
      ['tabs', { action: 'activate' }],
      ['read_page', {}],
      ['screenshot', {}],
      ['interact', { steps: ['click text=Send'] }],
      ['evaluate', { code: '() => document.title' }],
      ['emulate', { touch: true }],
      ['network', { action: 'start' }],
    ],
    5,
  ),
)('a no keeps a tab from %s %o, with what was typed', async (tool, args) => {
  await inWorker(`(await chrome.scripting.executeScript({ target: { tabId: ${mine} },
    func: () => { document.querySelector('textarea').value = 'Dear'; } }), null)`);
  const calling = rig.server.call(tool, { tab, ...args });
  await decided('#deny', 'Lend this tab?', 'mail.test', 'Text is typed in', 'Message');
  const answer = await calling;
  expect(answer.code()).toBe('call_denied');
  expect(answer.text).not.toContain('mail.test');
  expect(
    await inWorker(`(await chrome.scripting.executeScript({ target: { tabId: ${mine} },
    func: () => document.querySelector('textarea').value + document.querySelector('button').textContent }))[0].result`),
  ).toBe('DearSend');
});

it('a loan is for reading and opening pages; acting asks for that tab, whatever is allowed on its site', async () => {
  const own = await rig.openTab(rig.at('mail.test'));
  const acting = rig.ok('interact', { tab: own, steps: ['click text=Send'] });
  await decided('#allow-session', 'Act for you on this page?');
  await acting;
  await rig.ok('interact', { tab: own, steps: ['click text=Sent'] });
  await lend();
  expect((await rig.ok('read_page', { tab })).text).toContain('Mail');
  expect((await listed()).tabs).toContainEqual(expect.objectContaining({ tab, lent: true }));
  const inMine = rig.ok('interact', { tab, steps: ['click text=Send'] });
  await decided('#allow', 'Act for you on this page?', 'Allow for this session', 'in this tab only');
  await inMine;
  await rig.ok('interact', { tab, steps: ['click text=Sent'] });
});

it('the active tab is asked for, for one call', async () => {
  const reading = rig.ok('read_page', { tab: 'active' });
  await decided('#allow-once', 'Lend this tab?', 'Read all text');
  expect((await reading).text).toContain('Mail');
  const again = rig.server.call('read_page', { tab });
  await decided('#deny', 'Lend this tab?');
  expect((await again).code()).toBe('call_denied');
});

itDeep('a loan for one call does not do for what outlasts the call', async () => {
  const starting = rig.server.call('emulate', { tab, touch: true });
  await decided('#allow-once', 'Lend this tab?');
  expect((await starting).json()).toMatchObject({
    error: { code: 'tab_not_given', hint: expect.stringContaining('for the session') },
  });
});

itDeep('leaving the page of a lent tab with typed text, and closing one, ask again', async () => {
  await lend();
  await rig.ok('navigate', { tab, url: rig.at('mail.test', '/2') });
  await rig.worker.clickInPage('/2', `{ const field = document.querySelector('textarea'); field.focus(); }`);
  await rig.worker.typeIn('/2', 'Dear');
  const leaving = rig.server.call('navigate', { tab, url: rig.at('mail.test', '/3') });
  await decided('#deny', 'Open this page?', 'Text is typed in', 'Message');
  expect((await leaving).code()).toBe('call_denied');
  expect(await urlOfMine()).toBe(rig.at('mail.test', '/2'));
  const closing = rig.server.call('tabs', { action: 'close', tab });
  await decided('#allow', 'Close this tab of yours?', 'Close the tab.');
  expect((await closing).text).toContain('closed');
});

it('a lent tab goes back when the person goes to another site, and not with the agent', async () => {
  await lend();
  await rig.ok('navigate', { tab, url: rig.at('second.test') });
  await rig.ok('read_page', { tab });
  // The next worker knows of no call: as long after the last one.
  await rig.worker.end();
  await expect.poll(() => inWorker('typeof chrome').catch(() => null), PATIENCE).toBe('object');
  await inWorker(`void (await chrome.tabs.update(${mine}, { url: '${rig.at('bank.test')}' }))`);
  await expect.poll(async () => (await listed()).tabs, PATIENCE).toEqual([]);
  expect(await rig.failed('read_page', { tab })).toMatchObject({
    code: 'tab_not_given',
    hint: expect.stringContaining('borrow'),
  });
});

itDeep(
  'what a lent tab opens for the agent is lent and returned with it, and not what the person opens',
  async () => {
    await lend();
    await rig.worker.clickInPage('/', `void open('${rig.at('mail.test', '/by-hand')}')`);
    const opened = (path: string): Promise<number> =>
      inWorker(`((await chrome.tabs.query({ url: '*://mail.test/${path}*' }))[0]?.id ?? 0)`);
    await expect.poll(() => opened('by-hand'), PATIENCE).not.toBe(0);
    const acting = rig.ok('interact', { tab, steps: ['click text=More'] });
    await decided('#allow', 'Act for you on this page?');
    await acting;
    const popup = `b1:${await opened('popup')}`;
    await rig.ok('read_page', { tab: popup });
    const ids = async (): Promise<unknown[]> => (await listed()).tabs.map((one) => one['tab']);
    expect(await ids()).toEqual([tab, popup]);
    await inWorker(`void (await chrome.tabs.remove(${mine}))`);
    await expect.poll(ids, PATIENCE).toEqual([]);
  },
);

itDeep(
  'a session that ends has returned its loans, and its own tabs go on with the next of its agent',
  async () => {
    const options = { env: rig.browser.serverEnv, clientName: 'guest', args: ['--sync-wait-ms', '60000'] };
    const first = await startServer(options);
    const own = await rig.openTab(rig.at('own.test'), first);
    const asking = rig.ok('tabs', { action: 'borrow', tab }, first);
    await decided('#allow', 'guest');
    await asking;
    await first.close();
    const second = await startServer({ ...options, home: first.home });
    await expect
      .poll(async () => (await second.call('read_page', { tab: own })).isError, PATIENCE)
      .toBe(false);
    expect((await listed('list', second)).tabs).toMatchObject([{ tab: own }]);
    const reading = second.call('read_page', { tab });
    await decided('#deny', 'Lend this tab?');
    expect((await reading).code()).toBe('call_denied');
    await second.close();
  },
);

itDeep(
  'a worker that ends between card and yes asks again for what it lost, and does nothing before',
  async () => {
    const closing = rig.server.call('tabs', { action: 'close', tab });
    await person.card();
    await rig.worker.end();
    await decided('#deny', 'Lend this tab?');
    expect((await closing).isError).toBe(true);
    expect(await urlOfMine()).toBe(rig.at('mail.test'));
  },
);

itDeep('bringing a tab to the front asks', async () => {
  const own = await rig.openTab(rig.at('own.test'));
  const showing = rig.ok('tabs', { action: 'activate', tab: own });
  await decided('#allow', 'Bring a tab to the front?');
  await showing;
  const opening = rig.server.call('tabs', { action: 'open', url: rig.at('own.test'), activate: true });
  await decided('#deny', 'Bring a tab to the front?');
  expect((await opening).code()).toBe('call_denied');
});
