import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApprovalRig, PANEL_URL } from '../approvals/rig.ts';
import type { CdpTarget } from '../worker/cdp-target.ts';
import type { Frame } from '../worker/test-host.ts';

/* A person cancels and resumes a run by the buttons of the side panel itself. The server that has the run is the test. */

const RUN = 'run_0123456789';

let rig: ApprovalRig;
let panel: CdpTarget;
let status: 'running' | 'cancelled' = 'running';
const asked: string[] = [];

const run = () => ({
  run_id: RUN,
  tool: 'crawl',
  status,
  progress: { done: 30, queued: 70, failed: 2, rate_per_second: 1.5 },
  items: 28,
  size_bytes: 40_960,
  started_at_ms: Date.now(),
  ended_at_ms: null,
  error: null,
  output_handle: null,
  source: 'https://shop.example/<b>tea</b>',
  has_arguments: true,
  args: { url: 'https://shop.example/', max_pages: 200, include: '["/docs/**"]', note: '<b>\u202etea</b>' },
  args_left: 2,
});

const ANSWERS: Readonly<Record<string, () => object>> = {
  'runs.list': () => ({ runs: [run()], total: 1, next_offset: null }),
  'journal.page': () => ({ lines: [], next: null }),
  'runs.cancel': () => {
    status = 'cancelled';
    return { run: run() };
  },
  'runs.resume': () => {
    status = 'running';
    return { run: run() };
  },
};

/** Answers what the worker asks a server. Nothing happens after the feed's first answer. */
function answer({ channel, message }: Frame): void {
  const { method, id, params } = message;
  if (typeof method !== 'string') return;
  if (method === 'feed.next' && (params as { cursor: unknown }).cursor === null)
    rig.port.send(channel, {
      jsonrpc: '2.0',
      id,
      result: { home: 'home', cursor: { seq: 0, lines: 0 }, events: [] },
    });
  const answers = ANSWERS[method];
  if (answers === undefined) return;
  asked.push(method);
  rig.port.send(channel, { jsonrpc: '2.0', id, result: answers() });
}

beforeAll(async () => {
  rig = await ApprovalRig.start();
  await rig.ask();
  rig.port.on(answer);
  panel = await rig.openPanel();
});
afterAll(() => rig.close());

const text = (selector: string): Promise<string | null> =>
  panel.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? null`);
const changes = (): readonly string[] => asked.filter((method) => /cancel|resume/.test(method));

it('shows how far a run is, and where from', async () => {
  await expect.poll(() => text('#tab-runs')).toMatch(/^Runs/);
  await panel.click('#tab-runs');
  await expect.poll(() => text('.run .status')).toBe('Running');
  expect(await text('.run')).toContain('30 done · 70 queued · 2 failed · 1.5 per second · 28 items');
  expect(await text('.run .subject')).toBe('https://shop.example/<b>tea</b>');
  expect(await text('#tab-runs .badge')).toBe('1');
});

it('shows what a run was started with', async () => {
  const shown = (selector: string): Promise<string> =>
    panel.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`);
  expect(await shown('.run-arguments')).toBe('Arguments');
  await panel.click('.run-arguments summary');
  await expect
    .poll(async () => (await shown('.run-arguments')).split(/\s*\n\s*/))
    .toEqual([
      'Arguments',
      'url',
      'https://shop.example/',
      'max_pages',
      '200',
      'include',
      '["/docs/**"]',
      'note',
      '<b>⟨U+202E⟩tea</b>',
      '2 more',
    ]);
});

describe('the same page in a tab', () => {
  it('has no buttons, and is refused what it asks for', async () => {
    const tab = await rig.capture.browser.devtools.contexts()[0]?.newPage();
    if (tab === undefined) throw new Error('No page.');
    await tab.goto(PANEL_URL);
    await tab.click('#tab-runs');
    await tab.locator('.run').waitFor();
    expect(await tab.locator('.run button:not([aria-expanded])').count()).toBe(0);
    const failure = await tab.evaluate(
      (id) =>
        new Promise((resolve) => {
          const port = chrome.runtime.connect({ name: 'feed' });
          port.onMessage.addListener((message: { type: string; message?: string }) => {
            if (message.type === 'failure') resolve(message.message);
          });
          port.postMessage({ type: 'begin', cursors: {} });
          port.postMessage({ type: 'query', id: 1, query: { type: 'run_cancel', home: 'home', run: id } });
        }),
      RUN,
    );
    expect(failure).toBe('Only the side panel can change something.');
    expect(changes()).toEqual([]);
    await tab.close();
  });
});

it('cancels a run by a press, and resumes it', async () => {
  await panel.click('.run button');
  await expect.poll(() => text('.run .status')).toBe('Cancelled');
  await expect.poll(() => text('.run button')).toBe('Resume');
  await panel.click('.run button');
  await expect.poll(() => text('.run .status')).toBe('Running');
  expect(changes()).toEqual(['runs.cancel', 'runs.resume']);
});
