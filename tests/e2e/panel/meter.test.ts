import axe from 'axe-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApprovalRig } from '../approvals/rig.ts';
import type { CdpTarget } from '../worker/cdp-target.ts';
import type { Frame } from '../worker/test-host.ts';

/* A person reads the meter and lifts a budget in the side panel itself. The server that counts is the test. */

const figures = (tokens: number) => ({
  calls: 12,
  bytes: tokens * 4,
  tokens,
  estimated_tokens: 0,
  saved_tokens: 311_870,
});

let rig: ApprovalRig;
let panel: CdpTarget;
let budget: object | null = { tokens: 50_000, left: 0, state: 'exceeded' };
const lifted: unknown[] = [];

const reading = () => ({
  total: figures(50_120),
  sessions: [{ session: '7d9f5a52-0c0f', agent: '<b>claude-code</b>', figures: figures(50_120), budget }],
  agents: [{ name: '<b>claude-code</b>', figures: figures(50_120) }],
  tools: [
    { name: 'tools/list', figures: figures(2_900) },
    { name: 'read_page', figures: figures(47_220) },
  ],
});

/** Answers what the worker asks a server. */
function answer({ channel, message }: Frame): void {
  const { method, id, params } = message;
  const answers: Readonly<Record<string, () => object>> = {
    'journal.page': () => ({ lines: [], next: null }),
    'runs.list': () => ({ runs: [], total: 0, next_offset: null }),
    'meter.read': reading,
    'budget.lift': () => {
      lifted.push(params);
      budget = { tokens: 100_120, left: 50_000, state: 'fine' };
      return { budget };
    },
  };
  const isFirst = method === 'feed.next' && (params as { cursor: unknown }).cursor === null;
  const result = isFirst
    ? { home: 'home', cursor: { seq: 0, lines: 0 }, events: [] }
    : answers[String(method)]?.();
  if (result !== undefined) rig.port.send(channel, { jsonrpc: '2.0', id, result });
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

it('shows what agents were answered, by agent and tool, most tokens first', async () => {
  await expect.poll(() => text('#tab-meter')).toBe('Meter');
  await panel.click('#tab-meter');
  await expect.poll(() => text('.meter .figures')).toContain('50,120');
  expect(await text('.meter .figures')).toContain('311,870');
  expect(await text('.meter .run .what')).toContain('<b>claude-code</b>');
  expect(await text('.meter table:last-of-type tbody tr')).toContain('read_page');
  expect(await text('.meter .run')).toContain('0 of 50,000 tokens left');
});

it('axe finds nothing in it', async () => {
  await panel.evaluate(`${axe.source}; undefined`);
  const found: string = await panel.evaluate(
    `axe.run(document).then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => [id, nodes[0]?.html])))`,
  );
  expect(JSON.parse(found)).toEqual([]);
});

it('a person gives the agent as much again', async () => {
  await panel.click('.meter .run button');
  await expect.poll(() => text('.meter .run')).toContain('50,000 of 100,120 tokens left');
  expect(lifted).toEqual([{ session: '7d9f5a52-0c0f', tokens: 50_000, where: 'side_panel' }]);
});
