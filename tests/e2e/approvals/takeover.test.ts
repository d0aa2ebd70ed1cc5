import { expect, it, onTestFinished, vi } from 'vitest';
import { readRegistrations } from '../../../server/bridge/registrations.ts';
import { spawnChromium } from '../../support/browser.ts';
import { itDeep } from '../../support/depth.ts';
import { PATIENCE } from '../../support/patience.ts';
import { personRigOf } from '../../support/person-rig.ts';
import { startServer } from '../../support/stdio-server.ts';
import { TakeoverPerson } from '../../support/takeover-person.ts';
import { ledgerOf } from './asked.ts';
import { answerOf, AskingAgent, forTests, OPEN, shopPages } from './takeover-rig.ts';

/* A person has a tab, and whatever ends, it comes back. */

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

it('a person sees the tab and declines, with why; the ledger has who asked, where, and how it ended', async () => {
  const { url, tab } = await rig().open();
  const asking = agent().takeOver(tab);
  await vi.waitFor(async () => {
    await person().press('show');
    if ((await rig().rig.worker.inPage(url, 'document.visibilityState')) !== 'visible')
      throw new Error('Not shown.');
  }, PATIENCE);
  await person().decline('I do not know the password.');
  expect(await answerOf(asking)).toMatchObject({
    outcome: 'declined',
    where: 'window',
    reason: 'I do not know the password.',
  });
  const { hostname } = new URL(url);
  const lines = (): string => rig().ledger('show', '--site', hostname, '--json');
  await expect.poll(lines).toContain('takeover_end');
  for (const fact of ['"takeover"', 'test-agent', '"declined"', '"window"']) expect(lines()).toContain(fact);
  expect(rig().ledger('verify')).toContain('intact');
});

it('pages of the extension, and pages that may not be read, cannot be taken over', async () => {
  const own = await rig().rig.worker.evaluate<number>(
    `chrome.tabs.create({ url: chrome.runtime.getURL('approve/approve.html'), active: false }).then(({ id }) => id)`,
  );
  await vi.waitFor(async () => {
    const shown = await rig().rig.worker.evaluate<string>(`chrome.tabs.get(${own}).then(({ url }) => url)`);
    if (!shown.includes('approve')) throw new Error('Not loaded.');
  }, PATIENCE);
  const refused = await agent().takeOver(`b1:${own}`);
  // The person of the next test would look there.
  await rig().closeTab(`b1:${own}`);
  expect(refused.code()).toBe('page_forbidden');
  const { url, tab } = await rig().open();
  const closed = {
    id: 'closed',
    sites: [new URL(url).hostname],
    risks: ['read' as const],
    effect: 'deny' as const,
  };
  await rig().rig.setRules([OPEN, closed]);
  const denied = await agent().takeOver(tab);
  await rig().rig.setRules([OPEN]);
  expect(denied.code()).toBe('policy_denied');
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

itDeep('a server that is killed and does not come back gives it back', async () => {
  const other = await another();
  const tab = await other.open(rig().at('/login'));
  void other.takeOver(tab).catch(() => undefined);
  await person().card();
  process.kill(other.server.pid, 'SIGKILL');
  await vi.waitFor(async () => {
    // A minute passes for the worker, and it is woken.
    await rig().rig.worker.evaluate(`(() => {
      const now = performance.now.bind(performance);
      performance.now = () => now() + 60_000;
      return chrome.alarms.create('wake', { when: Date.now(), periodInMinutes: 0.5 }).then(() => null);
    })()`);
    const { text } = await agent().call('read_page', { tab, format: 'text' });
    if (!text.includes('Log in')) throw new Error(text);
  }, PATIENCE);
});

itDeep('a native host that is killed neither gives it back nor loses it', async () => {
  const { url, tab } = await rig().open();
  await agent().ok('network', { action: 'start', tab });
  const asking = agent().takeOver(tab, { until: { url: '/welcome' } });
  await person().card();
  const [host] = readRegistrations(rig().rig.browser.bridgeDirectory).filter(({ isAlive }) => isAlive);
  process.kill(host?.registration.pid ?? -1, 'SIGKILL');
  expect(await agent().refusal(tab)).toBe('person_has_tab');
  await rig().logIn(url);
  expect(await answerOf(asking)).toMatchObject({ outcome: 'done', by: 'page' });
  const slice = await agent().call('network', { action: 'slice', tab });
  expect(slice.text).not.toContain('/session');
});

itDeep('a browser that is killed ends it with a code, and the ledger has its end', async () => {
  const own = await personRigOf(() => spawnChromium({ rules: 'person' }), shopPages());
  await own.setRules([OPEN]);
  const alone = new AskingAgent(own.server);
  const asking = alone.takeOver(await alone.open(own.at('shop.test', '/login')));
  await new TakeoverPerson(own.worker).card();
  await own.browser.kill();
  const answer = await asking;
  expect(['browser_disconnected', 'human_input_expired'], answer.text).toContain(answer.code());
  const lines = ledgerOf(own.server.home, 'show', '--json');
  expect(lines).toMatch(/"takeover_end"/);
  expect(lines).toMatch(/"outcome": "unknown"/);
});
