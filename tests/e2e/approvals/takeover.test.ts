import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { CallAnswer } from '../../support/call-tool.ts';
import { PATIENCE } from '../../support/patience.ts';
import { personRig, type PersonRig } from '../../support/person-rig.ts';
import { TakeoverPerson } from '../../support/takeover-person.ts';

const ENTRY = join(import.meta.dirname, '../../../dist/index.js');
const SECRET = 'correct-horse-7731-battery';
/** It tells everyone what is typed: its console, its requests, its title. */
const LOGIN = `<title>Log in</title><h1>Log in</h1>
  <form id=form><input id=name aria-label="Name"><input id=password type=password aria-label="Password"><button id=go>Log in</button></form>
  <script>
    password.oninput = () => { console.log('typed ' + password.value); document.title = 'typed ' + password.value; };
    form.onsubmit = async (event) => {
      event.preventDefault();
      await fetch('/session?by=' + encodeURIComponent(password.value), { method: 'POST', body: password.value });
      location.href = '/welcome';
    };
  </script>`;
const WELCOME = `<title>Welcome</title><h1>Welcome, Ada</h1><button id=order>Order</button>
  <script>order.onclick = () => fetch('/ordered').then(() => order.append(' done'))</script>`;

/** Answers that wait until a test lets them go. */
const late: ServerResponse[] = [];

function pages(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/late') return void late.push(response);
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(request.url === '/login' ? LOGIN : request.url === '/welcome' ? WELCOME : 'ok');
}

/** Acts are not asked about here. */
const OPEN = { id: 'open', effect: 'allow' } as const;

let rig: PersonRig;
let person: TakeoverPerson;
let host = 0;
let url = '';
let tab = '';

beforeAll(async () => {
  rig = await personRig(pages, '--sync-wait-ms', '60000');
  await rig.setRules([OPEN]);
  person = new TakeoverPerson(rig.worker);
});
afterEach(() => person.isLeftAlone());

const call = (name: string, args: Record<string, unknown> = {}): Promise<CallAnswer> =>
  rig.server.call(name, args);
async function ok(name: string, args: Record<string, unknown> = {}): Promise<string> {
  const answer = await call(name, args);
  expect(answer.isError, answer.text).toBe(false);
  return answer.text;
}
const takeOver = (more: Record<string, unknown> = {}): Promise<CallAnswer> =>
  call('request_human_input', { type: 'takeover', message: 'Please log in.', tab, ...more });
const answerOf = async (asking: Promise<CallAnswer>): Promise<Record<string, unknown>> => {
  const { isError, text } = await asking;
  expect(isError, text).toBe(false);
  return JSON.parse(text) as Record<string, unknown>;
};

/** A log-in page in a tab of its own. */
async function open(path = '/login'): Promise<void> {
  url = rig.at(`shop${(host += 1)}.test`, path);
  const opened = await ok('tabs', { action: 'open', url });
  tab = /b1:\d+/.exec(opened)?.[0] ?? '';
}

/** What the person does in the page. */
async function logIn(): Promise<void> {
  await person.type(url, { field: '#name', text: 'Ada' });
  await person.type(url, { field: '#password', text: SECRET });
  await rig.worker.clickInPage(url, 'document.querySelector("#go").click()');
  await vi.waitFor(async () => {
    const title = await rig.worker.inPage<string>(url.replace('/login', '/welcome'), 'document.title');
    if (title !== 'Welcome') throw new Error('Not logged in.');
  }, PATIENCE);
}

const ledger = (...args: string[]): string =>
  execFileSync(process.execPath, [ENTRY, 'ledger', ...args, '--home', rig.server.home], { encoding: 'utf8' });

/** Whether a debugger is attached to the tab: a second one cannot be. */
const isAttached = (): Promise<boolean> =>
  rig.worker.evaluate(`(() => {
    const target = { tabId: ${tab.split(':')[1]} };
    return chrome.debugger.attach(target, '1.3').then(
      () => chrome.debugger.detach(target).then(() => false),
      (error) => String(error).includes('Another debugger'),
    );
  })()`);

