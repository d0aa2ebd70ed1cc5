import { beforeAll, expect, it, vi } from 'vitest';
import { CALL_SCOPE } from '../../../shared/core/policy/call-facts.ts';
import { PATIENCE } from '../../support/patience.ts';
import { TEST_SCOPE } from '../../support/session.ts';
import { ApprovalRig } from '../../people/e2e/rig.ts';
import type { CdpTarget } from '../../support/worker/cdp-target.ts';
import { failure } from '../../support/worker/failure.ts';

const { caller } = TEST_SCOPE;
const { name } = caller;

let rig: ApprovalRig;
let panel: CdpTarget;
let tabId: number;

const announce = () => rig.port.call('server.clients', { clients: [{ name, version: '2.1.0' }] });

beforeAll(async () => {
  rig = await ApprovalRig.start();
  await rig.ask();
  panel = await rig.openPanel();
  tabId = (await rig.port.call('tabs.open', { active: false })).tab.id;
  await announce();
});

const call = () => rig.port.call('tabs.get', { tab_id: tabId, [CALL_SCOPE]: TEST_SCOPE } as never);
const trace = () =>
  rig.port.call('trace.start', { caller, tab_id: tabId, [CALL_SCOPE]: TEST_SCOPE } as never);
const unscoped = () => rig.port.call('tabs.get', { tab_id: tabId });

const text = (selector: string): Promise<string | null> =>
  panel.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? null`);
const button = (label: string): string => `#part button[aria-label=${JSON.stringify(label)}]`;
async function press(label: string): Promise<void> {
  await expect.poll(() => text(button(label))).not.toBeNull();
  await panel.click(button(label));
}
const refused = async (request: () => Promise<unknown>): Promise<string> => (await failure(request())).code;

it.each([
  [`all sessions of ${name}`, /^You stopped it at .+ Its calls fail/],
  ['all agents', /^You stopped all agents/],
])('Stop of %s stops at once, with what belongs to no call, and allows it again', async (whom, said) => {
  await call();
  // Refused as long as a trace runs.
  await vi.waitFor(trace, PATIENCE);
  await press(`Stop ${whom}`);
  await expect.poll(() => text('.held')).toMatch(said);
  expect(await refused(call)).toBe('agent_stopped');
  expect(await refused(unscoped)).toBe('agent_stopped');
  await press(`Allow ${whom} again`);
  await expect.poll(() => text('.held')).toBeNull();
  await call();
  await unscoped();
});

const kept = async (key: string): Promise<unknown> =>
  (await rig.capture.worker()).evaluate(async (name) => (await chrome.storage.local.get(name))[name], key);
const ticked = (index: number): Promise<boolean> =>
  panel.evaluate(`document.querySelectorAll('.switch input')[${index}].checked`);
const denied = (): Promise<string | null> => text('.c-facts dd:nth-of-type(2)');

it('the settings says what the rules in force say, and follows them', async () => {
  await panel.click('#tab-settings');
  await expect.poll(() => text('#browser-name')).not.toBeNull();
  expect(await text('.c-facts dd')).toBe('reading, opening pages, and crawling');
  expect(await denied()).toMatch(/^typing and clicking, sending forms/);
  await panel.click('.switch input');
  await expect.poll(() => kept('asks')).toBe(false);
  await expect.poll(denied).toBe('nothing');
  expect(await ticked(0)).toBe(false);
  await panel.click('.switch input');
  await expect.poll(denied).toMatch(/^typing and clicking/);
  expect(await kept('asks')).toBe(true);
});

it.each([
  [2, 'client_answers'],
  [3, 'act_traces_wanted'],
])('switch %i of the settings keeps %s only while a person wants it', async (nth, key) => {
  expect(await ticked(nth - 1)).toBe(false);
  await panel.click(`.switch:nth-of-type(${nth}) input`);
  await expect.poll(() => kept(key)).toBe(true);
  await expect.poll(() => ticked(nth - 1)).toBe(true);
  await panel.click(`.switch:nth-of-type(${nth}) input`);
  await expect.poll(() => kept(key)).toBe(false);
});
