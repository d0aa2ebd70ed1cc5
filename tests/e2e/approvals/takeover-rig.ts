import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { afterEach, beforeAll, expect, vi } from 'vitest';
import type { CallAnswer } from '../../support/call-tool.ts';
import { PATIENCE } from '../../support/patience.ts';
import { personRig, type PersonRig } from '../../support/person-rig.ts';
import type { StdioServer } from '../../support/stdio-server.ts';
import { TakeoverPerson } from '../../support/takeover-person.ts';
import { ledgerOf } from './asked.ts';

export const SECRET = 'correct-horse-7731-battery';

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

/** Acts are not asked about here. */
export const OPEN = { id: 'open', effect: 'allow' } as const;

export class AskingAgent {
  readonly server: StdioServer;

  constructor(server: StdioServer) {
    this.server = server;
  }

  call(name: string, args: Record<string, unknown> = {}): Promise<CallAnswer> {
    return this.server.call(name, args);
  }

  async ok(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const answer = await this.call(name, args);
    expect(answer.isError, answer.text).toBe(false);
    return answer.text;
  }

  takeOver(tab: string, more: Record<string, unknown> = {}): Promise<CallAnswer> {
    return this.call('request_human_input', { type: 'takeover', message: 'Please log in.', tab, ...more });
  }

  /** Why the tab is not read, once the browser is there again. */
  refusal(tab: string): Promise<string | undefined> {
    return vi.waitFor(async () => {
      const code = (await this.call('read_page', { tab })).code();
      if (code === 'browser_disconnected') throw new Error('The browser is not back.');
      return code;
    }, PATIENCE);
  }

  async open(url: string): Promise<string> {
    return /b1:\d+/.exec(await this.ok('tabs', { action: 'open', url }))?.[0] ?? '';
  }
}

export async function answerOf(asking: Promise<CallAnswer>): Promise<Record<string, unknown>> {
  const { isError, text } = await asking;
  expect(isError, text).toBe(false);
  return JSON.parse(text) as Record<string, unknown>;
}

export class TakeoverRig {
  readonly rig: PersonRig;
  readonly person: TakeoverPerson;
  readonly agent: AskingAgent;
  #hosts = 0;

  private constructor(rig: PersonRig) {
    this.rig = rig;
    this.person = new TakeoverPerson(rig.worker);
    this.agent = new AskingAgent(rig.server);
  }

  static async start(pages: RequestListener): Promise<TakeoverRig> {
    const rig = await personRig(pages, '--sync-wait-ms', '60000');
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

export const shopPages =
  (more: (request: IncomingMessage, response: ServerResponse) => boolean = () => false): RequestListener =>
  (request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (more(request, response)) return;
    const { pathname } = new URL(request.url ?? '/', 'http://shop.test');
    response.end(pathname === '/login' ? LOGIN : pathname === '/welcome' ? WELCOME : 'ok');
  };

export function forTests(more?: Parameters<typeof shopPages>[0]): { readonly get: () => TakeoverRig } {
  let rig: TakeoverRig | null = null;
  const get = (): TakeoverRig => {
    if (rig === null) throw new Error('The browser has not started.');
    return rig;
  };
  beforeAll(async () => {
    rig = await TakeoverRig.start(shopPages(more));
  });
  afterEach(() => get().person.isLeftAlone());
  return { get };
}
