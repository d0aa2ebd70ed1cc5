import { beforeAll, describe, expect, it } from 'vitest';
import { expectFits } from '../../people/e2e/looks.ts';
import { calls, program } from './program-answers.ts';
import { ApprovalRig, PANEL_URL } from '../../people/e2e/rig.ts';
import type { CdpTarget } from '../../support/worker/cdp-target.ts';
import type { Frame } from '../../support/worker/test-host.ts';
import { itDeep } from '../../support/depth.ts';

/* A person's view and actions in the side panel itself. The test is the server with runs, outputs and figures. */

const HANDLE = 'oh_ABCDEFGHJKLM';
const OTHER = 'oh_ABCDEFGH2345';
const RUN = 'run_0123456789';
const AGENT = { name: '<b>claude-code</b>', client_session: 's1', server: 'x' };
const SIZES: Readonly<Record<string, number>> = { [HANDLE]: 90, [OTHER]: 2_000_000 };
let rig: ApprovalRig;
let panel: CdpTarget;
const changes: (readonly [method: string, params: object])[] = [];
let status: 'running' | 'cancelled' | 'failed' = 'running';
let items: object[] = [{ sku: 'T-1', title: '<i>Sencha</i>' }];
let isIntact = true;
let budget: object = { tokens: 50_000, left: 0, state: 'exceeded' };
let seq = 0;
/** The requests of the worker that wait for events: one for each page that shows the feed. */
const waiting = new Map<unknown, (events: readonly object[]) => void>();
const WORKERS = { count: 2, lanes: 12, slowest: [{ host: '<i>.shop.example:8443', mean_ms: 1_240 }] };
const run = () => ({
  run_id: RUN,
  tool: 'crawl',
  status,
  progress: { done: 30, queued: 70, failed: 2, rate_per_second: 1.5, message: 'Reads <b>', workers: WORKERS },
  items: 28,
  size_bytes: 40_960,
  started_at_ms: Date.now(),
  ended_at_ms: status === 'failed' ? Date.now() : null,
  error: status === 'failed' ? { code: 'browser_disconnected', message: 'The browser has gone.' } : null,
  output_handle: status === 'failed' ? HANDLE : null,
  source: 'https://shop.example/<b>tea</b>',
  has_arguments: true,
  args: { url: 'https://shop.example/', include: '["/docs/**"]', note: '<b>\u202etea</b>' },
  args_left: 2,
});

let shown: object | null = null;
let waits = true;

/** An agent has kept the output first, then a person, too. */
function listOutputs(): object {
  const isDeleted = changes.some(([method]) => method === 'outputs.delete');
  const times = changes.filter(([method]) => method === 'outputs.keep').length;
  const by = [null, 'agent', 'person', null][times] ?? null;
  const outputs = Object.entries(SIZES).map(([handle, size]) => ({
    handle,
    source_tool: handle === HANDLE ? 'crawl' : 'fetch',
    mime_type: handle === HANDLE ? 'application/json' : 'text/plain',
    kind: handle === HANDLE ? 'items' : 'text',
    size_bytes: size,
    item_count: handle === HANDLE ? 1 : null,
    created_at_ms: Date.now(),
    expires_at_ms: Date.now() + 3_600_000,
    kept: by === null || handle !== HANDLE ? null : { note: 'prices <b>of</b> May', by },
  }));
  const left = outputs.filter(({ handle }) => handle !== HANDLE || !isDeleted);
  return { outputs: left, total: left.length, next: null };
}

const PAGE = { unit: 'items', offset: 0, next_offset: null, mime_type: 'application/json' };
const outputPage = () => ({ ...PAGE, items, total: items.length });

const CHAIN = '2026-11-23T02-00-00-abcd';
const lines = [
  { kind: 'outcome', of: { chain: CHAIN, seq: 3 }, outcome: 'failed', code: 'timeout' },
  { kind: 'act', agent: AGENT, decided: { where: 'grant' }, site: 'https://shop.example', tool: 'interact' },
  { kind: 'decision', agent: AGENT, decided: { where: 'client, unverified' }, outcome: 'denied' },
  { kind: 'a_kind_of_later', agent: AGENT },
].map((facts, at) => ({
  chain: CHAIN,
  seq: 4 - at,
  ts: `2026-11-23T02:00:0${4 - at}.000Z`,
  risks: [],
  ...facts,
}));

const figures = (tokens: number) => ({ calls: 12, bytes: tokens * 4, tokens, saved_tokens: 311_870 });

