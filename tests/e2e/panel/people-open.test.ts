import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApprovalRig } from '../approvals/rig.ts';
import type { CdpTarget } from '../worker/cdp-target.ts';
import type { Frame } from '../worker/test-host.ts';

/* The ledger, items of a run and the deletion of an output, in the side panel itself. The server is the test. */

const HANDLE = 'oh_ABCDEFGHJKLM';
const RUN = 'run_0123456789';
const AGENT = { name: '<b>claude-code</b>', client_session: 's1', server: 'x' };

let rig: ApprovalRig;
let panel: CdpTarget;
let isIntact: boolean | null = true;
let items: object[] = [{ sku: 'T-1', title: '<i>Sencha</i>' }];
const deleted: unknown[] = [];
const kept: unknown[] = [];
let respond: ((events: readonly object[]) => void) | null = null;
let seq = 0;

const line = (seq: number, facts: object) => ({
  chain: '2026-11-23T02-00-00-abcd',
  seq,
  ts: `2026-11-23T02:00:0${seq}.000Z`,
  risks: [],
  ...facts,
});
const lines = [
  line(4, {
    kind: 'outcome',
    of: { chain: '2026-11-23T02-00-00-abcd', seq: 3 },
    outcome: 'failed',
    code: 'timeout',
  }),
  line(3, {
    kind: 'act',
    agent: AGENT,
    decided: { where: 'grant' },
    site: 'https://shop.example',
    tool: 'interact',
  }),
  line(2, { kind: 'decision', agent: AGENT, decided: { where: 'client, unverified' }, outcome: 'denied' }),
  line(1, { kind: 'a_kind_of_later', agent: AGENT }),
];
const run = () => ({
  run_id: RUN,
  tool: 'crawl',
  status: 'failed',
  progress: { done: 30, queued: 0, failed: 2, rate_per_second: 0 },
  items: items.length,
  size_bytes: 40_960,
  started_at_ms: Date.now(),
  ended_at_ms: Date.now(),
  error: { code: 'browser_disconnected', message: 'The browser has gone.' },
  output_handle: HANDLE,
  source: 'https://shop.example/',
  has_arguments: true,
});
const output = {
  handle: HANDLE,
  source_tool: 'crawl',
  mime_type: 'application/json',
  kind: 'items',
  size_bytes: 90,
  item_count: 1,
  created_at_ms: Date.now(),
  expires_at_ms: Date.now() + 3_600_000,
};

const ANSWERS: Readonly<Record<string, (params: object) => object>> = {
  'runs.list': () => ({ runs: [run()], total: 1, next_offset: null }),
  'runs.items': ({ offset = 0 }: { offset?: number }) => ({
    items: items.slice(offset),
    total: items.length,
    next_offset: null,
  }),
  'journal.page': () => ({ lines: [], next: null }),
  'outputs.list': () => {
    const by = [null, 'agent', 'person', null][kept.length] ?? null;
    const listed = { ...output, kept: by === null ? null : { note: 'prices <b>of</b> May', by } };
    return { outputs: deleted.length > 0 ? [] : [listed], total: 1, next: null };
  },
  'outputs.page': () => ({
    unit: 'items',
    items,
    offset: 0,
    next_offset: null,
    total: 1,
    mime_type: 'application/json',
  }),
  'outputs.keep': (params) => {
    kept.push(params);
    return {};
  },
  'outputs.delete': (params) => {
    deleted.push(params);
    return {};
  },
  'ledger.page': () => ({
    lines,
    next: null,
    is_intact: isIntact,
    problems: isIntact === false ? ['Line 3 of <b>x</b> was changed.'] : [],
  }),
};

