import { itDeep, sample } from '../../support/depth.ts';
import type { ServerResponse } from 'node:http';
import { beforeEach, expect, test } from 'vitest';
import type { WireError } from '../../../shared/base/errors.ts';
import { calling, servePages } from '../../support/calling.ts';
import { lendChromium } from '../../support/lent-browser.ts';
import { PATIENCE } from '../../support/patience.ts';
import { startServer, type StdioServer } from '../../support/stdio-server.ts';

/** The page's script is held until the test answers `/gate`; it has a name of its own, which makes frames remote. */
const gated = (script: string): string =>
  `<script>fetch('/gate').then(() => { ${script} }).then((said) => { document.title = 'said ' + said; })</script>`;
const LONG = 'Delete all of it? '.repeat(100);

const PAGES: Readonly<Record<string, string>> = {
  confirm: `<title>Asks</title><p>Unread</p>${gated(`return confirm(${JSON.stringify(LONG)})`)}`,
  left: '<title>Arrived</title><p>There</p>',
  button: `<title>Asks</title><button onclick="document.title = 'said ' + confirm('Sure?')">Ask</button>`,
  opens: `<title>Asks</title><button onclick="if (confirm('Open it?')) window.open('left')">Ask</button>`,
  popup: `<title>Asks</title>${gated(`return confirm('Open it?') && window.open('left') === null`)}`,
  late: '<title>Late</title><button onclick="setTimeout(() => alert(\'Late\'), 300)">Ask</button>',
  unsaved: `<title>Unsaved</title><button>Edit</button>
    <script>onbeforeunload = (event) => event.preventDefault()</script>`,
  quiet: '<title>Quiet</title><p>Nothing is asked</p>',
};

const gates: ServerResponse[] = [];
const site = await servePages(PAGES, { '/gate': (response) => void gates.push(response) });
const base = site.url('/', 'page.test');
const browser = await lendChromium();
let server: StdioServer;
const { ok, failed } = calling(() => server);

beforeEach(async () => {
  server = await startServer({ env: browser.serverEnv });
  return async () => {
    for (const response of gates.splice(0)) response.end();
    await server.close();
  };
});

async function load(name: string): Promise<void> {
  await ok('navigate', { url: `${base}quiet` });
  await ok('network', { action: 'start' });
  await ok('navigate', { url: base + name });
  await expect.poll(() => gates.length, PATIENCE).toBe(1);
}

/** Lets the page open its dialog while a call waits for the page, and returns the error that the call ends with. */
async function open(name: string): Promise<WireError> {
  await load(name);
  const waiting = failed('read_page', { wait_for: { text: 'never', timeout_ms: 60_000 } });
  for (const gate of gates.splice(0)) gate.end();
  return waiting;
}

test('an open dialog ends a call that waits for its page, with its type and the beginning of its text', async () => {
  const { code, message, hint } = await open('confirm');
  expect(code).toBe('dialog_open');
  expect(message).toMatch(/^Tab b1:\d+ has a dialog open \(confirm\), which says "Delete all of it\? /);
  expect(message.length).toBeLessThan(300);
  expect(hint).toContain('["dialog accept"]');
});

test('an open dialog is answered, and its page resumes with the answer', async () => {
  await open('confirm');
  const accepted = (await ok('dialog', { action: 'accept' })).json<Record<string, unknown>>();
  expect(accepted).toMatchObject({ accepted: true, title: 'said true', answered: { type: 'confirm' } });
  await open('confirm');
  const dismissed = (await ok('dialog', { action: 'dismiss' })).json<Record<string, unknown>>();
  expect(dismissed).toMatchObject({ accepted: false, title: 'said false' });
  expect((await ok('read_page')).text).toContain('Unread');
});

itDeep(
  'text for a dialog other than a prompt, and an answer to nothing, are refused and change nothing',
  async () => {
    await open('confirm');
    const refused = await failed('dialog', { action: 'accept', text: 'yes' });
    expect(refused.code).toBe('invalid_argument');
    expect(refused.message).toContain('confirm');
    expect((await failed('dialog', { action: 'dismiss', text: 'no' })).code).toBe('invalid_argument');
    expect((await ok('dialog', { action: 'accept' })).json<{ title: string }>().title).toBe('said true');
    expect((await failed('dialog', { action: 'accept' })).code).toBe('dialog_not_found');
  },
);

test('a dialog that a click opens ends the call at once and says so, and is answered', async () => {
  await ok('navigate', { url: `${base}button` });
  const receipt = await ok('interact', { steps: ['click css=button', 'click css=button'] });
  expect(receipt.text).toContain('confirm');
  expect(receipt.text).toContain('Sure?');
  expect((await failed('interact', { steps: ['click css=button'] })).code).toBe('dialog_open');
  expect((await ok('dialog', { action: 'accept' })).json<{ title: string }>().title).toBe('said true');
});

itDeep('a dialog whose answer opens a window names it, and it is the agent’s', async () => {
  await ok('navigate', { url: `${base}opens` });
  await ok('interact', { steps: ['click css=button'] });
  const { text } = await ok('interact', { steps: ['dialog accept'] });
  const [, tab] = /^done 1\n(?:.*\n)*opened (\S+) /.exec(text) ?? [];
  const there = { tab, wait_for: { text: 'There', timeout_ms: PATIENCE.timeout } };
  expect((await ok('read_page', there)).text).toContain('There');
});

test.each(sample(['wait text never', 'click text=never'], 2))(
  'a dialog that opens before %s is done',
  async (step) => {
    await ok('navigate', { url: `${base}late` });
    const { text } = await ok('interact', { steps: ['click css=button', step] });
    expect(text).toMatch(new RegExp(`^done 1\\ndialog alert "Late": .*\\nnot tried: ${step}$`, 'm'));
    await ok('dialog', { action: 'accept' });
  },
);

itDeep(
  'a dialog that a click opens when the tab leaves its page is answered as well: to stay, and to leave',
  async () => {
    const { tab } = (await ok('navigate', { url: `${base}unsaved` })).json<{ tab: string }>();
    await ok('interact', { steps: ['click css=button'] });
    for (const call of [
      () => failed('navigate', { url: `${base}quiet` }),
      () => failed('navigate', { action: 'reload' }),
      () => failed('tabs', { action: 'close', tab }),
    ]) {
      const { code, message, hint } = await call();
      expect(code).toBe('dialog_open');
      expect(message).toContain('asks whether to leave');
      expect(hint).toContain('["dialog dismiss"] to stay');
      const stayed = { answered: { type: 'beforeunload' }, url: `${base}unsaved` };
      expect((await ok('dialog', { action: 'dismiss' })).json()).toMatchObject(stayed);
    }
    expect((await failed('navigate', { url: `${base}left` })).code).toBe('dialog_open');
    const left = { navigated: true, url: `${base}left` };
    expect((await ok('dialog', { action: 'accept' })).json()).toMatchObject(left);
    expect((await ok('read_page')).text).toContain('There');
  },
);

test('a window that the browser does not open after an answer is named', async () => {
  await open('popup');
  const { text } = await ok('interact', { steps: ['dialog accept'] });
  expect(text).toContain(`the browser blocked a window of ${base}left: tabs can open it`);
});
