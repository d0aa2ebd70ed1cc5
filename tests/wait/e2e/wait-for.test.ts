import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { itDeep, sample } from '../../support/depth.ts';
import { defer } from '../../../shared/base/async.ts';
import { answerAt } from '../../support/file-site.ts';
import { launched } from '../../support/launched.ts';

/**
 * Pages that are not ready when they have loaded, each in its own way. The awaited state comes when the test opens
 * their gate, on machines of any speed.
 */
const PAGES: Readonly<Record<string, string>> = {
  still: '<title>still</title><p>At rest</p>',
  added: `<title>added</title><p id="p">Loading…</p>
    <script>fetch('/held/GATE').then(() => (p.innerHTML = 'Total: <b>5</b>\\n items'))</script>`,
  fetched: `<title>fetched</title><p id="p">Loading…</p>
    <script>fetch('/held/GATE').then(async (r) => (p.textContent = await r.text()))</script>`,
  chained: `<title>chained</title><p id="p">Loading…</p>
    <script>fetch('/first/GATE').then(() => fetch('/held/GATE')).then(() => (p.textContent = 'both'))</script>`,
  events: `<title>events</title><p id="p">Loading…</p>
    <script>const s = new EventSource('/stream/GATE'); s.onmessage = ({ data }) => (p.textContent = data)</script>`,
  hidden: `<title>hidden</title><p style="display:none">Order placed</p><p class="x" hidden>x</p><script>
    fetch('/held/GATE').then(() => document.querySelectorAll('p').forEach((p) => { p.hidden = false; p.style.display = ''; }))</script>`,
  shadow: `<title>shadow</title><div id="host"></div><script>
    const root = host.attachShadow({ mode: 'closed' });
    fetch('/held/GATE').then(() => (root.innerHTML = '<p class="late">In the shadow</p>'))</script>`,
  frame: `<title>frame</title><iframe src="/late-frame?gate=GATE"></iframe>`,
  'late-frame': `<p id="p"></p><script>fetch('/held/GATE').then(() => (p.textContent = 'In the frame'))</script>`,
  'held-frame': '<title>held</title><p>Around</p><iframe src="/held/GATE"></iframe>',
  'far-frame': '<title>far</title><p>Around</p><iframe src="http://localhost:PORT/held/GATE"></iframe>',
  'boxed-frame': '<title>boxed</title><p>Around</p><iframe sandbox src="/held/GATE"></iframe>',
  'added-frame': `<title>added</title><p>Around</p><script>addEventListener('load', () => {
    const el = document.createElement('iframe');
    el.src = 'http://localhost:PORT/held/GATE';
    document.body.append(el);
  })</script>`,
  'opens-frame': `<title>opens</title><p>Around</p><script>addEventListener('hashchange', () => {
    const el = document.createElement('iframe');
    el.src = '/held/GATE';
    document.body.append(el);
  })</script>`,
  long: `<title>long</title><p>First ${'word '.repeat(2_000)}</p><button>Last</button>`,
  pdf: '%PDF-1.4',
  busy: '<title>busy</title><p aria-busy="true">Loading…</p>',
  // Changes in every task. Hidden pages get messages at once, and timers only once a second.
  restless: `<title>restless</title><p id="p">0</p><script>
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { p.textContent = Number(p.textContent) + 1; port2.postMessage(null); };
    port2.postMessage(null)</script>`,
};

/** Longer than any machine takes once a gate is open. */
const timeout_ms = 50_000;

/** Delays the awaited state until the test opens the gate. */
class Gate {
  readonly #asked = defer<void>();
  readonly #opened = defer<void>();
  isOpen = false;

  get asked(): Promise<void> {
    return this.#asked.promise;
  }

  open(): void {
    this.isOpen = true;
    this.#opened.resolve();
  }

  async pass(): Promise<void> {
    this.#asked.resolve();
    await this.#opened.promise;
  }
}

const gates: Gate[] = [];

const RESPONSES: Readonly<Record<string, (response: ServerResponse, gate: Gate) => Promise<unknown>>> = {
  held: (response, gate) => gate.pass().then(() => response.end('fetched')),
  // It ends when the next request has begun, so the network is not idle between them.
  first: (response, gate) => {
    response.writeHead(200).flushHeaders();
    return gate.asked.then(() => response.end());
  },
  stream: (response, gate) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    return gate.pass().then(() => response.write('data: pushed\n\n'));
  },
};

const port = await answerAt((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
  const [, name = '', at] = pathname.split('/');
  const gate = gates[Number(at)];
  const respond = RESPONSES[name];
  if (respond !== undefined && gate !== undefined) return void respond(response, gate);
  const page = PAGES[name];
  const type = name === 'pdf' ? 'application/pdf' : 'text/html; charset=utf-8';
  response.writeHead(page === undefined ? 404 : 200, { 'content-type': type });
  response.end(
    page
      ?.replaceAll('PORT', String(request.socket.localPort))
      .replaceAll('GATE', searchParams.get('gate') ?? ''),
  );
});
const { server, ok } = await launched();

type Receipt = {
  readonly waited_ms?: number;
  readonly problem?: string;
  readonly title: string;
  readonly snapshot?: string;
};

function open(name: string, more: object = {}): { readonly gate: Gate; readonly receipt: Promise<Receipt> } {
  const gate = new Gate();
  const url = `http://127.0.0.1:${port}/${name}?gate=${gates.push(gate) - 1}`;
  return { gate, receipt: ok('navigate', { url, ...more }).then((answer) => answer.json<Receipt>()) };
}