const ANSWERS: Readonly<Record<string, (params: never) => object | undefined>> = {
  'runs.list': () => ({ runs: [shown ?? run()], total: 1, next_offset: null }),
  'runs.calls': () => ({ calls: calls(waits), before: null, after: null }),
  'runs.answer': () => ({}),
  'runs.cancel': () => {
    status = 'cancelled';
    return { run: run() };
  },
  'runs.resume': () => {
    status = 'running';
    return { run: run() };
  },
  'runs.items': ({ offset = 0 }: { offset?: number }) => ({
    items: items.slice(offset),
    total: items.length,
    next_offset: null,
  }),
  'journal.page': () => ({ lines: [], next: null }),
  'outputs.list': listOutputs,
  'outputs.page': outputPage,
  'outputs.keep': () => ({}),
  'outputs.delete': () => ({}),
  'ledger.page': () => ({
    lines,
    next: null,
    is_intact: isIntact,
    problems: isIntact ? [] : ['Line 3 of <b>x</b> was changed.'],
  }),
  'meter.read': () => ({
    total: figures(50_120),
    sessions: [{ session: '7d9f5a52-0c0f', agent: AGENT.name, figures: figures(50_120), budget }],
    agents: [{ name: AGENT.name, figures: figures(50_120) }],
    tools: [
      { name: 'tools/list', figures: figures(2_900) },
      { name: 'read_page', figures: figures(47_220) },
    ],
  }),
  'budget.lift': () => {
    budget = { tokens: 100_120, left: 50_000, state: 'fine' };
    return { budget };
  },
};

function answer({ channel, message }: Frame): void {
  const { method, id, params } = message;
  const send = (result: object | undefined): void => {
    if (result !== undefined) rig.port.send(channel, { jsonrpc: '2.0', id, result });
  };
  if (method === 'feed.next') {
    const next = (events: readonly object[]): void =>
      send({ home: 'home', cursor: { seq: (seq += 1), lines: 0 }, events });
    if ((params as { cursor: unknown }).cursor === null) next([]);
    else waiting.set(id, next);
    return;
  }
  if (method === '$/cancelRequest') return void waiting.delete((params as { id: unknown }).id);
  if (/cancel|resume|answer|keep|delete|lift/.test(String(method)))
    changes.push([String(method), params as object]);
  send(ANSWERS[String(method)]?.(params as never));
}

async function happened(event: object): Promise<void> {
  await expect.poll(() => waiting.size).toBeGreaterThan(0);
  for (const tell of waiting.values()) tell([event]);
  waiting.clear();
}

beforeAll(async () => {
  rig = await ApprovalRig.start();
  await rig.ask();
  rig.port.on(answer);
  panel = await rig.openPanel();
});

const text = (selector: string): Promise<string | null> =>
  panel.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? null`);
const count = (selector: string): Promise<number> =>
  panel.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
/** Presses the first match of a selector with this text. */
const press = (selector: string, part: string): Promise<unknown> =>
  panel.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].find(({ textContent }) => textContent.includes(${JSON.stringify(part)})).click()`,
  );
const focused = (): Promise<string | null> => panel.evaluate('document.activeElement.textContent');
const asked = (pattern: RegExp) => changes.filter(([method]) => pattern.test(method));