/** Answers what the worker asks a server. Events are sent by the test. */
function answer({ channel, message }: Frame): void {
  const { method, id, params } = message;
  if (typeof method !== 'string') return;
  const send = (result: object): void => void rig.port.send(channel, { jsonrpc: '2.0', id, result });
  if (method === 'feed.next') {
    if ((params as { cursor: unknown }).cursor === null)
      return send({ home: 'home', cursor: { seq: 0, lines: 0 }, events: [] });
    respond = (events) => send({ home: 'home', cursor: { seq: (seq += 1), lines: 0 }, events });
    return;
  }
  const known = ANSWERS[method];
  if (known !== undefined) send(known(params as object));
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
const count = (selector: string): Promise<number> =>
  panel.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`);
const focused = (): Promise<string | null> => panel.evaluate('document.activeElement.textContent');

it('the ledger says who decided what and how it ended, newest first', async () => {
  await expect.poll(() => text('#tab-ledger')).toMatch(/^Ledger/);
  await panel.click('#tab-ledger');
  await expect.poll(() => count('.row.two')).toBe(3);
  expect(await text('.row.two')).toMatch(
    /^Act interact <b>claude-code<\/b>failed.+by a grant · https:\/\/shop\.example$/,
  );
  expect(await text('.row.two:nth-child(2)')).toMatch(/^Decision.+denied.+by a client, unverified$/);
  expect(await text('.row.two:nth-child(3)')).toMatch(/^a_kind_of_later/);
  expect(await count('.row b b')).toBe(0);
  expect(await text('.ledger-state p')).toContain('All lines are as they were written.');
  expect(await text('.ledger-state code')).toMatch(/ ledger verify$/);
});

it('the ledger is filtered, and a line shows all that it says', async () => {
  await panel.evaluate(`(() => {
    const choice = document.querySelector('.filters select[aria-label="Outcome"]');
    choice.value = 'denied';
    choice.dispatchEvent(new Event('change', { bubbles: true }));
  })()`);
  await expect.poll(() => count('.row.two')).toBe(1);
  await panel.click('.row.two');
  await expect.poll(() => text('.detail dl')).toContain('2026-11-23T02-00-00-abcd:2');
});

it('the ledger says what is wrong with it', async () => {
  isIntact = false;
  await panel.click('#tab-now');
  await panel.click('#tab-ledger');
  await expect.poll(() => text('.ledger-state [role=alert]')).toMatch(/not as it was written/);
  expect(await text('.ledger-state li')).toBe('Line 3 of <b>x</b> was changed.');
});

it('a run shows its error with what to do, and its items as they come', async () => {
  await panel.click('#tab-runs');
  await expect.poll(() => text('.run .problem')).toBe('browser_disconnected The browser has gone.');
  expect(await text('.run')).toMatch(/What to do: \S+/);
  await panel.click('.run [aria-expanded]');
  await expect.poll(() => text('.run-items')).toContain('<i>Sencha</i>');
  items = [...items, { sku: 'T-2', title: 'Gyokuro' }];
  await expect.poll(() => respond !== null).toBe(true);
  respond?.([
    {
      type: 'run',
      phase: 'progress',
      ts: '2026-11-23T02:00:09.000Z',
      run_id: RUN,
      tool: 'crawl',
      progress: { done: 31, queued: 0, failed: 2, rate_per_second: 1 },
      items: 2,
    },
  ]);
  await expect.poll(() => text('.run-items')).toContain('Gyokuro');
  expect(await count('.run-items i')).toBe(0);
});

it('opens the output of a run, keeps it, and deletes it once a person is sure', async () => {
  await panel.evaluate(
    `[...document.querySelectorAll('.run-opens button')].find(({ textContent }) => textContent === 'Open its output').click()`,
  );
  await expect.poll(() => text('#output-title')).toBe(`crawl ${HANDLE}`);
  expect(await panel.evaluate(`document.getElementById('tab-outputs').ariaSelected`)).toBe('true');
  const press = (name: string): Promise<unknown> =>
    panel.evaluate(
      `[...document.querySelectorAll('.output-actions button')].find(({ textContent }) => textContent === ${JSON.stringify(name)}).click()`,
    );
  await press('Keep for good');
  // An agent was faster. It could release what it keeps, so a person may keep it, too.
  await expect.poll(() => text('.opened')).toContain('until a person or an agent releases it');
  expect(await text('.output-actions')).toContain('Keep for goodLet it expire');
  expect(await text('.opened')).toContain('prices <b>of</b> May');
  await press('Keep for good');
  await expect.poll(() => text('.opened')).toContain('until a person releases it');
  expect(await text('.output-actions')).not.toContain('Keep for good');
  await press('Let it expire');
  await expect.poll(() => text('.opened')).not.toContain('releases it');
  expect(kept).toEqual([true, true, false].map((keep) => ({ handle: HANDLE, keep, where: 'side_panel' })));
  await panel.click('.output-actions .stop');
  await expect.poll(focused).toBe('Keep');
  expect(deleted).toEqual([]);
  await panel.click('.sure button');
  await expect.poll(focused).toBe('Delete');
  await panel.click('.output-actions .stop');
  await expect.poll(focused).toBe('Keep');
  await panel.click('.sure .stop');
  await expect.poll(() => text('#part .empty')).toMatch(/^Nothing is stored/);
  expect(deleted).toEqual([{ handle: HANDLE, where: 'side_panel' }]);
});
