import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CALL_SCOPE } from '../../../shared/policy/call-facts.ts';
import { PATIENCE } from '../../support/patience.ts';
import { TEST_SCOPE } from '../../support/session.ts';
import { ApprovalRig, PANEL_URL } from '../approvals/rig.ts';
import type { CdpTarget } from '../worker/cdp-target.ts';
import { failure } from '../worker/failure.ts';

/*
 * A person stops and pauses agents, and changes settings, by the buttons of the side panel itself. The agents' server is the
 * test.
 */

const { name } = TEST_SCOPE.caller;

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
afterAll(() => rig.close());

const call = () => rig.port.call('tabs.get', { tab_id: tabId, [CALL_SCOPE]: TEST_SCOPE } as never);
/** What belongs to no call, as everything that a server of wire 1 sends. */
const unscoped = () => rig.port.call('tabs.get', { tab_id: tabId });

const text = (selector: string): Promise<string | null> =>
  panel.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? null`);
const button = (label: string): string => `#part button[aria-label=${JSON.stringify(label)}]`;
async function press(label: string): Promise<void> {
  await expect.poll(() => text(button(label))).not.toBeNull();
  await panel.click(button(label));
}
/** Presses until it holds: the press may come before the page has noticed that its worker has ended. */
const letOn = (label: string): Promise<void> =>
  vi.waitFor(async () => {
    if ((await text(button(label))) !== null) await panel.click(button(label));
    await call();
  }, PATIENCE);
const refused = async (request: () => Promise<unknown>): Promise<string> => (await failure(request())).code;

describe('the buttons of an agent', () => {
  const all = `all sessions of ${name}`;

  it('stop it at once, with what belongs to no call of it, and allow it again', async () => {
    await call();
    await press(`Stop ${all}`);
    await expect.poll(() => text('.held')).toMatch(/^You stopped it at .+ Its calls fail/);
    expect(await refused(call)).toBe('agent_stopped');
    expect(await refused(unscoped)).toBe('agent_stopped');
    expect(await text('#tab-now .badge')).toBe('1');
    await press(`Allow ${all} again`);
    await expect.poll(() => text('.held')).toBeNull();
    await call();
    await unscoped();
  });

  it('hold in the next worker, which the panel shows', async () => {
    await press(`Stop ${all}`);
    await expect.poll(() => text('.held')).toMatch(/^You stopped it/);
    await rig.ask();
    await announce();
    expect(await refused(call)).toBe('agent_stopped');
    await expect.poll(() => text('.held')).toMatch(/^You stopped it/);
    await letOn(`Allow ${all} again`);
  });

  it('stay for an agent that is away', async () => {
    await press(`Stop ${all}`);
    await expect.poll(() => text('.held')).not.toBeNull();
    await rig.port.call('server.clients', { clients: [] });
    await expect.poll(() => text('#part h2:not([id])')).toBe('Stopped or paused, and not connected');
    await press(`Allow ${name} again`);
    await expect.poll(() => text('#part h2:not([id])')).toBeNull();
    await announce();
    await call();
  });
});

describe('Stop all', () => {
  it('stops whatever any server asks, and allows it again', async () => {
    await press('Stop all agents');
    await expect.poll(() => text('.held')).toMatch(/^You stopped all agents/);
    expect(await refused(call)).toBe('agent_stopped');
    expect(await refused(unscoped)).toBe('agent_stopped');
    await press('Allow all agents again');
    await expect.poll(() => text('.held')).toBeNull();
    await call();
  });
});

describe('a request to stop agents', () => {
  const STOP = `(() => {
    globalThis.other = chrome.runtime.connect({ name: 'feed' });
    other.postMessage({ type: 'begin', cursors: {} });
    other.postMessage({ type: 'control', agent: { name: null, session: null }, state: 'stopped' });
  })()`;

  it('is not taken from the same page in a tab', async () => {
    const tab = await rig.capture.browser.devtools.contexts()[0]?.newPage();
    await tab?.goto(PANEL_URL);
    await tab?.evaluate(STOP);
    // What the panel asks for afterwards is done when the page's request has been looked at.
    await press(`Pause all sessions of ${name}`);
    await expect.poll(() => text('.held')).toMatch(/^You paused it/);
    await press(`Resume all sessions of ${name}`);
    await call();
    await tab?.close();
  });

  it('is not taken while a second port says that it is the side panel', async () => {
    await panel.evaluate(STOP);
    await panel.evaluate(`other.disconnect()`);
    await press(`Pause all sessions of ${name}`);
    await expect.poll(() => text('.held')).toMatch(/^You paused it/);
    await press(`Resume all sessions of ${name}`);
    await call();
  });
});

it('a list of stopped agents that cannot be read stops everyone, and the panel says so', async () => {
  const worker = await rig.capture.worker();
  await worker.evaluate(() => chrome.storage.local.set({ agent_controls: 'damaged' }));
  await rig.ask();
  await announce();
  expect(await refused(call)).toBe('agent_stopped');
  await expect.poll(() => text('.notice')).toMatch(/^The list of agents that you stopped was damaged/);
  await letOn('Allow all agents again');
  await expect.poll(() => text('.notice')).toBeNull();
});

describe('the settings', () => {
  const kept = async (key: string): Promise<unknown> =>
    (await rig.capture.worker()).evaluate(async (name) => (await chrome.storage.local.get(name))[name], key);
  const ticked = (index: number): Promise<boolean> =>
    panel.evaluate(`document.querySelectorAll('.switch input')[${index}].checked`);
  const denied = (): Promise<string | null> => text('.facts dd:nth-of-type(2)');

  it('says what the rules in force say, and follows them', async () => {
    await panel.click('#tab-settings');
    await expect.poll(() => text('#browser-name')).not.toBeNull();
    expect(await text('.facts dd')).toBe('reading, opening pages, and crawling');
    expect(await denied()).toMatch(/^typing and clicking, sending forms/);
    await panel.click('.switch input');
    await expect.poll(() => kept('asks')).toBe(false);
    await expect.poll(denied).toBe('nothing');
    expect(await ticked(0)).toBe(false);
    await panel.click('.switch input');
    await expect.poll(denied).toMatch(/^typing and clicking/);
    expect(await kept('asks')).toBe(true);
  });

  it('changes language and theme of the page at once', async () => {
    const choose = (id: string, value: string): Promise<void> =>
      panel.evaluate(`(() => {
        const field = document.getElementById(${JSON.stringify(id)});
        field.value = ${JSON.stringify(value)};
        field.dispatchEvent(new Event('change', { bubbles: true }));
      })()`);
    await choose('panel-language', 'zh-CN');
    await expect.poll(() => text('#policy-title')).toBe('策略');
    await choose('panel-language', 'en');
    await expect.poll(() => text('#policy-title')).toBe('Policy');
    await choose('panel-theme', 'dark');
    const ground = (): Promise<string> => panel.evaluate('getComputedStyle(document.body).backgroundColor');
    await expect.poll(ground).toBe('rgb(21, 25, 31)');
    await choose('panel-theme', 'light');
    await expect.poll(ground).toBe('rgb(255, 255, 255)');
  });
});
