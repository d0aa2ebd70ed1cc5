import { afterEach, expect, it, vi } from 'vitest';
import { spawnChromium } from '../../support/browser.ts';
import { filesBelow, readIfThere } from '../../support/planted-secrets.ts';
import { itDeep, sample } from '../../support/depth.ts';
import { PATIENCE } from '../../support/patience.ts';
import { personRigOf, personRig, type PersonRig } from '../../support/person-rig.ts';
import { TakeoverPerson } from '../../support/takeover-person.ts';
import { ledgerOf } from './asked.ts';
import { gunzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import type { RequestListener } from 'node:http';
import type { CallAnswer } from '../../support/call-tool.ts';

const SECRET = 'correct-horse-7731-battery';

/** It leaks everything typed: to its console, its requests, its title. */
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

const OPEN = { id: 'open', effect: 'allow' } as const;

class AskingAgent {
  constructor(readonly rig: PersonRig) {}

  call(name: string, args: Record<string, unknown> = {}): Promise<CallAnswer> {
    return this.rig.server.call(name, args);
  }

  async ok(name: string, args: Record<string, unknown> = {}): Promise<string> {
    return (await this.rig.ok(name, args)).text;
  }

  takeOver(tab: string, more: Record<string, unknown> = {}): Promise<CallAnswer> {
    return this.call('request_human_input', { type: 'takeover', message: 'Please log in.', tab, ...more });
  }

  async open(url: string): Promise<string> {
    return /b1:\d+/.exec(await this.ok('tabs', { action: 'open', url }))?.[0] ?? '';
  }
}

async function answerOf(asking: Promise<CallAnswer>): Promise<Record<string, unknown>> {
  const { isError, text } = await asking;
  expect(isError, text).toBe(false);
  return JSON.parse(text) as Record<string, unknown>;
}

class TakeoverRig {
  readonly person: TakeoverPerson;
  readonly agent: AskingAgent;
  #hosts = 0;

  private constructor(readonly rig: PersonRig) {
    this.person = new TakeoverPerson(rig.worker);
    this.agent = new AskingAgent(rig);
  }

  static async start(): Promise<TakeoverRig> {
    const rig = await personRig(shopPages, '--sync-wait-ms', '60000');
    await rig.setRules([OPEN]);
    return new TakeoverRig(rig);
  }

  at(path: string): string {
    return this.rig.at(`shop${(this.#hosts += 1)}.test`, path);
  }

  async open(path = '/login'): Promise<{ readonly url: string; readonly tab: string }> {
    const url = this.at(path);
    return { url, tab: await this.agent.open(url) };
  }

  click(url: string, script: string): Promise<void> {
    return this.rig.worker.clickInPage(url, script);
  }

  async shows(url: string, expression: string): Promise<void> {
    await vi.waitFor(async () => {
      if ((await this.rig.worker.inPage<boolean>(url, expression)) !== true)
        throw new Error(`${url}: not ${expression}.`);
    }, PATIENCE);
  }

  async logIn(url: string): Promise<void> {
    await this.person.type(url, { field: '#name', text: 'Ada' });
    await this.person.type(url, { field: '#password', text: SECRET });
    await this.click(url, 'document.querySelector("#go").click()');
    await this.shows(url.replace('/login', '/welcome'), 'document.title === "Welcome"');
  }

  ledger(...args: string[]): string {
    return ledgerOf(this.rig.server.home, ...args);
  }

  static numberOf(tab: string): number {
    return Number(tab.split(':')[1]);
  }

  /** Whether a debugger is attached to the tab: a second one cannot be. */
  isAttached(tab: string): Promise<boolean> {
    return this.rig.worker.evaluate(`(() => {
      const target = { tabId: ${TakeoverRig.numberOf(tab)} };
      return chrome.debugger.attach(target, '1.3').then(
        () => chrome.debugger.detach(target).then(() => false),
        (error) => String(error).includes('Another debugger'),
      );
    })()`);
  }

  async closeTab(tab: string): Promise<void> {
    await this.rig.worker.evaluate(`chrome.tabs.remove(${TakeoverRig.numberOf(tab)}).then(() => null)`);
  }
}

const shopPages: RequestListener = (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://shop.test');
  response.end(pathname === '/login' ? LOGIN : pathname === '/welcome' ? WELCOME : 'ok');
};

/* Whatever ends, a person's tab is returned. */

const rig = await TakeoverRig.start();
const { agent, person } = rig;
const { server } = rig.rig;
afterEach(() => person.isLeftAlone());

it('a person sees the tab and declines, with why; the ledger has who asked, where, and how it ended', async () => {
  const url = rig.rig.at('xn--bcher-kva.test', '/login');
  const asking = agent.takeOver(await agent.open(url));
  expect(await person.card()).toContain('Letters in this address may look like');
  await person.show(async () => (await rig.rig.worker.inPage(url, '!document.hidden')) === true);
  const reason = 'I do not know the password.';
  await person.decline(reason);
  expect(await answerOf(asking)).toMatchObject({ outcome: 'declined', where: 'window', reason });
  const { hostname } = new URL(url);
  const lines = (): string => rig.ledger('show', '--site', hostname, '--json');
  await expect.poll(lines).toContain('takeover_end');
  for (const fact of ['"takeover"', 'test-agent', '"declined"', '"window"']) expect(lines()).toContain(fact);
  expect(rig.ledger('verify')).toContain('intact');
});

itDeep('a browser that is killed ends it with a code, and the ledger has its end', async () => {
  const own = await personRigOf(() => spawnChromium({ rules: 'person' }), shopPages);
  await own.setRules([OPEN]);
  const alone = new AskingAgent(own);
  const asking = alone.takeOver(await alone.open(own.at('shop.test', '/login')));
  await new TakeoverPerson(own.worker).card();
  await own.browser.kill();
  const answer = await asking;
  expect(['browser_disconnected', 'human_input_expired'], answer.text).toContain(answer.code());
  const lines = ledgerOf(own.server.home, 'show', '--json');
  expect(lines).toMatch(/"takeover_end"/);
  expect(lines).toMatch(/"outcome": "unknown"/);
});

/* A page acts while a person has its tab: its tabs and dialogs are the person's, too. */

const tabAt = (url: string): Promise<string> =>
  vi.waitFor(async () => {
    const id = await rig.rig.worker.evaluate<number | null>(
      `chrome.tabs.query({}).then((tabs) => tabs.find(({ url }) => url === ${JSON.stringify(url)})?.id ?? null)`,
    );
    if (id === null) throw new Error(`No tab shows ${url}.`);
    return `b1:${id}`;
  }, PATIENCE);

const OPENERS: Readonly<Record<string, string>> = {
  'window.open()': 'void window.open("/login?opened", "_blank", "popup")',
  'a link without an opener':
    'Object.assign(document.createElement("a"), { href: "/login?opened", target: "_blank", rel: "noopener" }).click()',
  'a blank window that is led on': 'void (window.open("").location = new URL("/login?opened", location))',
};

it.each(sample(Object.keys(OPENERS), 3))(
  'a tab that the page opens by %s is the person’s until the end',
  async (how) => {
    const { url, tab } = await rig.open();
    const asking = agent.takeOver(tab);
    await person.card();
    await rig.click(url, OPENERS[how] ?? '');
    const opened = `${url}?opened`;
    const popup = await tabAt(opened);
    for (const [name, args] of [
      ['read_page', {}],
      ['interact', { steps: ['click css=#go'] }],
      ['screenshot', {}],
      ['tabs', { action: 'close' }],
    ] as const)
      expect((await agent.call(name, { tab: popup, ...args })).code(), name).toBe('person_has_tab');
    expect(await agent.ok('tabs', { action: 'list' })).not.toContain('opened');
    expect(await rig.isAttached(popup)).toBe(false);
    // One that it opens in turn is the person's as well.
    await rig.click(opened, 'void window.open("/login?inner")');
    const inner = await tabAt(`${url}?inner`);
    expect((await agent.call('read_page', { tab: inner })).code()).toBe('person_has_tab');
    await rig.closeTab(inner);
    await person.press('done');
    expect(await answerOf(asking)).toMatchObject({ outcome: 'done', by: 'person' });
    expect(await agent.ok('read_page', { tab: popup, format: 'text' })).toContain('Log in');
    await rig.closeTab(popup);
  },
);

itDeep(
  'a dialog is answered by the person alone, although a capture answers those that nobody sees',
  async () => {
    const { url, tab } = await rig.open();
    await agent.ok('network', { action: 'start', tab });
    const asking = agent.takeOver(tab);
    await person.card();
    const dialogs = await rig.rig.browser.scope.holdDialogs(url);
    await rig.click(url, 'setTimeout(() => { document.title = confirm("Really?") ? "yes" : "no" })');
    await dialogs.accept();
    await rig.shows(url, 'document.title === "yes"');
    expect((await agent.call('dialog', { tab, action: 'accept' })).code()).toBe('person_has_tab');
    await person.press('done');
    await answerOf(asking);
    expect((await agent.call('network', { action: 'slice', tab })).notes).toMatch(/a person took it over/);
  },
);

it('a person logs in, and nothing of what they type is recorded anywhere', async () => {
  const { url, tab } = await rig.open();
  await agent.ok('network', { action: 'start', tab });
  expect(await rig.isAttached(tab)).toBe(true);
  const asking = agent.takeOver(tab);
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
    const answer = await agent.call(name, { tab, ...args });
    expect(answer.text, name).toContain('person_has_tab');
  }
  expect(await rig.isAttached(tab)).toBe(false);
  await rig.logIn(url);
  await agent.ok('oc_evidence_bundle', { tab, output_mode: 'handle' });
  const listed = await agent.ok('tabs', { action: 'list' });
  expect(listed).not.toContain('/welcome');
  const during = await agent.call('network', { action: 'slice', tab });
  expect(during.notes).toContain('still has it');
  expect(during.text).not.toContain('/session');
  await person.press('done');
  const { origin } = new URL(url);
  const ended = { outcome: 'done', by: 'person', where: 'window', origin, tab };
  expect(await answerOf(asking)).toMatchObject(ended);
  expect(await agent.ok('read_page', { tab, format: 'text' })).toContain('Welcome, Ada');
  const receipt = await agent.ok('interact', { tab, steps: ['click css=#order'] });
  expect(receipt).toContain('Order done');
  const slice = await agent.call('network', { action: 'slice', tab });
  expect(slice.text).toContain('/ordered');
  expect(slice.text).not.toContain('/session');
  expect(slice.notes).toMatch(/a person took it over at .* until /);
  const act = /act (a\d+)/.exec(receipt)?.[1];
  const since = await agent.call('network', { action: 'slice', tab, since_act: act });
  expect(since.text).not.toContain('/session');
  await agent.ok('console', { tab });
  await agent.ok('oc_evidence_bundle', { tab, output_mode: 'handle' });
  await agent.ok('oc_journal', {});
  expect(server.said()).not.toContain(SECRET);
  const files = stored();
  expect(files.length).toBeGreaterThan(3);
  for (const [name, bytes] of files) expect(bytes.includes(SECRET), name).toBe(false);
});

/** All stored data of the server, bundles unpacked. */
function stored(): [string, Buffer][] {
  const read = (path: string): Buffer => unpacked(readIfThere(path) ?? Buffer.alloc(0));
  const files = filesBelow(server.home).map((path): [string, Buffer] => [path, read(path)]);
  expect(files.filter(([, bytes]) => bytes.includes('history_length'))).not.toEqual([]);
  return files;
}

function unpacked(bytes: Buffer): Buffer {
  if (bytes.toString('latin1', 0, 2) === 'PK')
    return Buffer.concat(Object.values(unzipSync(bytes)).map((file) => unpacked(Buffer.from(file))));
  return bytes.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b])) ? gunzipSync(bytes) : bytes;
}
