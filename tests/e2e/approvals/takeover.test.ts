import type { ServerResponse } from 'node:http';
import { expect, it, vi } from 'vitest';
import { itDeep } from '../../support/depth.ts';
import { PATIENCE } from '../../support/patience.ts';
import type { TakeoverPerson } from '../../support/takeover-person.ts';
import type { WorkerScope } from '../../support/worker-scope.ts';
import { answerOf, forTests, LOGIN, OPEN, type AskingAgent } from './takeover-rig.ts';

/** Answers that wait until a test lets them go. */
const late: ServerResponse[] = [];
const tests = forTests(({ url }, response) => url === '/late' && late.push(response) > 0);
const rig = tests.get;
const agent = (): AskingAgent => rig().agent;
const person = (): TakeoverPerson => rig().person;
const worker = (): WorkerScope => rig().rig.worker;

itDeep('a tab that was just opened is handed over once it shows its page', async () => {
  const { url, tab } = await rig().open('/late');
  await vi.waitFor(() => expect(late).toHaveLength(1), PATIENCE);
  const asking = agent().takeOver(tab);
  // Answered after the worker has taken the request before.
  await agent().ok('tabs', { action: 'list' });
  late[0]?.end(LOGIN);
  const card = await person().card();
  expect(card).toContain(new URL(url).host);
  await person().press('done');
  expect(await answerOf(asking)).toMatchObject({ outcome: 'done', origin: new URL(url).origin });
  await expect
    .poll(() => rig().ledger('show', '--site', new URL(url).hostname, '--json'))
    .toContain('takeover_end');
});

it('what the page shows ends it, by itself', async () => {
  const { url, tab } = await rig().open();
  const asking = agent().takeOver(tab, { until: { text: 'Welcome, Ada' } });
  expect(await person().card()).toContain('the page shows Welcome, Ada.');
  await rig().logIn(url);
  expect(await answerOf(asking)).toMatchObject({ outcome: 'done', by: 'page' });
});

it('a person who declines says why', async () => {
  const { tab } = await rig().open();
  const asking = agent().takeOver(tab);
  await person().decline('I do not know the password.');
  expect(await answerOf(asking)).toMatchObject({
    outcome: 'declined',
    where: 'window',
    reason: 'I do not know the password.',
  });
});

itDeep('the tab comes to the front when the person wants to see it, and the time limit ends it', async () => {
  const { url, tab } = await rig().open();
  const asking = agent().takeOver(tab, { timeout_ms: 5_000 });
  await person().press('show');
  await vi.waitFor(async () => {
    const shown = await worker().inPage<string>(url, 'document.visibilityState');
    if (shown !== 'visible') throw new Error('Not shown.');
  }, PATIENCE);
  expect(await answerOf(asking)).toMatchObject({ outcome: 'timeout' });
});

it('nobody who acts on the card or turns to the tab is there', async () => {
  const { tab } = await rig().open();
  const asking = agent().takeOver(tab, { timeout_ms: 5_000 });
  expect(await answerOf(asking)).toMatchObject({ outcome: 'nobody_there' });
});

itDeep('a closed window leaves the tab with the person, and its end by the page counts', async () => {
  const { url, tab } = await rig().open();
  const asking = agent().takeOver(tab, { until: { url: '/welcome' } });
  await person().closeWindow();
  await rig().logIn(url);
  expect(await answerOf(asking)).toMatchObject({ outcome: 'done', by: 'page' });
});

itDeep('a tab that is closed ends it', async () => {
  const { tab } = await rig().open();
  const asking = agent().takeOver(tab);
  await person().card();
  await rig().closeTab(tab);
  expect(await answerOf(asking)).toMatchObject({ outcome: 'tab_closed' });
});

itDeep('the same request joins, and another one about the tab is refused', async () => {
  const { tab } = await rig().open();
  const first = agent().takeOver(tab);
  await person().card();
  const second = agent().takeOver(tab);
  expect((await agent().takeOver(tab, { message: 'Something else.' })).code()).toBe('person_has_tab');
  await person().press('done');
  expect(await answerOf(first)).toMatchObject({ outcome: 'done' });
  expect(await answerOf(second)).toMatchObject({ outcome: 'done' });
});

it('pages of the browser and of the extension are refused', async () => {
  const own = await ownTab();
  const answer = await agent().call('request_human_input', { type: 'takeover', message: 'Look', tab: own });
  // The person of the next test would look there.
  await rig().closeTab(own);
  expect(answer.code()).toBe('page_forbidden');
});

async function ownTab(): Promise<string> {
  const id = await worker().evaluate<number>(
    `chrome.tabs.create({ url: chrome.runtime.getURL('approve/approve.html'), active: false }).then(({ id }) => id)`,
  );
  await vi.waitFor(async () => {
    const shown = await worker().evaluate<string>(`chrome.tabs.get(${id}).then(({ url }) => url)`);
    if (!shown.includes('approve')) throw new Error('Not loaded.');
  }, PATIENCE);
  return `b1:${id}`;
}

it('a page that may not be read cannot be taken over', async () => {
  const { url, tab } = await rig().open();
  await rig().rig.setRules([
    OPEN,
    { id: 'closed', sites: [new URL(url).hostname], risks: ['read'], effect: 'deny' },
  ]);
  const answer = await agent().takeOver(tab);
  await rig().rig.setRules([OPEN]);
  expect(answer.code()).toBe('policy_denied');
});

it('the ledger has who asked, where, and how it ended', async () => {
  const { url, tab } = await rig().open();
  const asking = agent().takeOver(tab);
  await person().press('done');
  await asking;
  const { hostname } = new URL(url);
  await expect.poll(() => rig().ledger('show', '--site', hostname, '--json')).toContain('takeover_end');
  const lines = rig().ledger('show', '--site', hostname, '--json');
  expect(lines).toContain('"takeover"');
  expect(lines).toContain('test-agent');
  expect(lines).toContain('"done"');
  expect(lines).toContain('"window"');
  expect(rig().ledger('verify')).toContain('intact');
});
