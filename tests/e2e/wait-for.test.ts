import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnChromium, type TestChromium } from '../support/browser.ts';
import { startServer, type StdioServer } from '../support/stdio-server.ts';

/** Pages that are not ready when they have loaded, each in a way of its own. */
const PAGES: Readonly<Record<string, string>> = {
  still: '<title>still</title><p>At rest</p>',
  timer: `<title>timer</title><p id="p">Loading…</p>
    <script>addEventListener('load', () => setTimeout(() => (p.innerHTML = 'Total: <b>5</b>\\n items'), 700))</script>`,
  fetched: `<title>fetched</title><p id="p">Loading…</p>
    <script>fetch('/slow?ms=900').then(async (r) => (p.textContent = await r.text()))</script>`,
  chained: `<title>chained</title><p id="p">Loading…</p>
    <script>fetch('/slow?ms=300').then(() => fetch('/slow?ms=300')).then(() => (p.textContent = 'both'))</script>`,
  events: `<title>events</title><p id="p">Loading…</p>
    <script>const s = new EventSource('/stream'); s.onmessage = ({ data }) => (p.textContent = data)</script>`,
  poll: `<title>poll</title><p>Ready</p><script>fetch('/slow?ms=60000')</script>`,
  hidden: `<title>hidden</title><p style="display:none">Order placed</p><p class="x" hidden>x</p>
    <script>setTimeout(() => { document.querySelectorAll('p').forEach((p) => { p.hidden = false; p.style.display = ''; }) }, 600)</script>`,
  shadow: `<title>shadow</title><div id="host"></div><script>
    const root = host.attachShadow({ mode: 'closed' });
    setTimeout(() => (root.innerHTML = '<p class="late">In the shadow</p>'), 500)</script>`,
  frame: `<title>frame</title><iframe src="/late-frame"></iframe>`,
  'late-frame': `<p id="p"></p><script>setTimeout(() => (p.textContent = 'In the frame'), 500)</script>`,
  'slow-frame': '<title>slow</title><p>Around</p><iframe src="/slow?ms=1500"></iframe>',
  'far-frame': '<title>far</title><p>Around</p><iframe src="http://localhost:PORT/slow?ms=1500"></iframe>',
  'boxed-frame': '<title>boxed</title><p>Around</p><iframe sandbox src="/slow?ms=1500"></iframe>',
  'added-frame': `<title>added</title><p>Around</p><script>addEventListener('load', () => {
    const el = document.createElement('iframe');
    el.src = 'http://localhost:PORT/slow?ms=1500';
    document.body.append(el);
  })</script>`,
  busy: '<title>busy</title><p aria-busy="true">Loading…</p>',
};

let http: Server;
let base: string;
let browser: TestChromium;
let server: StdioServer;

beforeAll(async () => {
  http = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    if (pathname === '/stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: pushed\n\n');
      return;
    }
    if (pathname === '/slow') {
      void delay(Number(searchParams.get('ms')), undefined, { ref: false }).then(() =>
        response.end('fetched'),
      );
      return;
    }
    const page = PAGES[pathname.slice(1)];
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page?.replace('PORT', String(request.socket.localPort)));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  browser = await spawnChromium();
  server = await startServer({ env: browser.serverEnv });
});
afterAll(async () => {
  await server.close();
  await browser.close();
  http.closeAllConnections();
  http.close();
});

async function open(name: string, more: object = {}) {
  const answer = await server.call('navigate', { url: `${base}/${name}`, ...more });
  expect(answer.isError, answer.text).toBe(false);
  return answer.json<{ waited_ms?: number; problem?: string; title: string }>();
}
const read = async (args: object = {}): Promise<{ text: string; notes: string }> => {
  const answer = await server.call('read_page', { format: 'text', ...args });
  expect(answer.isError, answer.text).toBe(false);
  return { text: answer.text.trim(), notes: answer.notes };
};

