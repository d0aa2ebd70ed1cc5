import { once } from 'node:events';
import { createServer } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { AskedPerson } from '../../support/asked-person.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { calling, servePages } from '../../support/calling.ts';
import { itDeep } from '../../support/depth.ts';
import { file } from '../../support/file-site.ts';
import { atEndOfFile } from '../../support/end-of-file.ts';
import { spawnFirefox } from '../../support/firefox.ts';
import { lendChromium } from '../../support/lent-browser.ts';
import { startServer } from '../../support/stdio-server.ts';

const PAGE = `<!doctype html><title>Invoices</title><h1>Invoices</h1>
  <table><tr><th>Name<th>Total</tr>${[7, 8].map((n) => `<tr><td>Invoice ${n}<td>${n}0`).join('')}</table>
  <label>E-mail <input type=email></label><label>Country <select><option>France<option>Peru</select></label>
  <button onclick="document.title = 'Paid by ' + (event.isTrusted ? 'hand' : 'script')">Pay</button>
  <button onclick="document.title = confirm('Pay twice?')">Again</button>
  <div id=host></div><script>host.attachShadow({ mode: 'closed' }).innerHTML = '<button>Closed button</button>';
  fetch('/rates').then((answer) => answer.json())</script>`;

const FILES = `<!doctype html><title>Files</title><a href=/file>Linked</a>
  <button onclick="a.href = window.URL.createObjectURL(new Blob(['hello'])), a.click()">Made</button>
  <a id=a download=made.txt></a>`;

const site = await servePages(
  { invoices: PAGE, files: FILES },
  {
    '/rates': file('{"eur":7}', { 'content-type': 'application/json' }),
    '/file': file('abc', {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename=a.bin',
    }),
    '/sign-in': (response, { url = '' }) =>
      void response.writeHead(302, { 'set-cookie': `who=${url.split('?')[1]}`, location: '/who' }).end(),
    '/who': (response, { headers }) =>
      void response.end(`<title>Who</title><p>Signed in: ${headers.cookie}</p><button>Leave</button>`),
  },
);
const firefox = await spawnFirefox({ rules: 'person', keepsDialogs: true });
const server = await startServer({ env: firefox.serverEnv, args: ['--sync-wait-ms', '60000'] });
const person = new AskedPerson(firefox.scope);
const { ok, failed, openTab } = calling(() => server);

/** Makes a call that a person is asked about, and presses the button of the card. */
async function allowed(name: string, args: Record<string, unknown>): Promise<CallAnswer> {
  const asked = server.call(name, args);
  await person.allow();
  return asked;
}

