import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { CALL_SCOPE } from '../../../shared/policy/call-facts.ts';
import { PATIENCE } from '../../support/patience.ts';
import { TEST_SCOPE } from '../../support/session.ts';
import { ApprovalRig, PANEL_URL } from '../approvals/rig.ts';
import type { CdpTarget } from '../worker/cdp-target.ts';
import { failure } from '../worker/failure.ts';

/* A person stops agents in the side panel, whatever the agents' server does: it is the test. */

let rig: ApprovalRig;
let panel: CdpTarget;
let tabId: number;
beforeAll(async () => {
  rig = await ApprovalRig.start();
  await rig.ask();
  panel = await rig.openPanel();
  tabId = (await rig.port.call('tabs.open', { active: false })).tab.id;
});
afterAll(() => rig.close());

const agent = { name: TEST_SCOPE.caller.name, session: TEST_SCOPE.caller.session };
const call = (name = agent.name) => {
  const scope = { ...TEST_SCOPE, caller: { session: `${name}-session`, name } };
  return rig.port.call('tabs.get', {
    tab_id: tabId,
    [CALL_SCOPE]: name === agent.name ? TEST_SCOPE : scope,
  } as never);
};

/** Sends a request on a feed port of a page, and keeps what the worker says of the agents. */
const send = (state: string): string => `(() => {
  if (globalThis.feedPort === undefined) {
    globalThis.controls = null;
    globalThis.feedPort = chrome.runtime.connect({ name: 'feed' });
    globalThis.feedPort.onMessage.addListener((message) => {
      if (message.type === 'controls') globalThis.controls = message.controls;
    });
    globalThis.feedPort.postMessage({ type: 'begin', cursors: {} });
  }
  globalThis.feedPort.postMessage(${JSON.stringify({ type: 'control', agent })
    .slice(0, -1)
    .concat(`,"state":"${state}"}`)});
})()`;

const states = (): Promise<string> =>
  panel.evaluate(`JSON.stringify((globalThis.controls ?? []).map(({ state }) => state))`);
const shows = (expected: readonly string[]): Promise<void> =>
  vi.waitFor(async () => expect(JSON.parse(await states())).toEqual(expected), PATIENCE);

it('a stop in the side panel refuses the agent, in the next worker too, until it is let on', async () => {
  await call();
  await panel.evaluate(send('stopped'));
  await shows(['stopped']);
  expect(await failure(call())).toMatchObject({ code: 'agent_stopped' });
  // Others work on.
  await call('another-agent');

  await rig.ask();
  expect(await failure(call())).toMatchObject({ code: 'agent_stopped' });
  await panel.evaluate(`delete globalThis.feedPort`);
  await panel.evaluate(send('on'));
  await vi.waitFor(() => call(), PATIENCE);
});

it('the page of the panel in a tab stops nobody', async () => {
  const page = await rig.capture.browser.devtools.contexts()[0]?.newPage();
  if (page === undefined) throw new Error('No page.');
  await page.goto(PANEL_URL);
  await page.evaluate(send('stopped'));
  // What the panel asks for afterwards is done when the page's request has been looked at.
  await panel.evaluate(send('paused'));
  await shows(['paused']);
  await panel.evaluate(send('on'));
  await shows([]);
  await call();
  await page.close();
});
