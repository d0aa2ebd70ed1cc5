import { expect, it, onTestFinished, vi } from 'vitest';
import { itDeep } from '../../support/depth.ts';
import { readRegistrations } from '../../../server/bridge/registrations.ts';
import { PATIENCE } from '../../support/patience.ts';
import { startServer } from '../../support/stdio-server.ts';
import type { TakeoverPerson } from '../../support/takeover-person.ts';
import { answerOf, AskingAgent, forTests } from './takeover-rig.ts';

/* Whatever ends, the tab comes back. */

const { get: rig } = forTests();
const agent = (): AskingAgent => rig().agent;
const person = (): TakeoverPerson => rig().person;

/** Another agent at the same browser. */
async function another(): Promise<AskingAgent> {
  const { serverEnv } = rig().rig.browser;
  const args = ['--sync-wait-ms', '60000'];
  const server = await startServer({ env: serverEnv, args, clientName: 'other-agent' });
  onTestFinished(() => server.close());
  return new AskingAgent(server);
}

/** Resolves when agents may read the tab again. */
const comesBack = (tab: string, reader = agent()): Promise<void> =>
  vi.waitFor(async () => {
    const { text } = await reader.call('read_page', { tab, format: 'text' });
    if (!text.includes('Log in')) throw new Error(text);
  }, PATIENCE);

/** Lets a minute pass for the worker, and wakes it. */
const minuteLater = (): Promise<void> =>
  rig().rig.worker.evaluate(`(() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 60_000;
    return chrome.alarms.create('wake', { when: Date.now(), periodInMinutes: 0.5 }).then(() => null);
  })()`);

itDeep('a cancelled call gives the tab back to the agent', async () => {
  const { tab } = await rig().open();
  const cancel = new AbortController();
  const asking = agent().server.call(
    'request_human_input',
    { type: 'takeover', message: 'Log in', tab },
    cancel.signal,
  );
  await person().card();
  cancel.abort();
  await expect(asking).rejects.toThrow();
  await person().isLeftAlone();
  await expect
    .poll(async () => (await agent().call('read_page', { tab, format: 'text' })).text)
    .toContain('Log in');
});

it('another agent is kept off the tab, cannot ask for it, and cannot end it', async () => {
  const { tab } = await rig().open();
  const other = await another();
  const asking = agent().takeOver(tab);
  expect(await person().card()).toContain('test-agent');
  for (const [name, args] of [
    ['read_page', {}],
    ['interact', { steps: ['click css=#go'] }],
    ['navigate', { url: 'about:blank' }],
    ['tabs', { action: 'close' }],
    ['request_human_input', { type: 'takeover', message: 'Please log in.' }],
  ] as const)
    expect((await other.call(name, { tab, ...args })).code(), name).toBe('person_has_tab');
  await other.server.close();
  expect(await person().card()).toContain('test-agent');
  await person().press('done');
  expect(await answerOf(asking)).toMatchObject({ outcome: 'done', by: 'person' });
});

itDeep('of two agents that ask for a tab at once, one has it', async () => {
  const { tab } = await rig().open();
  const other = await another();
  const both = [agent().takeOver(tab), other.takeOver(tab)];
  const refused = await Promise.race(both);
  expect(['person_has_tab', 'tab_busy']).toContain(refused.code());
  await person().press('done');
  const ends = await Promise.all(both);
  expect(ends.filter(({ isError }) => !isError)).toHaveLength(1);
});

itDeep('a client that leaves gives it back', async () => {
  const other = await another();
  const url = rig().at('/login');
  const tab = await other.open(url);
  void other.takeOver(tab).catch(() => undefined);
  await person().card();
  await other.server.close();
  await person().isLeftAlone();
  await comesBack(tab);
});

it('a server that is killed and does not come back gives it back', async () => {
  const other = await another();
  const tab = await other.open(rig().at('/login'));
  void other.takeOver(tab).catch(() => undefined);
  await person().card();
  process.kill(other.server.pid, 'SIGKILL');
  await vi.waitFor(async () => {
    await minuteLater();
    if ((await agent().call('read_page', { tab })).code() === 'person_has_tab')
      throw new Error('Still taken.');
  }, PATIENCE);
  await person().isLeftAlone();
  await comesBack(tab);
});

itDeep('a native host that is killed neither gives it back nor loses it', async () => {
  const { url, tab } = await rig().open();
  await agent().ok('network', { action: 'start', tab });
  const asking = agent().takeOver(tab, { until: { url: '/welcome' } });
  await person().card();
  const { bridgeDirectory } = rig().rig.browser;
  const [host] = readRegistrations(bridgeDirectory).filter(({ isAlive }) => isAlive);
  process.kill(host?.registration.pid ?? -1, 'SIGKILL');
  const refusal = await vi.waitFor(async () => {
    const code = (await agent().call('read_page', { tab })).code();
    if (code === 'browser_disconnected') throw new Error('The host is not back.');
    return code;
  }, PATIENCE);
  expect(refusal).toBe('person_has_tab');
  await rig().logIn(url);
  expect(await answerOf(asking)).toMatchObject({ outcome: 'done', by: 'page' });
  const slice = await agent().call('network', { action: 'slice', tab });
  expect(slice.text).not.toContain('/session');
});

itDeep('a worker that is ended again and again keeps it, with what the page has opened', async () => {
  const { url, tab } = await rig().open();
  const asking = agent().takeOver(tab);
  await person().card();
  await rig().click(url, 'void window.open("/login?opened")');
  await rig().shows(`${url}?opened`, 'document.title === "Log in"');
  const popup = await rig().rig.worker.evaluate<number>(
    `chrome.tabs.query({}).then((tabs) => tabs.find(({ url }) => url.endsWith('?opened')).id)`,
  );
  for (let ended = 0; ended < 2; ended += 1) {
    await rig().rig.worker.end();
    await person().card();
    for (const one of [tab, `b1:${popup}`]) {
      const refusal = await vi.waitFor(async () => {
        const code = (await agent().call('read_page', { tab: one })).code();
        if (code === 'browser_disconnected') throw new Error('The worker is not back.');
        return code;
      }, PATIENCE);
      expect(refusal).toBe('person_has_tab');
    }
  }
  await person().press('done');
  expect(await answerOf(asking)).toMatchObject({ outcome: 'done', by: 'person' });
  await comesBack(`b1:${popup}`);
});
