import { describe, expect, it } from 'vitest';
import { defer } from '../../../shared/base/async.ts';
import type { CallAnswer } from '../../support/call-tool.ts';
import { servePages } from '../../support/calling.ts';
import { launched } from '../../support/launched.ts';

const { server, ok, openTab } = await launched();
const opened = defer<void>();

const PAGE = `<!doctype html><title>Waiting</title><p id=p>Loading orders</p><button hidden>Done</button>
  <script>fetch('/held').then(() => { p.textContent = 'Order placed'; document.querySelector('button').hidden = false;
    history.pushState(null, '', '/orders/7'); })</script>`;

const LIST = `<!doctype html><title>List</title><p>He said "yes"</p>
  <label>News <input type=checkbox style="display:none"></label>
  <ul id=list><li><button>Ada</button></li><li><button>Ben</button></li></ul>
  <button onclick="list.innerHTML = list.innerHTML">Render</button>
  <button onclick="list.lastChild.remove()">Remove</button>
  <button onclick="list.firstChild.hidden = true">Hide</button>`;

const site = await servePages(
  { page: PAGE, list: LIST },
  { '/held': (response) => void opened.promise.then(() => response.writeHead(200).end()) },
);

it('waits in a hidden tab for what happens, and says what was there instead', async () => {
  const tab = await openTab(site.url('/page'));
  const wait = async (args: Record<string, unknown>): Promise<string> =>
    (await ok('wait_for', { tab, timeout_ms: 50_000, ...args })).text;
  const early = await wait({
    text: 'order placed',
    target: 'role=button[name="Done"]',
    url: '/orders/',
    timeout_ms: 300,
  });
  expect(early).toMatch(/^Timed out after \d+ ms without text, target, url\.\n/);
  expect(early).toMatch(/url: \S+\/page\n/);
  expect(early).toMatch(/nearest: e\d+ paragraph Loading orders\n/);
  expect(early).toMatch(/pending: \S+\/held\n/);
  expect(await wait({ target: 'css=button', timeout_ms: 300 })).toContain('target: 1 hidden\n');
  expect(await wait({ text: 'nowhere', text_gone: 'Order placed', mode: 'any' })).toMatch(
    /^After \d+ ms: text_gone\.\n/,
  );
  const waiting = wait({
    text: 'order placed',
    text_gone: 'Loading',
    target: 'text=Done',
    target_gone: 'css=table',
    url: '**/orders/*',
    load: true,
    network_idle: true,
  });
  opened.resolve();
  expect(await waiting).toMatch(
    /^After \d+ ms: text, text_gone, target, target_gone, url, load, network_idle\.\nfound: e\d+ \w+ Order placed.*\nfound: e\d+ button Done\n$/s,
  );
  expect((await server.call('wait_for', { tab, target: 'bogus=1' })).code()).toBe('selector_invalid');
});

describe('refs', () => {
  const open = async (): Promise<{ tab: string; refs: Record<string, string> }> => {
    const tab = await openTab(site.url('/list'));
    const { text } = await server.call('read_page', { tab, format: 'snapshot' });
    const lines = [...text.matchAll(/(e\d+) button (\w+)/g)];
    return { tab, refs: Object.fromEntries(lines.map(([, ref = '', name = '']) => [name, ref])) };
  };
  const wait = (args: Record<string, unknown>): Promise<CallAnswer> =>
    server.call('wait_for', { timeout_ms: 50_000, ...args });

  it('are waited for until their elements are gone or hidden, and found again after a rendering', async () => {
    const { tab, refs } = await open();
    const { Ada, Ben, Render, Remove, Hide } = refs;
    await server.call('interact', { tab, steps: [`click ${Render}`] });
    expect((await wait({ tab, target: Ada })).text).toMatch(/^After \d+ ms: target\.\n/);
    expect((await wait({ tab, target_gone: Ben, timeout_ms: 300 })).text).toContain('without target_gone');
    await ok('interact', {
      tab,
      steps: [`click ${Remove}`, `wait target_gone ${Ben}`, `wait target ${Ada}`, `click ${Hide}`],
    });
    expect((await wait({ tab, target_gone: Ada })).text).toMatch(/^After \d+ ms: target_gone\.\n/);
  });
});