describe('wait_for', () => {
  it.each<[string, object, string]>([
    ['timer', { text: 'total: 5 ITEMS' }, 'Total: 5 items'],
    ['timer', { selector: 'p > b' }, 'Total: 5 items'],
    ['fetched', { network_idle: true }, 'fetched'],
    ['chained', { network_idle: true }, 'both'],
    ['events', { network_idle: true, text: 'pushed' }, 'pushed'],
    ['hidden', { text: 'Order placed' }, 'Order placed'],
    ['hidden', { selector: '.x' }, 'Order placed'],
    ['shadow', { text: 'in the shadow' }, 'In the shadow'],
    ['shadow', { selector: '.late' }, 'In the shadow'],
    ['frame', { text: 'In the frame' }, 'In the frame'],
  ])('of navigate on %s: %j', async (name, waitFor, expected) => {
    const receipt = await open(name, { wait_for: waitFor });
    expect(receipt.problem).toBeUndefined();
    expect(receipt.waited_ms).toBeGreaterThan(0);
    expect((await read()).text).toContain(expected);
  });

  it.each<[string, object, string]>([
    ['timer', { text: 'Total: 5 items' }, 'Total: 5 items'],
    ['fetched', { network_idle: true }, 'fetched'],
    ['frame', { text: 'In the frame' }, 'In the frame'],
  ])('of read_page right after navigate to %s: %j', async (name, waitFor, expected) => {
    await open(name);
    const { text, notes } = await read({ wait_for: waitFor });
    expect(text).toContain(expected);
    expect(notes).not.toContain('wait_for:');
  });

  it('reads what is there when the time is over, and says what was missing', async () => {
    await open('still');
    const { text, notes } = await read({
      wait_for: { text: 'never', selector: '#never', network_idle: true, timeout_ms: 800 },
    });
    expect(text).toBe('At rest');
    expect(notes).toMatch(
      /wait_for: after \d+ ms the text "never" did not appear, and no visible element matched #never\./,
    );
  });

  it('names the request that keeps the network busy', async () => {
    const receipt = await open('poll', { wait_for: { network_idle: true, timeout_ms: 1_000 } });
    expect(receipt.problem).toMatch(/network was not idle \(http.*\/slow\?ms=60000\)/);
  });

  it('refuses a wait without a condition, and an invalid selector', async () => {
    const empty = await server.call('read_page', { wait_for: {} });
    expect(empty.code()).toBe('invalid_argument');
    expect(empty.text).toContain('text, selector or network_idle');
    const invalid = await server.call('read_page', { wait_for: { selector: '<' } });
    expect(invalid.code()).toBe('selector_invalid');
  });
});

describe('a page that is not ready', () => {
  it.each<[string, RegExp]>([
    ['fetched', /still_loading: A request was pending: http.*\/slow\?ms=900/],
    ['busy', /still_changing: .*marked as busy/],
  ])('%s is named as such', async (name, note) => {
    await open(name);
    expect((await read()).notes).toMatch(note);
  });

  it('is named as such while its content changes', async () => {
    await open('timer');
    // Hidden pages run their timers once a second.
    await expect
      .poll(async () => (await read()).notes, { interval: 50, timeout: 5_000 })
      .toMatch(/still_changing: .*its content changed \d+ ms before the read/);
  });

  it.each(['slow-frame', 'far-frame', 'boxed-frame', 'added-frame'])(
    'names a frame that is still loading: %s',
    async (name) => {
      await open(name, { wait_until: 'domcontentloaded' });
      const early = await read();
      expect(early.notes).toMatch(/still_loading: .*\/slow\?ms=1500/);
      expect(early.notes).not.toContain('closed_frame');
      if (name === 'boxed-frame') expect(early.notes).toContain('frame_loading: Frame');
      const { text } = await read({ wait_for: { text: 'fetched' } });
      expect(text).toContain('fetched');
    },
  );

  it('is not a page at rest', async () => {
    await open('still');
    expect((await read()).notes).not.toContain('still_');
  });
});