describe('a run', () => {
  it('shows how far it is, where from, and what it was started with, as text', async () => {
    await expect.poll(() => text('#tab-runs')).toMatch(/^Runs/);
    await panel.click('#tab-runs');
    await expect.poll(() => text('.run .status')).toBe('Running');
    expect(await text('.run')).toContain('30 done · 70 queued · 2 failed · 1.5 per second · 28 items');
    expect(await text('.run .subject')).toBe('https://shop.example/<b>tea</b>');
    expect(await text('#tab-runs .badge')).toBe('1');
    await panel.click('.run-arguments summary');
    const shown = (): Promise<string> => panel.evaluate(`document.querySelector('.run-arguments').innerText`);
    await expect.poll(shown).toMatch(/url\s+https:.+note\s+<b>⟨U\+202E⟩tea<\/b>\s+2 more/s);
  });

  itDeep('has no buttons for the same page in a tab, which is refused what it asks for', async () => {
    const tab = await rig.capture.openPage(PANEL_URL);
    await tab.click('#tab-runs');
    await tab.locator('.run').waitFor();
    expect(await tab.locator('.run button:not([aria-expanded])').count()).toBe(0);
    const failures = await tab.evaluate(
      ({ run: id, handle }) =>
        new Promise((resolve) => {
          const messages: (string | undefined)[] = [];
          const port = chrome.runtime.connect({ name: 'feed' });
          port.onMessage.addListener((message: { type: string; message?: string }) => {
            if (message.type === 'failure' && messages.push(message.message) === 2) resolve(messages);
          });
          port.postMessage({ type: 'begin', cursors: {} });
          port.postMessage({ type: 'query', id: 1, query: { type: 'runs.cancel', home: 'home', run: id } });
          port.postMessage({ type: 'query', id: 2, query: { type: 'outputs.delete', home: 'home', handle } });
        }),
      { run: RUN, handle: HANDLE },
    );
    expect(failures).toEqual(Array(2).fill('Only the side panel can make changes.'));
    expect(changes).toEqual([]);
    await tab.close();
  });

  it('is cancelled by a press, and resumed', async () => {
    const workers = /2 workers · 12 lanes · slowest hosts: <i>\.shop\.example:8443 1\.2/;
    await expect.poll(() => text('.run')).toMatch(workers);
    expect(await text('.run')).toContain('Reads <b>');
    await panel.click('.run button');
    await expect.poll(() => text('.run .status')).toBe('Cancelled');
    await expect.poll(() => text('.run button')).toBe('Resume');
    await panel.click('.run button');
    await expect.poll(() => text('.run .status')).toBe('Running');
    expect(changes.map(([method]) => method)).toEqual(['runs.cancel', 'runs.resume']);
  });

  it('shows its error with what to do, and its items as they come', async () => {
    status = 'failed';
    await happened({ type: 'gap', count: 1 });
    await expect.poll(() => text('.run .f-error p')).toBe('browser_disconnected The browser has gone.');
    expect(await text('.run .f-error p + p')).toMatch(/\S/);
    await panel.click('.run [aria-expanded]');
    await expect.poll(() => text('.run-items')).toContain('<i>Sencha</i>');
    items = [...items, { sku: 'T-2', title: 'Gyokuro' }];
    const progress = { done: 31, queued: 0, failed: 2, rate_per_second: 1 };
    const step = { run_id: RUN, tool: 'crawl', ts: '2026-11-23T02:00:09.000Z', progress, items: 2 };
    await happened({ type: 'run', phase: 'progress', ...step });
    await expect.poll(() => text('.run-items')).toContain('Gyokuro');
    expect(await count('.run-items i')).toBe(0);
  });
});

describe('a program', () => {
  const show = async (isWaiting: boolean): Promise<void> => {
    waits = isWaiting;
    shown = { ...run(), ...program(isWaiting) };
    changes.length = 0;
    await happened({ type: 'gap', count: 1 });
  };
  const type = async (selector: string, value: string): Promise<void> => {
    await panel.click(selector);
    await panel.send('Input.insertText', { text: value });
  };

  it('shows its calls, a run among them, and its question, which a person answers in its place', async () => {
    await show(true);
    await expect.poll(() => count('.program-call')).toBe(3);
    expect(await text('header h1')).toBe('1 program asks you');
    expect(await text('.program-call:nth-child(1)')).toMatch(/^1Read page.*Done/);
    await expect.poll(() => text('.program-call:nth-child(2)')).toMatch(/^2Crawl.*Done.*oh_ABCDEFGHJKLM/);
    expect(await text('.program-call.asks .why')).toContain('Ship it <b>where</b>?');
    await press('.program-question button', 'Send');
    expect(asked(/answer/)).toEqual([]);
    await type('.program-question textarea', 'Elm Street 1');
    await press('.program-question button', 'Send');
    const answered = { run_id: RUN, call: 3, answer: { street: 'Elm Street 1' } };
    await expect.poll(() => asked(/answer/)).toEqual([['runs.answer', answered]]);
  });

  itDeep(
    'whose last call may have been done has it made again, left out, or gets a result, or is cancelled',
    async () => {
      await show(false);
      await expect.poll(() => text('.program-call.asks')).toMatch(/^3Interact.*Check whether it took effect/);
      await press('.program-call.asks button', 'Make it again');
      await press('.program-call.asks button', 'Skip it');
      await type('.program-call.asks input', '{"order": 7}');
      await press('.program-call.asks button', 'Skip it');
      await press('.run button', 'Cancel');
      const of = { run_id: RUN };
      await expect
        .poll(() => changes)
        .toEqual([
          ['runs.resume', { ...of, outcome: 'retry' }],
          ['runs.resume', { ...of, outcome: 'skip' }],
          ['runs.resume', { ...of, outcome: 'skip', result: '{"order": 7}' }],
          ['runs.cancel', of],
        ]);
    },
  );

  itDeep('has room for its title in the narrowest panel', async () => {
    await show(true);
    const narrow = { width: 320, height: 640, deviceScaleFactor: 1, mobile: false };
    await panel.send('Emulation.setDeviceMetricsOverride', narrow);
    await expect.poll(() => count('.program-question')).toBe(1);
    // Of one line, and next to nothing that leaves it a few letters.
    const lines = `document.querySelector('.run .what .tool').getClientRects().length`;
    expect(await panel.evaluate(lines)).toBe(1);
    await expectFits(panel, 'a program at 320 px');
    await panel.send('Emulation.clearDeviceMetricsOverride');
    [shown, status, changes.length] = [null, 'failed', 0];
    await happened({ type: 'gap', count: 1 });
    await expect.poll(() => count('.program-call')).toBe(0);
  });
});