describe('in a Firefox of a person', () => {
  let tab: string;
  beforeAll(async () => (tab = await openTab(site.url('/invoices'))));

  it('says which browser it is', async () => {
    const { browsers } = (await ok('oc_connection_health')).json<{ browsers: object[] }>();
    expect(browsers).toMatchObject([{ name: 'Firefox', connected: true, lacks: ['debugger', 'dialogs'] }]);
  });

  it.each([
    ['text', 'Invoice 7\t70'],
    ['markdown', '| Invoice 8 | 80 |'],
    ['snapshot', 'Closed button'],
  ])('reads a tab behind the front one as %s', async (format, part) => {
    expect((await ok('read_page', { tab, format })).text).toContain(part);
  });

  it('finds, in closed roots too, and extracts records', async () => {
    expect((await ok('find', { tab, query: 'closed button' })).text).toMatch(/button Closed button/);
    const properties = { name: { type: 'string' }, total: { type: 'number' } };
    const schema = { type: 'object', properties };
    const records = (await ok('extract_data', { tab, schema, multiple: true })).json<unknown>();
    expect(records).toMatchObject([
      { name: 'Invoice 7', total: 70 },
      { name: 'Invoice 8', total: 80 },
    ]);
  });

  it.each(['viewport', 'full_page'])('takes a picture of its %s', async (area) => {
    const { raw } = await ok('screenshot', { tab, area });
    expect(raw.content[0]).toMatchObject({ type: 'image', mimeType: 'image/png' });
  });

  it.each([
    ['a port that Firefox blocks', { url: 'http://127.0.0.1:1/' }, 'navigation_failed'],
    ['a file', { url: site.url('/file') }, 'not_a_page'],
    ['an entry of the history that is missing', { action: 'back' }, 'no_history_entry'],
  ])('names at once %s', async (_name, args, code) => {
    const { opened } = (await ok('tabs', { action: 'open', url: site.url('/invoices') })).json<{
      opened: string;
    }>();
    await ok('wait_for', { tab: opened, text: 'Invoice 7' });
    expect(await failed('navigate', { tab: opened, ...args })).toMatchObject({ code });
  });

  it('captures requests with their bodies', async () => {
    await allowed('network', { action: 'start', tab });
    await ok('navigate', { tab, action: 'reload' });
    const entry = async (): Promise<string> =>
      (
        await ok('network', {
          action: 'slice',
          tab,
          format: 'har',
          bodies: 'text',
          filter: { url: '/rates' },
        })
      ).text;
    await expect.poll(entry).toContain('{\\"eur\\":7}');
  });

  it.each([
    ['dialog', { action: 'accept' }],
    ['emulate', { locale: 'de' }],
    ['intercept', { action: 'add', url: '/rates', answer: { status: 404 } }],
    ['page_pdf', {}],
    ['record_video', { action: 'start' }],
    ['trace', { action: 'start' }],
  ])('says that it cannot do %s', async (tool, more) => {
    expect(await failed(tool, { tab, ...more })).toMatchObject({
      code: 'unsupported_in_firefox',
      hint: expect.stringContaining('Chromium'),
    });
  });

  it('acts once a person has said yes in the card, and says that scripts sent the input', async () => {
    const { text, notes } = await allowed('interact', {
      tab,
      fields: { 'E-mail': 'ada@example.com', Country: 'Peru' },
      steps: ['press label=E-mail Backspace Backspace Backspace o r g', 'click "Pay"'],
    });
    expect(`${text}${notes}`).toMatch(/script/);
    expect((await ok('tabs')).text).toContain('Paid by script');
  });

  itDeep('names the files that an act saves, and none of the person', async () => {
    // An origin of its own: a file that a page makes says no more.
    const files = await openTab(site.url('/files').replace('127.0.0.1', 'localhost'));
    const save = async (name: string): Promise<string> =>
      (await allowed('interact', { tab: files, steps: [`click "${name}"`, 'wait download'] })).text;
    expect(await save('Linked')).toContain('download "a.bin" completed, 3 bytes');
    expect(await save('Made')).toContain('download "made.txt" completed, 5 bytes');
    await firefox.scope.evaluate(`browser.downloads.download({ url: '${site.url('/rates')}' })`);
    const { downloads } = (await ok('downloads', { tab: files })).json<{
      downloads: readonly { readonly name: string }[];
    }>();
    expect(downloads.map(({ name }) => name)).toEqual(['a.bin', 'made.txt']);
  });

  it('evaluates once the person has given the permission for it', async () => {
    const evaluate = { tab, code: '() => document.querySelector("input").value' };
    expect((await allowed('evaluate', evaluate)).code()).toBe('unsupported_in_firefox');
    await firefox.grant('userScripts');
    expect((await allowed('evaluate', evaluate)).json()).toBe('ada@example.org');
  });

  it('sends one tab through a proxy that the person allows each time, and emulates nothing else', async () => {
    const seen = new Array<string>();
    const proxy = createServer(({ url = '' }, response) => {
      seen.push(url);
      response.setHeader('content-type', 'text/html').end('<title>Seen</title>Proxied');
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const address = proxy.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const emulate = { tab, proxy: `http://127.0.0.1:${port}` };
    await firefox.grant('proxy');
    const refused = server.call('emulate', emulate);
    const card = await person.card();
    expect(card).toContain('Send this tab through a proxy?');
    expect(card).toContain(`proxy ${emulate.proxy}`);
    await person.deny('No.');
    expect((await refused).code()).toBe('call_denied');
    expect((await allowed('emulate', emulate)).json()).toMatchObject({ emulates: { proxy: emulate.proxy } });
    // Firefox asks for no proxy for addresses of this machine.
    const url = site.url('/invoices').replace('127.0.0.1', 'proxied.test');
    await ok('navigate', { tab, url });
    expect((await ok('read_page', { tab, format: 'text' })).text).toContain('Proxied');
    expect(seen).toContain(url);
    const other = await openTab(url);
    expect((await ok('read_page', { tab: other, format: 'text' })).text).toContain('Invoice 7');
    proxy.close();
    proxy.closeAllConnections();
    expect((await server.call('navigate', { tab, url })).code()).toMatch(/^navigation_/);
    await ok('emulate', { tab, reset: true });
    await ok('navigate', { tab, url });
    expect((await ok('read_page', { tab, format: 'text' })).text).toContain('Invoice 7');
    expect((await failed('emulate', { tab, device: 'phone' })).code).toBe('unsupported_in_firefox');
    expect((await failed('emulate', { tab, proxy: 'ftp://127.0.0.1:1' })).code).toBe('invalid_argument');
  });

  it('searches the history and the bookmarks once the person allows it', async () => {
    await firefox.grant('history');
    await firefox.grant('bookmarks');
    await firefox.scope.evaluate(
      `browser.bookmarks.create({ title: 'Invoices of mine', url: 'https://docs.example/' })`,
    );
    const found = await allowed('tabs', { action: 'history', search: 'invoices' });
    expect(found.text).toContain('https://docs.example/');
  });

  it('is signed in twice at one site, in containers that the person allows each time', async () => {
    const signIn = async (who: string, more: object): Promise<Record<string, string>> => {
      const asked = server.call('tabs', { action: 'open', url: site.url(`/sign-in?${who}`), ...more });
      if ('container' in more) {
        expect(await person.card()).toContain('Open a tab in this container?');
        await person.allow();
      }
      return (await asked).json();
    };
    const tabs = [
      await signIn('ada', {}),
      await signIn('grace', { container: 'work' }),
      await signIn('mary', { container: 'Second' }),
    ];
    expect(tabs.map(({ container }) => container)).toEqual([undefined, 'Work', 'Second']);
    for (const [at, who] of ['ada', 'grace', 'mary'].entries()) {
      const tabId = tabs[at]?.['opened'];
      await ok('wait_for', { tab: tabId, text: `Signed in: who=${who}` });
      await ok('navigate', { tab: tabId, url: site.url('/who') });
      expect((await ok('read_page', { tab: tabId, format: 'text' })).text).toContain(`who=${who}`);
    }
    const { tabs: listed } = (await ok('tabs')).json<{ tabs: readonly Record<string, string>[] }>();
    const containers = Object.fromEntries(listed.map(({ tab: id, container }) => [id, container]));
    expect(tabs.map(({ opened = '' }) => containers[opened])).toEqual([undefined, 'Work', 'Second']);
    const acted = server.call('interact', { tab: tabs[1]?.['opened'], steps: ['click "Leave"'] });
    expect(await person.card()).toContain('Container: Work');
    await person.deny('Not there.');
    expect((await acted).code()).toBe('call_denied');
    const refused = server.call('tabs', { action: 'open', container: 'Third' });
    await person.deny('No third one.');
    expect((await refused).code()).toBe('call_denied');
    const made = `browser.contextualIdentities.query({ name: 'Third' })`;
    expect(await firefox.scope.evaluate(made)).toEqual([]);
  });

  itDeep('leaves open whether a click is done while the page shows a dialog', async () => {
    const answer = await allowed('interact', { tab, steps: ['click "Again"'] });
    expect(answer.code()).toBe('page_unresponsive');
    expect(answer.text).toContain('showing a dialog');
    await firefox.scope.answerDialog('/invoices', true);
    await expect.poll(async () => (await ok('tabs')).text).toContain('"true"');
  });
});

itDeep('is one of two browsers of a server, whose health and tabs name both', async () => {
  const { serverEnv } = await lendChromium();
  const other = await spawnFirefox({ serverEnv });
  atEndOfFile(() => other.close());
  const both = await startServer({ env: serverEnv });
  const { browsers } = (await ok('oc_connection_health', {}, both)).json<{
    browsers: readonly { readonly browser: string; readonly name: string }[];
  }>();
  expect(browsers.map(({ name }) => name).toSorted()).toEqual(['Chromium', 'Firefox']);
  const { browser: chromium } = browsers.find(({ name }) => name === 'Chromium') ?? {};
  expect(await failed('tabs', { action: 'open', browser: chromium, container: 'Work' }, both)).toMatchObject({
    code: 'unsupported_in_chromium',
    hint: expect.stringContaining('Firefox'),
  });
  for (const { browser } of browsers)
    await ok('tabs', { action: 'open', browser, url: site.url('/invoices') }, both);
  const { text } = await ok('tabs', {}, both);
  for (const { browser } of browsers) expect(text).toContain(`"${browser}:`);
});