async function visit(name: string, more: object = {}): Promise<Gate> {
  const { gate, receipt } = open(name, more);
  await receipt;
  return gate;
}

const read = async (args: object = {}): Promise<{ text: string; notes: string }> => {
  const { text, notes } = await ok('read_page', { format: 'text', ...args });
  return { text: text.trim(), notes };
};

/** The answer of a call that waits for the gated state: it must not come before the gate is open. */
async function opening<T>(gate: Gate, call: Promise<T>): Promise<T> {
  const ended = call.then((answer) => ({ answer, wasOpen: gate.isOpen }));
  await Promise.race([gate.asked, ended]);
  // A call that does not wait would have answered before the browser has answered two more.
  for (let asked = 0; asked < 2; asked += 1) await server.call('tabs');
  gate.open();
  const { answer, wasOpen } = await ended;
  expect(wasOpen).toBe(true);
  return answer;
}

const WAITS: readonly (readonly [string, object, string])[] = [
  ['added', { text: 'total: 5 ITEMS' }, 'Total: 5 items'],
  ['added', { selector: 'p > b' }, 'Total: 5 items'],
  ['hidden', { text: 'Order placed' }, 'Order placed'],
  ['events', { network_idle: true, text: 'pushed' }, 'pushed'],
  ['shadow', { selector: '.late' }, 'In the shadow'],
  ['shadow', { text: 'in the shadow' }, 'In the shadow'],
  ['frame', { text: 'In the frame' }, 'In the frame'],
  ['hidden', { selector: '.x' }, 'Order placed'],
];
it.each(sample(WAITS, 4))('wait_for of navigate on %s: %j', async (name, waitFor, expected) => {
  const { gate, receipt } = open(name, { wait_for: { ...waitFor, timeout_ms } });
  const { problem, waited_ms: waitedMs } = await opening(gate, receipt);
  expect(problem).toBeUndefined();
  expect(waitedMs).toBeTypeOf('number');
  expect((await read()).text).toContain(expected);
});

it('navigate shows the page that it waited for, as far as it fits, and says why it cannot', async () => {
  const { gate, receipt } = open('added', {
    wait_for: { text: 'Total: 5', timeout_ms },
    show: 'snapshot',
  });
  expect((await opening(gate, receipt)).snapshot).toBe('Total: 5 items');
  const long = await open('long', { show: 'snapshot' }).receipt;
  expect(long.snapshot).toMatch(
    /^First word .*\nabout \d\d % more: read_page \{"format":"snapshot","ref":"e\d+\.\."\}$/s,
  );
  const answer = await ok('navigate', { url: `http://127.0.0.1:${port}/still`, show: 'snapshot' });
  expect(answer.notes).toContain(`Untrusted page text from http://127.0.0.1:${port}/still`);
  const pdf = await ok('navigate', { url: `http://127.0.0.1:${port}/pdf`, show: 'snapshot' });
  expect(pdf.json<Receipt>()).toMatchObject({ problem: expect.stringMatching(/^show: .*PDF/) });
});

itDeep('wait_for reads what is there when the time is over, and says what was missing', async () => {
  // One look may take all of the time: the network is idle before it.
  await visit('still', { wait_until: 'networkidle' });
  const { text, notes } = await read({
    wait_for: { text: 'never', selector: '#never', network_idle: true, timeout_ms: 800 },
  });
  expect(text).toBe('At rest');
  expect(notes).toMatch(
    /wait_for: after \d+ ms the text "never" did not appear, and no visible element matched #never\./,
  );
});

it.each<[string, RegExp]>([
  ['fetched', /still_loading: A request was pending: http.*\/held\/\d+/],
  ['busy', /still_changing: .*marked as busy/],
])('a page that is not ready %s is named as such', async (name, note) => {
  await visit(name);
  expect((await read()).notes).toMatch(note);
});

it('a page that is not ready is named as such while its content changes', async () => {
  // A page counts as young for some seconds, so that each try gets a new one.
  const visitAndRead = async (): Promise<string> => {
    await visit('restless');
    return (await read()).notes;
  };
  await expect
    .poll(visitAndRead, { timeout: timeout_ms })
    .toMatch(/still_changing: .*its content changed \d+ ms before the read/);
});

it('a read waits for the frame that a navigation within the page has opened', async () => {
  const gate = await visit('opens-frame');
  await ok('navigate', { url: `http://127.0.0.1:${port}/opens-frame?gate=${gates.indexOf(gate)}#frame` });
  await gate.asked;
  const reading = read();
  gate.open();
  expect((await reading).text).toContain('fetched');
});

it.each(sample(['boxed-frame', 'far-frame', 'held-frame', 'added-frame'], 4))(
  'a page that is not ready names a frame that is still loading: %s',
  async (name) => {
    const gate = await visit(name, { wait_until: 'domcontentloaded' });
    // An element that the page adds does not exist before.
    await gate.asked;
    const early = await read();
    expect(early.notes).toMatch(/still_loading: .*\/held\/\d+/);
    expect(early.notes).not.toContain('closed_frame');
    if (name === 'boxed-frame') expect(early.notes).toContain('frame_loading: Frame');
    gate.open();
    const { text } = await read({ wait_for: { text: 'fetched', timeout_ms } });
    expect(text).toContain('fetched');
  },
);
