import { expect, it, vi } from 'vitest';
import { spawnChromium } from '../../support/browser.ts';
import { itDeep } from '../../support/depth.ts';
import { PATIENCE } from '../../support/patience.ts';
import { personRigOf } from '../../support/person-rig.ts';
import { TakeoverPerson } from '../../support/takeover-person.ts';
import { ledgerOf } from './asked.ts';
import { answerOf, AskingAgent, forTests, OPEN, shopPages } from './takeover-rig.ts';

/* A person has a tab, and whatever ends, it comes back. */

const { get: rig } = forTests();
const agent = (): AskingAgent => rig().agent;
const person = (): TakeoverPerson => rig().person;

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