it('an output of a run is opened, kept, and deleted once a person is sure', async () => {
  await press('.run-opens button', 'Open its output');
  await expect.poll(() => text('#output-title')).toBe(`Crawl ${HANDLE}`);
  const keep = (name: string) => press('.output-actions button', name);
  await keep('Keep for good');
  // An agent was faster. It could release what it keeps, so a person may keep it, too.
  await expect.poll(() => text('.opened')).toContain('until a person or an agent releases it');
  expect(await text('.output-actions')).toContain('Keep for goodLet it expire');
  expect(await text('.opened')).toContain('prices <b>of</b> May');
  await keep('Keep for good');
  await expect.poll(() => text('.opened')).toContain('until a person releases it');
  expect(await text('.output-actions')).not.toContain('Keep for good');
  await keep('Let it expire');
  await expect.poll(() => text('.opened')).not.toContain('releases it');
  expect(asked(/keep/).map(([, params]) => params)).toEqual(
    [true, true, false].map((isKept) => ({ handle: HANDLE, keep: isKept, where: 'side_panel' })),
  );
  await panel.click('.output-actions .stop');
  await expect.poll(focused).toBe('Keep');
  expect(asked(/delete/)).toEqual([]);
  await panel.click('.sure .stop');
  await expect.poll(() => count('.row.two')).toBe(1);
  expect(asked(/delete/)).toEqual([['outputs.delete', { handle: HANDLE, where: 'side_panel' }]]);
});

it('the ledger says who decided what and how it ended, newest first, is filtered, and says what is wrong with it', async () => {
  await panel.click('#tab-ledger');
  await expect.poll(() => count('.row.two')).toBe(3);
  const act = /^Act · Interact · <b>claude-code<\/b>failed.+by a grant · https:\/\/shop\.example$/;
  expect(await text('.row.two')).toMatch(act);
  expect(await text('.row.two:nth-child(3)')).toMatch(/^a_kind_of_later/);
  expect(await count('.row b b')).toBe(0);
  expect(await text('.ledger-state p')).toContain('No line was altered.');
  await panel.evaluate(`(() => {
    const choice = document.querySelector('.filters select[aria-label="Outcome"]');
    choice.value = '=denied';
    choice.dispatchEvent(new Event('change', { bubbles: true }));
  })()`);
  await expect.poll(() => count('.row.two')).toBe(1);
  expect(await text('.row.two')).toMatch(/^Decision.+denied.+by a client, unverified$/);
  await panel.click('.row.two');
  await panel.evaluate("document.querySelector('.detail button').focus()");
  await panel.press('Escape');
  await expect.poll(() => count('.detail')).toBe(0);
  isIntact = false;
  await panel.click('#tab-now');
  await panel.click('#tab-ledger');
  await expect.poll(() => text('.ledger-state [role=alert]')).toMatch(/altered or damaged/);
  expect(await text('.ledger-state li')).toBe('Line 3 of <b>x</b> was changed.');
});

it('the meter shows what agents were answered, and a person gives one as much again', async () => {
  await panel.click('#tab-meter');
  await expect.poll(() => text('.meter .c-numbers')).toContain('50,120');
  expect(await text('.meter .c-numbers')).toContain('311,870');
  expect(await text('.meter .run .what')).toContain(AGENT.name);
  expect(await text('.meter .c-scroll:last-child tbody tr')).toContain('Read page');
  expect(await text('.meter .run')).toContain('0 of 50,000 tokens left');
  await expectFits(panel, 'the meter');
  await panel.click('.meter .run button');
  await expect.poll(() => text('.meter .run')).toContain('50,000 of 100,120 tokens left');
  const lifted = { session: '7d9f5a52-0c0f', tokens: 50_000, where: 'side_panel' };
  expect(asked(/lift/)).toEqual([['budget.lift', lifted]]);
});