it('a person logs in, and nothing of what they type is recorded anywhere', async () => {
  await open();
  await ok('network', { action: 'start', tab });
  expect(await isAttached()).toBe(true);
  const asking = takeOver();
  const card = await person.card();
  expect(card).toContain('test-agent');
  expect(card).toContain(new URL(url).host);
  expect(card).toContain('Please log in.');
  for (const [name, args] of [
    ['read_page', {}],
    ['interact', { steps: ['click css=#go'] }],
    ['screenshot', {}],
    ['console', {}],
    ['navigate', { url: 'about:blank' }],
    ['find', { query: 'Password' }],
  ] as const) {
    const answer = await call(name, { tab, ...args });
    expect(answer.text, name).toContain('person_has_tab');
  }
  expect(await isAttached()).toBe(false);
  await logIn();
  await ok('oc_evidence_bundle', { tab });
  const listed = await ok('tabs', { action: 'list' });
  expect(listed).not.toContain('/welcome');
  const during = await call('network', { action: 'slice', tab });
  expect(during.notes).toContain('still has it');
  expect(during.text).not.toContain('/session');
  await person.press('done');
  const { origin } = new URL(url);
  expect(await answerOf(asking)).toMatchObject({
    outcome: 'done',
    by: 'person',
    where: 'window',
    origin,
    tab,
  });
  expect(await ok('read_page', { tab, format: 'text' })).toContain('Welcome, Ada');
  const receipt = await ok('interact', { tab, steps: ['click css=#order'] });
  expect(receipt).toContain('Order done');
  const slice = await call('network', { action: 'slice', tab });
  expect(slice.text).toContain('/ordered');
  expect(slice.text).not.toContain('/session');
  expect(slice.notes).toMatch(/a person took it over at .* until /);
  const act = /act (a\d+)/.exec(receipt)?.[1];
  expect((await call('network', { action: 'slice', tab, since_act: act })).text).not.toContain('/session');
  await ok('console', { tab });
  await ok('oc_evidence_bundle', { tab });
  await ok('oc_journal', {});
  expect(rig.server.said()).not.toContain(SECRET);
  const files = readdirSync(rig.server.home, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  expect(files.length).toBeGreaterThan(3);
  for (const file of files)
    expect(readFileSync(join(file.parentPath, file.name)).includes(SECRET), file.name).toBe(false);
});

it('a tab that was just opened is handed over once it shows its page', async () => {
  await open('/late');
  await vi.waitFor(() => expect(late).toHaveLength(1), PATIENCE);
  const asking = takeOver();
  // Answered after the worker has taken the request before.
  await ok('tabs', { action: 'list' });
  late[0]?.end(LOGIN);
  const card = await person.card();
  expect(card).toContain(new URL(url).host);
  await person.press('done');
  expect(await answerOf(asking)).toMatchObject({ outcome: 'done', origin: new URL(url).origin });
  await expect
    .poll(() => ledger('show', '--site', new URL(url).hostname, '--json'))
    .toContain('takeover_end');
});

it('what the page shows ends it, by itself', async () => {
  await open();
  const asking = takeOver({ until: { text: 'Welcome, Ada' } });
  expect(await person.card()).toContain('the page shows Welcome, Ada.');
  await logIn();
  expect(await answerOf(asking)).toMatchObject({ outcome: 'done', by: 'page' });
});

it('a person who declines says why', async () => {
  await open();
  const asking = takeOver();
  await person.decline('I do not know the password.');
  expect(await answerOf(asking)).toMatchObject({
    outcome: 'declined',
    where: 'window',
    reason: 'I do not know the password.',
  });
});

it('the tab comes to the front when the person wants to see it, and the time limit ends it', async () => {
  await open();
  const asking = takeOver({ timeout_ms: 5_000 });
  await person.press('show');
  await vi.waitFor(async () => {
    const shown = await rig.worker.inPage<string>(url, 'document.visibilityState');
    if (shown !== 'visible') throw new Error('Not shown.');
  }, PATIENCE);
  expect(await answerOf(asking)).toMatchObject({ outcome: 'timeout' });
});

it('nobody who acts on the card or turns to the tab is there', async () => {
  await open();
  const asking = takeOver({ timeout_ms: 5_000 });
  expect(await answerOf(asking)).toMatchObject({ outcome: 'nobody_there' });
});

it('a closed window leaves the tab with the person, and its end by the page counts', async () => {
  await open();
  const asking = takeOver({ until: { url: '/welcome' } });
  await person.closeWindow();
  await logIn();
  expect(await answerOf(asking)).toMatchObject({ outcome: 'done', by: 'page' });
});

it('a tab that is closed ends it', async () => {
  await open();
  const asking = takeOver();
  await person.card();
  await rig.worker.evaluate(`chrome.tabs.remove(${tab.split(':')[1]}).then(() => null)`);
  expect(await answerOf(asking)).toMatchObject({ outcome: 'tab_closed' });
});

it('a cancelled call gives the tab back to the agent', async () => {
  await open();
  const cancel = new AbortController();
  const asking = rig.server.call(
    'request_human_input',
    { type: 'takeover', message: 'Log in', tab },
    cancel.signal,
  );
  await person.card();
  cancel.abort();
  await expect(asking).rejects.toThrow();
  await person.isLeftAlone();
  await expect.poll(async () => (await call('read_page', { tab, format: 'text' })).text).toContain('Log in');
});

it('a worker that is ended midway keeps it, and nothing is captured by the next one', async () => {
  await open();
  await ok('network', { action: 'start', tab });
  const asking = takeOver();
  await person.card();
  await rig.worker.end();
  await person.card();
  const refusal = await vi.waitFor(async () => {
    const code = (await call('read_page', { tab })).code();
    if (code === 'browser_disconnected') throw new Error('The worker is not back.');
    return code;
  }, PATIENCE);
  expect(refusal).toBe('person_has_tab');
  await logIn();
  await person.press('done');
  expect(await answerOf(asking)).toMatchObject({ outcome: 'done', by: 'person' });
  const slice = await call('network', { action: 'slice', tab });
  expect(slice.text).not.toContain('/session');
});

it('the same request joins, and another one about the tab is refused', async () => {
  await open();
  const first = takeOver();
  await person.card();
  const second = takeOver();
  expect((await takeOver({ message: 'Something else.' })).code()).toBe('person_has_tab');
  await person.press('done');
  expect(await answerOf(first)).toMatchObject({ outcome: 'done' });
  expect(await answerOf(second)).toMatchObject({ outcome: 'done' });
});

it('pages of the browser and of the extension are refused', async () => {
  const own = await ownTab();
  const answer = await call('request_human_input', { type: 'takeover', message: 'Look', tab: own });
  // The person of the next test would look there.
  await rig.worker.evaluate(`chrome.tabs.remove(${own.split(':')[1]}).then(() => null)`);
  expect(answer.code()).toBe('page_forbidden');
});

async function ownTab(): Promise<string> {
  const id = await rig.worker.evaluate<number>(
    `chrome.tabs.create({ url: chrome.runtime.getURL('approve/approve.html'), active: false }).then(({ id }) => id)`,
  );
  await vi.waitFor(async () => {
    const shown = await rig.worker.evaluate<string>(`chrome.tabs.get(${id}).then(({ url }) => url)`);
    if (!shown.includes('approve')) throw new Error('Not loaded.');
  }, PATIENCE);
  return `b1:${id}`;
}

it('a page that may not be read cannot be taken over', async () => {
  await open();
  await rig.setRules([
    OPEN,
    { id: 'closed', sites: [new URL(url).hostname], risks: ['read'], effect: 'deny' },
  ]);
  const answer = await takeOver();
  await rig.setRules([OPEN]);
  expect(answer.code()).toBe('policy_denied');
});

it('the ledger has who asked, where, and how it ended', async () => {
  await open();
  const asking = takeOver();
  await person.press('done');
  await asking;
  const { hostname } = new URL(url);
  await expect.poll(() => ledger('show', '--site', hostname, '--json')).toContain('takeover_end');
  const lines = ledger('show', '--site', hostname, '--json');
  expect(lines).toContain('"takeover"');
  expect(lines).toContain('test-agent');
  expect(lines).toContain('"done"');
  expect(lines).toContain('"window"');
  expect(ledger('verify')).toContain('intact');
});
